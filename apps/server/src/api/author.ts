import type { Author, User } from '@copydesk/protocol'

/** A person as the author of a message or comment. */
export function authorOf({ id, name }: User): Author {
  return { id, name, kind: 'person' }
}
