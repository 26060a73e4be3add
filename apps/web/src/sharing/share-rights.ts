import { type Access, type LinkRole, type Member, Role } from '@copydesk/protocol'
import type { EnglishText } from '../i18n/translate.ts'
import { dayMs } from '../common/relative-time.ts'

export const roleNames: Readonly<Record<Role, EnglishText>> = {
  owner: 'Owner',
  editor: 'Editor',
  commenter: 'Commenter',
  viewer: 'Viewer',
}

/** The roles that a link can grant, weakest first. */
export const linkRoles: readonly LinkRole[] = ['viewer', 'commenter', 'editor']

/** Whether this access includes the right to share the document; the server applies the same rule. */
export function mayShare(access: Access, editorsShare: boolean): boolean {
  return access === 'manage' || (access === 'write' && editorsShare)
}

/** The roles that a user with this access can grant to others: only owners can grant ownership. */
export function rolesToGive(access: Access): readonly Role[] {
  return access === 'manage' ? Role.options : Role.options.filter((role) => role !== 'owner')
}

/**
 * The possible changes to a listed person: another role from a list, or removal. Editors who may share (`shares`) raise
 * roles and never lower them; guests have their link's role.
 */
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

export type LinkDuration = 'day' | 'week' | 'month' | 'ever'

const days: Readonly<Record<Exclude<LinkDuration, 'ever'>, number>> = { day: 1, week: 7, month: 30 }

/** When a link created now would expire; null for never. */
export function expiryOf(duration: LinkDuration, now: Date): string | null {
  if (duration === 'ever') return null
  return new Date(now.getTime() + days[duration] * dayMs).toISOString()
}
