import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  title: string
  action: string
  request: { isPending: boolean }
  opener: HTMLElement | null
  onConfirm: () => void
  onClose: () => void
  /** What happens. */
  children: ReactNode
}

/** Asks before something that can't be undone, or not easily. */
export function ConfirmDialog({ title, action, request, opener, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <p className="text-sm text-ink-soft">{children}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={request.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
