import type { Caller } from '../auth/callers.ts'
import type { Sender } from './sender.ts'
import type { Identity } from './presence.ts'

/** How the agent appears to users. */
export const agentIdentity = { id: 'agent', name: 'Agent', color: '#6d28d9' } as const

/** The actor of writes by the server itself; not an author of content. */
export const serverActor = 'server'

/** The identity of a caller in awareness. */
export function identityOf(caller: Caller): Identity {
  if (caller.kind === 'person') return { ...caller.user, kind: 'person' }
  return { ...agentIdentity, kind: 'agent', runId: caller.run, invokedBy: caller.invokedBy.id }
}

/** The sender stored in the log for a caller: the person, or the run and the epoch in which it writes. */
export function senderOf(caller: Caller, key?: string): Sender {
  if (caller.kind === 'run') return { actor: agentIdentity.id, run: caller.run, epoch: caller.epoch }
  const { user, link, apiKey } = caller
  return { actor: user.id, run: null, epoch: null, key, link, apiKey }
}
