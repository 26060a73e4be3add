import { type FormEvent, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'

type NameDialogProps = {
  title: string
  label: string
  action: string
  /** The present name. */
  name: string
  maxLength: number
  request: { isPending: boolean; isError: boolean; error: Error | null }
  opener: HTMLElement | null
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for a name; stays open with the error if the server refuses it. Returns the focus to `opener`. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, action, name: before, maxLength, request, opener, onSubmit, onClose } = props
  const [name, setName] = useState(before)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === before) onClose()
    else onSubmit(name.trim())
  }
  return (
    <Dialog title={title} open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <form onSubmit={submit}>
        <Field
          label={label}
          value={name}
          maxLength={maxLength}
          dir="auto"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
          problem={request.isError ? describeError(request.error) : undefined}
        />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" disabled={request.isPending || name.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
