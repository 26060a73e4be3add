import type { User } from '@copydesk/protocol'
import {
  type DocumentUpdate,
  failure,
  type HighlightHandle,
  type HostThread,
  type LiveSelection,
  type Outcome,
  type ProjectHost,
  type ReviewHost,
  type ToolErrorCode,
  type ToolResult,
  localizable,
} from '@copydesk/tools'
import type { Kysely } from 'kysely'
import * as Y from 'yjs'
import { z } from 'zod'
import { RequestError, type Refusal } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import type { RunUndo } from '../../history/run-undo.ts'
import { leaseCheck } from '../../runs/run-lease.ts'
import type { Images } from '../../images/images.ts'
import type { FindRunAccess } from '../../rights/access.ts'
import type { Changes } from '../../review/changes/changes.ts'
import type { Decider } from '../../review/changes/decisions.ts'
import type { Highlights } from '../../review/highlights.ts'
import type { Threads } from '../../review/threads/threads.ts'
import { agentOf } from '../../runs/run-rows.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { RunRow, Tables } from '../../store/tables.ts'
import { encodeSelection } from '../../review/place.ts'
import { listEarlierRuns } from './prompt/earlier-runs.ts'

/** A run's `ReviewHost`, whose answers are as of the last `refresh`. */
export type AgentHost = ReviewHost & {
  /**
   * Reloads threads and the authors of changes. Called before each tool call, because tools read them synchronously.
   */
  refresh(): Promise<void>
  /**
   * Stores the update that integrations receive when the changes suggested by a call are accepted. Must be called after
   * those changes are stored.
   */
  noteResult(result: ToolResult): Promise<void>
}

export type AgentHostDeps = {
  db: Kysely<Tables>
  undo: RunUndo
  threads: Threads
  changes: Changes
  highlights: Highlights
  images: Images
  /** The files of a project, if one is configured and the caller may read it. */
  project: ProjectHost | undefined
  runs: RunStore
  runAccess: FindRunAccess
  now: () => number
  /** Resolves when the server has received all writes of the run; the server looks up text ranges in them. */
  flushed: () => Promise<void>
  showScrollTarget: (target: { position: unknown; select: boolean }) => void
}

/** Details of a tool result whose suggestion integrations receive once it is accepted. */
const SuggestedUpdate = z.object({
  changeIds: z.tuple([z.string()], z.string()),
  update: z.custom<DocumentUpdate>((value) => typeof value === 'object' && value !== null),
})

/**
 * A run's access to data besides the document's text. Threads and comments are written as the agent. Decisions are made
 * as the caller, who needs write access to the document. Every write first checks the run's lease.
 * @throws RunSuperseded if the run has ended or another worker has claimed it; nothing is stored then.
 */
export function createAgentHost(run: RunRow, caller: User | undefined, deps: AgentHostDeps): AgentHost {
  const { document } = run
  const check = leaseCheck(run, deps.runs)
  const agent = agentOf(run)
  let threads: HostThread[] = []
  let hasRuns: boolean | undefined
  let authors: Awaited<ReturnType<typeof deps.changes.authors>> = new Map()
  const refreshThreads = async (): Promise<void> => void (threads = await deps.threads.list(document))
  const changed = async (outcome: { ok: true } | Refusal): Promise<Outcome> => {
    await refreshThreads()
    return toOutcome(outcome)
  }
  return {
    async refresh() {
      await refreshThreads()
      authors = await deps.changes.authors(document)
      hasRuns ??= (await listEarlierRuns(deps.db, run)).length > 0
    },
    async noteResult({ details }) {
      const suggested = SuggestedUpdate.safeParse(details)
      if (!suggested.success) return
      const { changeIds, update } = suggested.data
      await deps.changes.noteUpdate(document, changeIds[0], update, check)
    },
    ...(deps.project === undefined ? {} : { project: deps.project }),
    threads: () => threads,
    thread: (id) => threads.find((each) => each.id === id),
    authorOfChange: (id) => authors.get(id),
    async addThread({ id, comment: commentId, quote, text, range, ...proposed }) {
      await deps.flushed()
      const comment = { id: commentId, author: agent, text, ...proposed, run: run.id }
      return changed(await deps.threads.start(document, id, { quote, selection: toLive(range) }, comment, check))
    },
    async reply(thread, { id, text }) {
      return changed(await deps.threads.reply(document, thread, { id, author: agent, text, run: run.id }, check))
    },
    async setResolved(thread, resolved) {
      return changed(await deps.threads.setResolved(document, thread, resolved, agent, check))
    },
    decide: (ids, decision) => decide(run, caller, ids, decision, deps),
    highlight: (highlight) => show(run, highlight, deps),
    scrollTo: (target) => deps.showScrollTarget(target),
    history: {
      runs: () => listEarlierRuns(deps.db, run),
      hasRuns: () => hasRuns === true,
      undo: (number, step) => undoEarlier(run, caller, number, step, deps),
    },
    async storeImage(url) {
      if (await mayWrite(run, deps)) return deps.images.fetch(document, url, run.invoked_by)
      return failure(
        'denied',
        localizable`A run started by ${run.invoked_by_name} may not add images here.`,
        'Describe the image in a comment.',
      )
    },
  }
}

async function mayWrite(run: RunRow, { runAccess }: AgentHostDeps): Promise<boolean> {
  return allows(await runAccess(run), 'write')
}

async function decide(
  run: RunRow,
  caller: User | undefined,
  ids: readonly string[],
  decision: 'accept' | 'reject',
  deps: AgentHostDeps,
): Promise<Outcome> {
  const { document, invoked_by_name: name } = run
  if (!caller || !(await mayWrite(run, deps))) {
    const hint = 'Say that an editor or owner can accept or reject them.'
    return failure('denied', localizable`A run started by ${name} may not decide on changes in this document.`, hint)
  }
  await deps.flushed()
  const by: Decider = { id: caller.id, name: caller.name, kind: 'person', run: run.id }
  const check = leaseCheck(run, deps.runs)
  // A call that is repeated after its worker was killed may have been executed already.
  const done = await deps.changes.decidedBy(document, ids, decision, by)
  const left = ids.filter((id) => !done.has(id))
  const [only] = left
  if (only === undefined) return { ok: true }
  if (left.length === 1) return toOutcome(await deps.changes.decide(document, only, decision, by, check))
  return toOutcome(await deps.changes.decideAll(document, decision, by, { ids: left }, check))
}

async function undoEarlier(
  run: RunRow,
  caller: User | undefined,
  number: number,
  step: number | undefined,
  deps: AgentHostDeps,
): Promise<Outcome> {
  const { document, invoked_by_name: name } = run
  if (!caller || !(await mayWrite(run, deps))) {
    return failure(
      'denied',
      localizable`A run started by ${name} may not undo changes here.`,
      'Say that an editor can undo them.',
    )
  }
  const earlier = (await listEarlierRuns(deps.db, run)).find((each) => each.number === number)
  const stepId = step === undefined ? undefined : earlier?.stepIds[step - 1]
  if (!earlier || (step !== undefined && stepId === undefined)) {
    return failure('not_found', `There is no such run or step.`, 'read_history lists them.')
  }
  await deps.flushed()
  // A call that is repeated after its worker was killed may have been executed already.
  const done = step === undefined ? earlier.undone : earlier.steps[step - 1]?.undone
  if (done) return { ok: true }
  try {
    const asked = { kind: 'undo' as const, ...(stepId === undefined ? {} : { step: stepId }) }
    await deps.undo.change(document, earlier.id, asked, caller, leaseCheck(run, deps.runs))
    return { ok: true }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return failure(error.code === 'unavailable' ? 'unavailable' : 'invalid_operation', error.message, error.hint ?? '')
  }
}

async function show(
  run: RunRow,
  { id, range, color, durationMs }: Parameters<ReviewHost['highlight']>[0],
  deps: AgentHostDeps,
): Promise<HighlightHandle> {
  await deps.flushed()
  const now = deps.now()
  const highlight = {
    id,
    ...encodeSelection(range),
    color,
    author: agentOf(run),
    invokedBy: run.invoked_by,
    run: run.id,
    createdAt: new Date(now).toISOString(),
    ...(durationMs === undefined ? {} : { expiresAt: new Date(now + durationMs).toISOString() }),
  }
  await deps.highlights.show(run.document, highlight, leaseCheck(run, deps.runs))
  return { ok: true, remove: async () => void (await deps.highlights.dismiss(run.document, id, run.invoked_by)) }
}

function toLive({ anchor, head }: { anchor: unknown; head: unknown }): LiveSelection {
  return { anchor: Y.createRelativePositionFromJSON(anchor), head: Y.createRelativePositionFromJSON(head) }
}

const toolCodes: Partial<Record<Refusal['code'], ToolErrorCode>> = {
  not_found: 'not_found',
  ambiguous: 'ambiguous',
  conflict: 'stale',
  too_large: 'too_large',
  invalid_input: 'invalid_operation',
}

function toOutcome(outcome: { ok: true } | Refusal): Outcome {
  if (outcome.ok) return { ok: true }
  return failure(toolCodes[outcome.code] ?? 'unavailable', outcome.message, outcome.hint)
}
