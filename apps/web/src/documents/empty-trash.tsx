import { Trash2 } from 'lucide-react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { openDialog } from './folders/dialogs.ts'

/** Deletes all documents in the trash that the user owns, after a confirmation. */
export function EmptyTrash() {
  return (
    <Button look="danger" onClick={() => openDialog({ kind: 'empty-trash' })}>
      <Trash2 size={16} aria-hidden />
      {t('Empty trash')}
    </Button>
  )
}
