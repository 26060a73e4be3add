import type { Role } from '@copydesk/protocol'

/** The display names of roles. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  commenter: 'Commenter',
  viewer: 'Viewer',
}
