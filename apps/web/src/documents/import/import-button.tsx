import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { acceptedTexts } from '../../common/files/text-files.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useFileDrop, useImport } from './use-import.ts'

/**
 * Imports files into a folder: those that are chosen by its button, and those that are dropped anywhere on the page.
 */
export function ImportButton({ folder }: { folder: string | null }) {
  const { mutate, isPending } = useImport(folder)
  const isOver = useFileDrop(mutate)
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => chooser.current?.click()} disabled={isPending}>
        <FileUp size={16} aria-hidden />
        {isPending ? t('Importing…') : t('Import')}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={acceptedTexts}
        aria-label={t('Files to import')}
        onChange={({ target }) => {
          mutate({ files: [...(target.files ?? [])], folders: [] })
          // Otherwise the same file couldn't be chosen again.
          target.value = ''
        }}
      />
      {isOver && <DropNotice />}
    </>
  )
}

function DropNotice() {
  return (
    <div aria-hidden className="pointer-events-none fixed inset-0 z-40 bg-page/90 p-4">
      <div className="flex h-full flex-col items-center justify-center gap-2 rounded-xl border-2 border-dashed border-accent text-accent">
        <FileUp size={28} />
        <p className="font-medium">{t('Drop Markdown or text files to import them')}</p>
      </div>
    </div>
  )
}
