import { Access } from '@copydesk/protocol'

export type { Access }

/** Whether somebody who may do `has` may do what needs `need`; nobody may without any access. */
export function allows(has: Access | undefined, need: Access): boolean {
  return has !== undefined && Access.options.indexOf(has) >= Access.options.indexOf(need)
}

/** The lesser of what somebody may do and of what their key allows. */
export function atMost(has: Access, limit: Access | undefined): Access {
  return limit === undefined || allows(limit, has) ? has : limit
}
