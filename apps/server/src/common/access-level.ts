import { Access } from '@copydesk/protocol'

export type { Access }

/** Whether access `has` includes access `need`; false when `has` is undefined. */
export function allows(has: Access | undefined, need: Access): boolean {
  return has !== undefined && Access.options.indexOf(has) >= Access.options.indexOf(need)
}

/** The lower of a user's own access and the limit of their API key; `has` where there is no limit. */
export function atMost(has: Access, limit: Access | undefined): Access {
  return limit === undefined || allows(limit, has) ? has : limit
}
