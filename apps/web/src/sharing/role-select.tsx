import type { Role } from '@copydesk/protocol'
import { inputClass } from '../ui/field.tsx'
import { roleNames } from './share-rights.ts'

type RoleSelectProps<R extends Role> = {
  label: string
  value: R
  roles: readonly R[]
  onChange: (role: R) => void
  /** The item below the roles that removes all of them. */
  onRemove?: (() => void) | undefined
  removeLabel?: string
}

const remove = 'remove'

/** Chooses a role. */
export function RoleSelect<R extends Role>(props: RoleSelectProps<R>) {
  const { label, value, roles, onChange, onRemove, removeLabel = 'Remove' } = props
  const choose = (given: string) => {
    if (given === remove) return onRemove?.()
    const role = roles.find((each) => each === given)
    if (role !== undefined) onChange(role)
  }
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => choose(event.target.value)}
      className={`${inputClass} w-32! shrink-0 px-2!`}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleNames[role]}
        </option>
      ))}
      {onRemove && (
        <>
          <hr />
          <option value={remove}>{removeLabel}</option>
        </>
      )}
    </select>
  )
}
