import { useState } from 'react'
import { describeError } from '../../api/client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Form } from '../../ui/fields/form.tsx'

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
  const submit = () => {
    if (name.trim() === before) onClose()
    else onSubmit(name.trim())
  }
  return (
    <Dialog title={title} onClose={onClose} returnFocusTo={opener}>
      <Form
        frame="dialog"
        save={action}
        saving={{ mutate: submit, isPending: request.isPending, error: null }}
        canSave={name.trim() !== ''}
        onCancel={onClose}
      >
        <Field
          label={label}
          value={name}
          maxLength={maxLength}
          dir="auto"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
          problem={request.isError ? describeError(request.error) : undefined}
        />
      </Form>
    </Dialog>
  )
}
