import type { User } from '@copydesk/protocol'
import type { RunCredentialRow } from '../access.ts'
import { allows } from '../access-level.ts'
import { concerns } from '../signals.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

/** What a run may do with its document for whoever started it, kept up to date until `stop`. */
export type CallerRight = {
  readonly user: User | undefined
  /** Whether it may change the text; if not, what it changes are suggestions. */
  readonly canEdit: boolean
  stop(): void
}

type Reactions = {
  /** They may not call the agent there any more, or what they started it with has ended. */
  onGone: () => void
  /** They may only comment and suggest from now on. */
  onLowered: () => void
  onTrouble: (error: unknown) => void
}

/**
 * Follows what a run may do. Signals are listened to before the first look, so that no change falls between.
 * Rejects if the first look fails; what can't be looked at later counts as gone.
 */
export async function followCallerRight(
  run: RunCredentialRow,
  { people, runAccess, signals }: Pick<RunWorkerDeps, 'people' | 'runAccess' | 'signals'>,
  { onGone, onLowered, onTrouble }: Reactions,
): Promise<CallerRight> {
  let user: User | undefined
  let canEdit = false
  let begun = 0
  let newest = 0
  const look = async (): Promise<void> => {
    const own = ++begun
    const person = await people.find(run.invoked_by)
    const found = person && (await runAccess(run))
    // The store may answer two looks in another order than that in which they began.
    if (own < newest) return
    newest = own
    user = person
    const couldEdit = canEdit
    canEdit = allows(found, 'write')
    if (found === undefined) onGone()
    else if (couldEdit && !canEdit) onLowered()
  }
  const stop = signals.subscribe((signal) => {
    if (signal.kind !== 'rights' || !concerns(signal, run.invoked_by, run.document)) return
    look().catch((error: unknown) => {
      onTrouble(error)
      onGone()
    })
  })
  try {
    await look()
  } catch (error) {
    stop()
    throw error
  }
  return {
    get user() {
      return user
    },
    get canEdit() {
      return canEdit
    },
    stop,
  }
}
