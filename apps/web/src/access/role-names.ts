import type { Role } from '@copydesk/protocol'

/** What a role is called where people choose or see one. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  commenter: 'Commenter',
  viewer: 'Viewer',
}
