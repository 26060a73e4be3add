import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../button.tsx'

type FormProps = {
  /** The action of the form, such as a mutation. */
  saving: { mutate: () => void; isPending: boolean; error: Error | null }
  /** The text of the button that saves. */
  save: string
  canSave?: boolean
  /** Shows a second button, which cancels the form. */
  onCancel?: (() => void) | undefined
  label?: string
  frame?: keyof typeof frames
  /** Information to read before saving. */
  note?: ReactNode
  children?: ReactNode
}

// The classes of the form and of its end.
const frames = {
  /** One column. */
  column: ['flex flex-col gap-4', 'items-start gap-4'],
  /** Groups of fields in one column. */
  groups: ['flex flex-col gap-6', 'items-start gap-6'],
  /** In two columns in wide windows. */
  grid: ['grid gap-4 sm:grid-cols-2', 'items-start gap-3'],
  /** With its own background, in the list that the form belongs to. */
  panel: ['grid gap-4 rounded-lg bg-sunken p-4 sm:grid-cols-2', 'items-start gap-3'],
  /** A panel in three columns. */
  narrowPanel: ['grid gap-4 rounded-lg bg-sunken p-4 sm:grid-cols-3', 'items-start gap-3'],
  /** The content of a dialog. */
  dialog: ['flex flex-col gap-4', 'gap-4'],
  /** The content of an otherwise empty page. */
  card: ['flex flex-col gap-4', 'gap-4'],
} as const

/** A form: its fields, then its error, and the buttons. */
export function Form(props: FormProps) {
  const { saving, save, canSave = true, onCancel, label, frame = 'column', note, children } = props
  const isDialog = frame === 'dialog'
  const cancel = onCancel && <Button onClick={onCancel}>{t('Cancel')}</Button>
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canSave) saving.mutate()
  }
  return (
    <form onSubmit={onSubmit} noValidate aria-label={label} className={frames[frame][0]}>
      {children}
      <div className={`col-span-full flex flex-col ${frames[frame][1]}`}>
        {note}
        <FormProblem text={saving.error ? describeError(saving.error) : undefined} />
        <div className={`flex flex-wrap gap-2 ${isDialog ? 'justify-end' : ''}`}>
          {isDialog && cancel}
          <Button
            look="primary"
            type="submit"
            className={frame === 'card' ? 'w-full' : ''}
            disabled={!canSave || saving.isPending}
          >
            {save}
          </Button>
          {!isDialog && cancel}
        </div>
      </div>
    </form>
  )
}

/** An error that concerns a form as a whole. */
export function FormProblem({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-sm text-danger">
      {text}
    </p>
  )
}

/** The texts of a form's fields by their names; `field` connects an input with its text. */
export function useFields<Name extends string>(initial: Readonly<Record<Name, string>>) {
  const [values, setValues] = useState(initial)
  const field = (name: Name) => ({
    value: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setValues({ ...values, [name]: target.value }),
  })
  return { values, field, setValues }
}
