import type { User } from '@copydesk/protocol'
import type { FindRunAccess, RunCredentialRow } from '../../rights/access.ts'
import type { People } from '../../auth/people.ts'
import { allows } from '../../common/identity.ts'
import { concerns, type Signals } from '../../common/signals.ts'

/** The access of a run to its document on behalf of its caller, kept up to date until `stop`. */
export type CallerRight = {
  readonly user: User | undefined
  /** Whether the run may change the text; if not, its changes are suggestions. */
  readonly canEdit: boolean
  /** Whether it may comment and suggest; if not, it may only read. */
  readonly canComment: boolean
  stop(): void
}

export type CallerRightDeps = { people: People; runAccess: FindRunAccess; signals: Signals }

type Reactions = {
  /** Called when the caller may no longer call the agent in this document, or the credential of the run has ended. */
  onGone: () => void
  /** Called when the caller may only comment and suggest from now on. */
  onLowered: () => void
  onError: (error: unknown) => void
}

/**
 * Follows the rights of a run. Subscribes to signals before the first lookup, so that no change is missed. Rejects if
 * the first lookup fails; if a later lookup fails, the right counts as gone.
 */
export async function followCallerRight(
  run: RunCredentialRow,
  { people, runAccess, signals }: CallerRightDeps,
  { onGone, onLowered, onError }: Reactions,
): Promise<CallerRight> {
  let user: User | undefined
  let canEdit = false
  let canComment = false
  let begun = 0
  let newest = 0
  const refresh = async (): Promise<void> => {
    const own = ++begun
    const person = await people.find(run.invoked_by)
    const found = person && (await runAccess(run))
    // The store may answer two lookups out of order.
    if (own < newest) return
    newest = own
    user = person
    const couldEdit = canEdit
    const couldComment = canComment
    canEdit = allows(found, 'write')
    canComment = allows(found, 'comment')
    // The run's tools were selected for more access: an agent that may still read needs a new run.
    if (found === undefined || (couldComment && !canComment)) onGone()
    else if (couldEdit && !canEdit) onLowered()
  }
  const stop = signals.subscribe((signal) => {
    if (signal.kind !== 'rights' || !concerns(signal, run.invoked_by, run.document)) return
    refresh().catch((error: unknown) => {
      onError(error)
      onGone()
    })
  })
  try {
    await refresh()
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
    get canComment() {
      return canComment
    },
    stop,
  }
}
