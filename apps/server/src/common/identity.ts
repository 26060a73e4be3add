import { Access } from '@copydesk/protocol'

/** How an agent appears to users. */
export type AgentIdentity = { id: string; name: string; color: string }

/** How the default agent appears to users. Its id is also the actor of all updates that agents write. */
export const agentIdentity = { id: 'agent', name: 'Agent', color: '#6d28d9' } as const satisfies AgentIdentity

/** The actor of writes by the server itself; not an author of content. */
export const serverActor = 'server'

/** The sender of an update: the fields that the log stores, and the page's key. */
export type Sender = {
  actor: string
  run: string | null
  epoch: number | null
  /** The share link of a guest. */
  link?: string | undefined
  /** Proves that a page that continues under another account is the same page, see `ClientIds`. */
  key?: string | undefined
  /** The id of the API key if a program sends the update. */
  apiKey?: string | undefined
}

/** The key of a group that shares limits: a person, a run, or all guests of one link. */
export function groupOf({ actor, run, link }: Pick<Sender, 'actor' | 'run' | 'link'>): string {
  return link !== undefined && run === null ? `link:${link}` : writerOf({ actor, run })
}

/** The writer as one string: a person's id, or `run:` and the run's id. */
export function writerOf({ actor, run }: Pick<Sender, 'actor' | 'run'>): string {
  return run === null ? actor : `run:${run}`
}

export type { Access }

/** Whether access `has` includes access `need`; false when `has` is undefined. */
export function allows(has: Access | undefined, need: Access): boolean {
  return has !== undefined && Access.options.indexOf(has) >= Access.options.indexOf(need)
}

/** The lower of a user's own access and the limit of their API key; `has` where there is no limit. */
export function atMost(has: Access, limit: Access | undefined): Access {
  return limit === undefined || allows(limit, has) ? has : limit
}
