/** What a caller may do with a document: `write` its content, `comment` on it, ask its agent and suggest changes, or only `read` it. */
export type Access = 'write' | 'comment' | 'read'

const ranks: Record<Access, number> = { read: 0, comment: 1, write: 2 }

/** Whether somebody who may do `has` may do what needs `need`. */
export function allows(has: Access, need: Access): boolean {
  return ranks[has] >= ranks[need]
}

/** The lesser of what somebody may do and of what their key allows. */
export function atMost(has: Access, limit: Access | undefined): Access {
  return limit === undefined || allows(limit, has) ? has : limit
}
