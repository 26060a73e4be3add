import type { Role } from '@copydesk/protocol'
import { type EnglishText, t } from '../i18n/translate.ts'
import { Select } from '../ui/fields/select.tsx'
import { roleNames } from './share-rights.ts'

type RoleSelectProps<R extends Role> = {
  label: string
  value: R
  roles: readonly R[]
  onChange: (role: R) => void
  /** The item below the roles that removes all of them. */
  onRemove?: (() => void) | undefined
  removeLabel?: string
  className?: string
}

const abilities: Readonly<Record<Role, EnglishText>> = {
  owner: 'Can edit, share and delete',
  editor: 'Can edit',
  commenter: 'Can comment and suggest',
  viewer: 'Can view',
}

export function RoleSelect<R extends Role>(props: RoleSelectProps<R>) {
  const { roles, onRemove, removeLabel = t('Remove'), ...rest } = props
  return (
    <Select
      {...rest}
      options={roles.map((role) => ({ value: role, name: t(roleNames[role]), detail: t(abilities[role]) }))}
      action={onRemove && { name: removeLabel, onSelect: onRemove }}
    />
  )
}
