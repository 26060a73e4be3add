import { type Access, type LinkRole, type Member, Role } from '@copydesk/protocol'

/** The roles that a link can give, weakest first. */
export const linkRoles: readonly LinkRole[] = ['viewer', 'commenter', 'editor']

/** Whether somebody who may do this much may share the document; the server decides the same. */
export function mayShare(access: Access, editorsShare: boolean): boolean {
  return access === 'manage' || (access === 'write' && editorsShare)
}

/** The roles that somebody who may do this much can give to others: only owners make owners. */
export function rolesToGive(access: Access): readonly Role[] {
  return access === 'manage' ? Role.options : Role.options.filter((role) => role !== 'owner')
}

/** What may be done with a listed person: another role from a list, or none. Editors raise and never lower, where they may share (`shares`); guests have what their link gives. */
export function choicesFor(
  member: Member,
  access: Access,
  self: string,
  shares = true,
): { roles: readonly Role[]; removes: boolean } {
  const isSelf = member.id === self
  if (access === 'manage') return { roles: member.guest ? [member.role] : Role.options, removes: true }
  const isRaisable = shares && !member.guest && !isSelf && member.role !== 'owner'
  const strongest = Role.options.indexOf('editor')
  const own = Role.options.indexOf(member.role)
  const roles = isRaisable ? Role.options.filter((_, index) => index >= strongest && index <= own) : [member.role]
  return { roles, removes: isSelf }
}

/** A choice of how long a link holds, as a point in time; null for ever. */
export type Lasting = 'day' | 'week' | 'month' | 'ever'

const days: Readonly<Record<Exclude<Lasting, 'ever'>, number>> = { day: 1, week: 7, month: 30 }

/** When a link made now would expire. */
export function expiryOf(lasting: Lasting, now: Date): string | null {
  if (lasting === 'ever') return null
  return new Date(now.getTime() + days[lasting] * 24 * 60 * 60 * 1000).toISOString()
}
