import { type FormEvent, useState } from 'react'
import { describeError } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { useNaming } from './use-versions.ts'

type NameDialogProps = {
  document: string
  version: string
  name: string
  opener: HTMLElement | null
  onClose: () => void
  onNamed: (id: string) => void
}

/** Asks for the name of a version; an empty one removes the version's name. */
export function NameDialog({ document, version, name: before, opener, onClose, onNamed }: NameDialogProps) {
  const [name, setName] = useState(before)
  const naming = useNaming(document)
  const wanted = name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wanted === before) return onClose()
    const onSuccess = ({ id }: { id: string }) => {
      onNamed(id)
      onClose()
    }
    naming.mutate({ version, name: wanted === '' ? null : wanted }, { onSuccess })
  }
  return (
    <Dialog title="Name this version" open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          value={name}
          maxLength={120}
          dir="auto"
          placeholder="Draft for the board"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
          problem={naming.isError ? describeError(naming.error) : undefined}
        />
        <p className="mt-2 text-sm text-ink-soft">Versions with a name are kept for as long as the document is.</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={naming.isPending || (wanted === '' && before === '')}>
            {wanted === '' && before !== '' ? 'Take the name away' : 'Name it'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
