import { FileUp } from 'lucide-react'
import { useRef, useEffect, useEffectEvent, useState } from 'react'
import {
  acceptedTexts,
  type Dropped,
  isTextFile,
  namesOf,
  readDropped,
  readTextFile,
} from '../../common/files/text-files.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/client.ts'
import { createDocument } from '../../api/documents.ts'
import { bringsFiles } from '../../common/files/brings-files.ts'
import { documentPath, navigate } from '../../common/location.tsx'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import { refreshDocuments } from '../data/use-document-list.ts'

/**
 * Imports files into a folder: those that are chosen by its button, and those that are dropped anywhere on the page.
 */
export function ImportButton({ folder }: { folder: string | null }) {
  const { mutate, isPending } = useImport(folder)
  const isOver = useFileDrop(mutate)
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button className="max-sm:w-10 max-sm:px-0" onClick={() => chooser.current?.click()} disabled={isPending}>
        <FileUp size={16} aria-hidden />
        <span className="max-sm:sr-only">{isPending ? t('Importing…') : t('Import')}</span>
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

/**
 * Creates a document from each Markdown or text file, in their order, in a folder (with null in none); a single one is
 * opened. Reports for all other files why they aren't imported.
 */
function useImport(folder: string | null) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ files, folders }: Dropped) => {
      const others = files.filter((file) => !isTextFile(file)).map(({ name }) => name)
      if (others.length + folders.length > 0) showError(refusalOf([...others, ...folders], folders.length > 0))
      const made: string[] = []
      try {
        for (const file of files.filter(isTextFile)) {
          const read = await readTextFile(file)
          if (read.ok) made.push((await createDocument({ markdown: read.text, folder })).id)
          else showError(new ApiError(read.code, read.message, read.hint))
        }
      } finally {
        await refreshDocuments(queryClient)
        if (made.length > 1) showToast(t('Imported {count, number} documents.', { count: made.length }))
      }
      return made
    },
    onSuccess: ([first, ...more]) => {
      if (first !== undefined && more.length === 0) navigate(documentPath(first))
    },
    onError: showError,
  })
}

function refusalOf(names: readonly string[], hasFolders: boolean): ApiError {
  const hint = hasFolders
    ? t('Drop the files of a folder instead of the folder.')
    : t('Documents can be made of Markdown and text files. Images are added in a document.')
  return new ApiError('unsupported_media_type', t('{names} can’t be imported.', { names: namesOf(names) }), hint)
}

/** Calls `onDrop` with files that are dropped anywhere on the page. Returns whether files are dragged over it. */
function useFileDrop(onDrop: (dropped: Dropped) => void): boolean {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(true)
    }
    // When the pointer moves between elements of the page, another element is entered.
    const onDragLeave = (event: DragEvent) => void (event.relatedTarget === null && setOver(false))
    const onDropped = (event: DragEvent) => {
      setOver(false)
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
      drop(readDropped(event.dataTransfer))
    }
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('dragleave', onDragLeave)
    document.addEventListener('drop', onDropped)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('dragleave', onDragLeave)
      document.removeEventListener('drop', onDropped)
    }
  }, [])
  return isOver
}
