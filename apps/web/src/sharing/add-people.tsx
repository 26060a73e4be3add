import type { Access, KnownPeople, Role } from '@copydesk/protocol'
import { type FormEvent, useId, useState } from 'react'
import { describeError } from '../api/client.ts'
import { type Shared } from '../api/sharing.ts'
import { t } from '../i18n/translate.ts'
import { showToast } from '../ui/toasts/toasts.tsx'
import { Button } from '../ui/button.tsx'
import { inputClass } from '../ui/fields/field.tsx'
import { RoleSelect } from './role-select.tsx'
import { rolesToGive } from './share-rights.ts'
import { useKnownPeople } from './use-known-people.ts'
import { usePutMembers } from './use-sharing.ts'

type Known = KnownPeople['people'][number]

/** Adds a person by address, or by name if the user already shares a document with them. */
export function AddPeople({ shared, access }: { shared: Shared; access: Access }) {
  const id = useId()
  const [text, setText] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [problem, setProblem] = useState<string>()
  const known = useKnownPeople(text)
  const put = usePutMembers(shared, { tells: false })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const member = readPerson(text, known)
    if (!member) {
      return setProblem(t('You don’t share documents with anyone of this name. Enter an e-mail address.'))
    }
    setProblem(undefined)
    put.mutate([{ ...member, role }], {
      onSuccess: () => {
        setText('')
        showToast(describeAdded(text.trim(), 'id' in member, shared))
      },
      onError: (error) => setProblem(describeError(error)),
    })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t('Add people')}
      </label>
      <div className="flex flex-wrap gap-2 max-sm:[&>:last-child]:ms-auto max-sm:[&>[role=combobox]]:-ms-2.5">
        <input
          id={id}
          list={`${id}-known`}
          value={text}
          autoComplete="off"
          placeholder={t('Name or e-mail address')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onChange={(event) => setText(event.target.value)}
          className={`${inputClass} min-w-40 flex-1 basis-full sm:basis-40 [&::-webkit-calendar-picker-indicator]:hidden!`}
        />
        <datalist id={`${id}-known`}>
          {known.map((person) => (
            <option key={person.id} value={person.email ?? person.name}>
              {person.name}
            </option>
          ))}
        </datalist>
        <RoleSelect label={t('Role of the added people')} value={role} roles={rolesToGive(access)} onChange={setRole} />
        <Button look="primary" type="submit" disabled={put.isPending || text.trim() === ''}>
          {t('Add')}
        </Button>
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </form>
  )
}

// Only the list shows whether an address already belongs to an account.
function describeAdded(name: string, isKnown: boolean, { kind }: Shared): string {
  if (!isKnown) return t('Shared with {name}.', { name })
  return kind === 'folder'
    ? t('{name} can open this folder now.', { name })
    : t('{name} can open this document now.', { name })
}

/** Reads a text as a person: an address, or the only known person of this name. */
function readPerson(text: string, known: readonly Known[]): { id: string } | { email: string } | undefined {
  const wanted = text.trim()
  if (/^\S+@\S+$/.test(wanted)) return { email: wanted }
  const found = known.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const [only] = found
  return only && found.length === 1 ? { id: only.id } : undefined
}
