import { type ReactNode, useState } from 'react'
import { describeError } from '../api/client.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './fields/field.tsx'
import { Form } from './fields/form.tsx'

type NameDialogProps = {
  title: string
  label: string
  action: string
  /** The text of the button that removes the current name; without it a name is required. */
  removal?: string
  placeholder?: string
  /** The current name. */
  name: string
  maxLength: number
  request: { isPending: boolean; error: Error | null }
  opener: HTMLElement | null
  onSubmit: (name: string) => void
  onClose: () => void
  /** Information about the name. */
  children?: ReactNode
}

/** Asks for a name; remains open with the error if the server refuses it. Returns the focus to `opener`. */
export function NameDialog(props: NameDialogProps) {
  const { title, action, removal, name: before, request, opener, onSubmit, onClose, children, ...field } = props
  const [name, setName] = useState(before)
  const wanted = name.trim()
  const isRemoval = removal !== undefined && wanted === '' && before !== ''
  const submit = () => (wanted === before ? onClose() : onSubmit(wanted))
  return (
    <Dialog title={title} onClose={onClose} returnFocusTo={opener}>
      <Form
        frame="dialog"
        save={isRemoval ? removal : action}
        saving={{ mutate: submit, isPending: request.isPending, error: null }}
        canSave={wanted !== '' || isRemoval}
        onCancel={onClose}
      >
        <Field
          {...field}
          value={name}
          dir="auto"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
          problem={request.error ? describeError(request.error) : undefined}
        />
        {children}
      </Form>
    </Dialog>
  )
}
