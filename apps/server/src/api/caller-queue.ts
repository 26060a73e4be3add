import type { Access } from '../access-level.ts'
import type { Caller } from '../auth/callers.ts'
import { RequestError } from '../errors.ts'
import { type ApiDeps, stillAllowed } from './context.ts'

/**
 * Does what takes a thread long that everybody shares. One thing after the other for each person: with however many a person comes at
 * once, others wait for one of them. Rejects with RequestError `rate_limited` where too many of theirs wait.
 */
export type InTurn = <T>(person: string, work: () => Promise<T>) => Promise<T>

/** The same for who is calling, whose right is looked at again when it is their turn; rejects as `stillAllowed` does, too. */
export function queueOfCallers(most: number, deps: Pick<ApiDeps, 'access'>) {
  const inTurn = createCallerQueue(most)
  return <T>(caller: Caller & { kind: 'person' }, document: string, need: Access, work: () => Promise<T>): Promise<T> =>
    inTurn(caller.user.id, async () => {
      await stillAllowed(deps, caller, document, need)()
      return work()
    })
}

/** Counts turns by person, of whom `most` may be waiting at once. Whoever has none costs nothing. */
export function createCallerQueue(most: number): InTurn {
  const lines = new Map<string, { count: number; last: Promise<unknown> }>()
  return async (person, work) => {
    const line = lines.get(person) ?? { count: 0, last: Promise.resolve() }
    if (line.count >= most) {
      const message = `${most} requests of yours that take long are waiting already.`
      throw new RequestError('rate_limited', message, 'Send the next when one of them is answered.')
    }
    lines.set(person, line)
    line.count += 1
    const done = line.last.then(work)
    line.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      line.count -= 1
      if (line.count === 0) lines.delete(person)
    }
  }
}
