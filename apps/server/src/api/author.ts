import type { Author, User } from '@copydesk/protocol'

/** A person as the author of what they say. */
export function authorOf({ id, name }: User): Author {
  return { id, name, kind: 'person' }
}
