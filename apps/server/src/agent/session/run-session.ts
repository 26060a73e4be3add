import type { Toolbox } from '@copydesk/agent'
import { createDocumentSession, type DocumentSession, type Localizable, localizable } from '@copydesk/tools'
import type { Logger } from 'pino'
import type { AgentSettings } from '../../agent-settings/agent-settings.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Tokens } from '../../auth/tokens.ts'
import { agentIdentity } from '../../common/identity.ts'
import { isFromOutside } from '../../runs/outside-runs.ts'
import { agentOf } from '../../runs/run-rows.ts'
import type { DocumentTransactions } from '../../store/log/document-transactions.ts'
import type { AgentRow, RunRow } from '../../store/tables.ts'
import type { Web } from '../../web/web.ts'
import { type AgentHost, type AgentHostDeps, createAgentHost } from './agent-host.ts'
import { type CallerRight, type CallerRightDeps, followCallerRight } from './caller-right.ts'
import type { DocumentMutex, Ticket } from './document-mutex.ts'
import { createLateKeys, createLiveWriting, endWriting, type LiveWriting } from './live-writing.ts'
import { createOutsideText, egressFor } from './outside-text.ts'
import { type AbortReason, flushWithinMs, openPeer, type Peer } from './peer.ts'
import { presenceFor, systemPrompt } from './prompt/prompt-context.ts'
import { isGuest, openProject, type RunProjectDeps } from './run-project.ts'
import { type Receipts, revertLeftCalls, watchReceipts } from './run-receipts.ts'
import { offerOutgoing, type OutgoingToolsDeps, toolsFor, toolsOf } from './tools/offered-tools.ts'
import { createToolbox } from './tools/toolbox.ts'

// Long enough for users to see the position of a quick change.
const lingerMs = 2000

export type RunSessionDeps = Omit<AgentHostDeps, 'flushed' | 'showScrollTarget' | 'project'> &
  CallerRightDeps &
  OutgoingToolsDeps &
  RunProjectDeps & {
    writer: DocumentTransactions
    web: Web
    tokens: Tokens
    agents: Pick<Agents, 'find'>
    /** The mutex with which the runs of this worker serialize their changes of a document. */
    turns: DocumentMutex
    /** The address of `/collab`, where the agent joins documents as a peer. */
    collabUrl: string
    agentSettings: AgentSettings
    /** Monotonic clock for durations, in milliseconds. */
    elapsed: () => number
    logger: Logger
  }

/** A run's session in a document: its peer, its document session, and the tools that work on it. */
export type RunSession = {
  readonly toolbox: Toolbox
  /** Shows that the model is generating an answer, whose calls all text read so far may influence. */
  answerStarted(): void
  systemPrompt(): string
  /** The meaning of the block numbers that the model has seen, to store with the run. */
  coordinates(): unknown
  /** Whether the document has, or had, receipts of this run. */
  hasReceipts(): boolean
  showActivity(activity: Localizable, tool?: string): void
  /** The calls that the model is writing into the document now. */
  readonly writing: LiveWriting
  /**
   * Removes the previews of calls that will not be executed, and waits briefly for the typing of users in blocks that
   * were just replaced; resolves when the result is on disk.
   */
  endWriting(): Promise<void>
  /** Leaves the document; immediately if the run waits for users. */
  close(isWaiting?: boolean): void
}

/**
 * Joins the run's document and opens a session on it, with the run's stored state if it is resumed. After a failure,
 * leaves the document before it throws.
 */
export async function openRunSession(
  run: RunRow,
  controller: AbortController,
  receipts: Receipts,
  deps: RunSessionDeps,
): Promise<RunSession> {
  const agent = run.agent === null ? undefined : await deps.agents.find(run.agent)
  const peer = await joinDocument(run, agent, controller, deps)
  try {
    return await createRunSession(peer, run, agent, controller, receipts, deps)
  } catch (error) {
    peer.close()
    throw error
  }
}

async function createRunSession(
  peer: Peer,
  run: RunRow,
  agent: AgentRow | undefined,
  controller: AbortController,
  receipts: Receipts,
  deps: RunSessionDeps,
): Promise<RunSession> {
  const { id, document, invoked_by: invokedBy } = run
  const { signal } = controller
  const hasReceipts = watchReceipts(peer, receipts.receiptPrefix)
  await revertLeftCalls(peer, run, signal, receipts, deps)
  // Users have seen the highlights of the caller's earlier runs.
  await deps.highlights.clearFor(run)
  let discardWriting = (): void => undefined
  // A call that is being written when the caller loses write access was intended as an edit, so it is discarded.
  const right = await followRight(run, controller, deps, () => discardWriting())
  const outside = await createOutsideText(run, deps.db)
  const settings = await deps.agentSettings.forRun(invokedBy)
  const host = await openHost(peer, run, right, signal, deps)
  const session = createDocumentSession({
    doc: peer.doc,
    origin: { run: id },
    get mode() {
      return right.canEdit ? run.mode : 'suggest'
    },
    caller: { id: invokedBy, name: run.invoked_by_name },
    ...(run.trigger_kind === 'mention' ? { request: run.trigger_id } : {}),
    ...presenceFor(run, peer),
    host,
    // If the caller may only comment, `mode` is `suggest`.
    canEdit: true,
    limits: settings.limits,
    ...egressFor(run, right, outside),
    ...(run.coordinates === null ? {} : { coordinates: JSON.parse(run.coordinates) as unknown }),
  })
  session.onCommit((cursor) => peer.showCursor(cursor))
  const lateKeys = createLateKeys(session, signal, deps.elapsed)
  const ticket = deps.turns.join(document, peer.doc, () => peer.flushed(AbortSignal.timeout(flushWithinMs)))
  const outgoing = await offerOutgoing(run, right, await isGuest(run, deps), toolsOf(agent), deps)
  const tools = outgoing.allowed(toolsFor(right, host))
  const writing = createLiveWriting(session, tools, ticket, receipts, deps)
  discardWriting = () => void writing.discardAll()
  return {
    toolbox: outgoing.addTo(
      createToolbox({ tools, session, host, peer, ticket, receipts, writing, writer: deps.writer, outside, outgoing }),
      outside,
      session.limits.readCharacters,
    ),
    writing,
    endWriting: () => endWriting(writing, lateKeys, peer, signal),
    answerStarted() {
      outside.answerStarted()
      peer.showActivity(isFromOutside(run) ? localizable`Connected` : localizable`Thinking…`)
    },
    systemPrompt: () =>
      systemPrompt(run, agent, tools, session, peer, deps.project !== undefined, settings, outgoing.missing),
    coordinates: () => session.coordinates(),
    hasReceipts,
    showActivity: (activity, tool) => peer.showActivity(activity, tool),
    close: (isWaiting = false) => leave({ right, session, ticket, peer }, signal, isWaiting),
  }
}

function leave(
  { right, session, ticket, peer }: { right: CallerRight; session: DocumentSession; ticket: Ticket; peer: Peer },
  signal: AbortSignal,
  isWaiting: boolean,
): void {
  right.stop()
  session.close()
  ticket.leave()
  peer.showActivity(isWaiting ? localizable`Waiting for approval` : localizable`Done`)
  peer.close(signal.aborted || isWaiting ? 0 : lingerMs)
}

async function openHost(
  peer: Peer,
  run: RunRow,
  { user }: CallerRight,
  signal: AbortSignal,
  deps: RunSessionDeps,
): Promise<AgentHost> {
  const { flushed, showScrollTarget } = peer
  const project = await openProject(run, peer, signal, deps)
  const host = createAgentHost(run, user, { ...deps, project, flushed: () => flushed(signal), showScrollTarget })
  await host.refresh()
  return { ...host, web: deps.web.forRun(signal) }
}

function followRight(run: RunRow, controller: AbortController, deps: RunSessionDeps, onLowered: () => void) {
  return followCallerRight(run, deps, {
    onGone: () => controller.abort('revoked' satisfies AbortReason),
    onLowered,
    onError: (error) => deps.logger.error({ err: error, run: run.id }, 'the rights of a run could not be checked'),
  })
}

async function joinDocument(
  run: RunRow,
  agent: AgentRow | undefined,
  controller: AbortController,
  { collabUrl, tokens }: RunSessionDeps,
): Promise<Peer> {
  const { id, document, epoch, invoked_by: invokedBy } = run
  const identity = { ...agentIdentity, ...agentOf(run), ...(agent && { color: agent.color }) }
  const token = await tokens.issue({ kind: 'run', run: id, epoch, document, invokedBy, agent: identity })
  return openPeer({ collabUrl, token, document, controller })
}
