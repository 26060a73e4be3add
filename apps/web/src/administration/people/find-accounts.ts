import type { AccountPerson } from '@copydesk/protocol'

/**
 * The accounts whose name or address contains `search`: the user's own first, then by name in the order of `locale`.
 */
export function findAccounts(
  people: readonly AccountPerson[],
  self: string,
  search: string,
  locale: string,
): AccountPerson[] {
  const wanted = search.trim().toLocaleLowerCase(locale)
  const isSelf = ({ user }: AccountPerson) => Number(user.id === self)
  return people
    .filter(({ user, email }) => `${user.name} ${email ?? ''}`.toLocaleLowerCase(locale).includes(wanted))
    .toSorted((a, b) => isSelf(b) - isSelf(a) || a.user.name.localeCompare(b.user.name, locale))
}
