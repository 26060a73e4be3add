import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { Button } from '../ui/button.tsx'

type FormFrameProps = {
  label: string
  /** The text of the button that saves. */
  save: string
  saving: { mutate: () => void; isPending: boolean; error: Error | null }
  onCancel: () => void
  /** What people should know before they save. */
  note?: ReactNode
  children: ReactNode
}

/** A form in a list of settings: its fields, then what went wrong, and the buttons. */
export function FormFrame({ label, save, saving, onCancel, note, children }: FormFrameProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form
      onSubmit={onSubmit}
      noValidate
      aria-label={label}
      className="grid gap-4 rounded-lg bg-sunken p-4 sm:grid-cols-2"
    >
      {children}
      <div className="flex flex-col items-start gap-3 sm:col-span-2">
        {note}
        <FormProblem text={saving.error ? describeError(saving.error) : undefined} />
        <div className="flex gap-2">
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {save}
          </Button>
          <Button onClick={onCancel}>{t('Cancel')}</Button>
        </div>
      </div>
    </form>
  )
}

/** The texts of a form's fields by their names; `field` connects an input with its text. */
export function useFields<Name extends string>(initial: Readonly<Record<Name, string>>) {
  const [values, setValues] = useState(initial)
  const field = (name: Name) => ({
    value: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setValues({ ...values, [name]: target.value }),
  })
  return { values, field }
}
