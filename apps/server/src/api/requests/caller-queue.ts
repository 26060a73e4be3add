import { Mutex } from 'async-mutex'
import type { Caller } from '../../auth/callers.ts'
import { RequestError } from '../../common/errors.ts'
import type { Access } from '../../common/identity.ts'
import { type ApiDeps, stillAllowed } from './context.ts'

/**
 * Runs `work` that occupies a shared thread for long. The tasks of one person run sequentially, so other people wait
 * for at most one of them.
 * @throws RequestError `rate_limited` when too many tasks of the person are queued.
 */
export type RunQueued = <T>(person: string, work: () => Promise<T>) => Promise<T>

/** A caller queue that checks access again right before the work runs. @throws RequestError as `stillAllowed`, too. */
export function queueOfCallers(most: number, deps: Pick<ApiDeps, 'access'>) {
  const runQueued = createCallerQueue(most)
  return <T>(caller: Caller & { kind: 'person' }, document: string, need: Access, work: () => Promise<T>): Promise<T> =>
    runQueued(caller.user.id, async () => {
      await stillAllowed(deps, caller, document, need)()
      return work()
    })
}

/** A queue per person with at most `most` tasks, running or waiting. People without tasks use no memory. */
export function createCallerQueue(most: number): RunQueued {
  const lines = new Map<string, { count: number; mutex: Mutex }>()
  return async (person, work) => {
    const line = lines.get(person) ?? { count: 0, mutex: new Mutex() }
    if (line.count >= most) {
      const message = `${most} of your long-running requests are waiting already.`
      throw new RequestError('rate_limited', message, 'Send the next one when one of them has been answered.')
    }
    lines.set(person, line)
    line.count += 1
    try {
      return await line.mutex.runExclusive(work)
    } finally {
      line.count -= 1
      if (line.count === 0) lines.delete(person)
    }
  }
}
