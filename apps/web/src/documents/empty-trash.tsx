import { Trash2 } from 'lucide-react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { openDialog } from './folders/dialogs.ts'

/** Deletes everything in the trash that the user owns, after a question. */
export function EmptyTrash() {
  return (
    <Button look="danger" onClick={() => openDialog({ kind: 'empty-trash' })}>
      <Trash2 size={16} aria-hidden />
      {t('Empty trash')}
    </Button>
  )
}
