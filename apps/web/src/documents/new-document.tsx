import { FilePlus2 } from 'lucide-react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { ImportButton } from './import/import-button.tsx'
import { useCreateDocument } from './data/use-documents.ts'

/** The ways to create a document in a folder, or with null in none: an empty one, or from files. */
export function NewDocument({ folder }: { folder: string | null }) {
  const create = useCreateDocument()
  return (
    <>
      <ImportButton folder={folder} />
      <Button look="primary" onClick={() => create.mutate({ folder })} disabled={create.isPending}>
        <FilePlus2 size={16} aria-hidden />
        {t('New document')}
      </Button>
    </>
  )
}
