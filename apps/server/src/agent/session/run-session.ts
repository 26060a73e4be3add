import { setTimeout } from 'node:timers/promises'
import type { Toolbox } from '@copydesk/agent'
import { contentTypes } from '@copydesk/schema'
import {
  catalogue,
  createDocumentSession,
  createNamedAddresses,
  createSpelledOut,
  type DocumentSession,
  type DocumentSessionOptions,
  type Localizable,
  localizable,
  type Need,
  type ProjectHost,
  type Tool,
} from '@copydesk/tools'
import type { Logger } from 'pino'
import type { AgentSettings } from '../../agent-settings/agent-settings.ts'
import { toList } from '../../agents/agent-rows.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Tokens } from '../../auth/tokens.ts'
import { agentIdentity } from '../../common/identity.ts'
import { createRunWriting, isWritable } from '../../file-changes/run-writing.ts'
import { hasOpenCalls } from '../../history/open-calls.ts'
import type { ProjectFiles } from '../../project/project-files.ts'
import { isFromOutside } from '../../runs/outside-runs.ts'
import { checkLease } from '../../runs/run-lease.ts'
import type { DocumentTransactions } from '../../store/log/document-transactions.ts'
import { agentOf } from '../../runs/run-rows.ts'
import type { AgentRow, RunRow } from '../../store/tables.ts'
import type { Web } from '../../web/web.ts'
import { type AgentHost, type AgentHostDeps, createAgentHost } from './agent-host.ts'
import { type CallerRight, type CallerRightDeps, followCallerRight } from './caller-right.ts'
import type { DocumentMutex, Ticket } from './document-mutex.ts'
import { createLiveWriting, type LiveWriting } from './live-writing.ts'
import { showIndexProgress } from './index-progress.ts'
import { openPeer, type Peer } from './peer.ts'
import { presenceFor, systemPrompt } from './prompt/prompt-context.ts'
import { createOutsideText, type OutsideText } from './outside-text.ts'
import { createToolbox, type Receipts } from './tools/toolbox.ts'
import { offerOutgoing, type OutgoingToolsDeps } from './tools/outgoing-tools.ts'

// Long enough for users to see where a quick change was made.
const lingerMs = 2000
const flushWithinMs = 2000
// Longer than a keystroke takes from a browser to the server.
const lateKeysMs = 500

/**
 * Why a run's execution was aborted from outside. After `shutdown` and `refused` (the server rejects this worker's
 * peer: another worker has the run, or the server can't check right now) the run stays unchanged. After `broken` (the
 * server can't read what the peer sends) and `revoked` (the caller lost the right to call the agent, or the key has
 * ended) it fails.
 */
export type AbortReason = 'stop' | 'timeout' | 'shutdown' | 'refused' | 'revoked' | 'broken'

/** What the session of a run needs from the rest of the server. */
export type RunSessionDeps = Omit<AgentHostDeps, 'flushed' | 'showScrollTarget' | 'project'> &
  CallerRightDeps &
  OutgoingToolsDeps & {
    writer: DocumentTransactions
    web: Web
    tokens: Tokens
    agents: Pick<Agents, 'find'>
    /** The mutex with which the runs of this worker serialize their changes of a document. */
    turns: DocumentMutex
    /** The address of `/collab`, where the agent joins documents as a peer. */
    collabUrl: string
    agentSettings: AgentSettings
    /** The files of the server's project, if it has one. */
    project: Pick<ProjectFiles, 'forRun'> | undefined
    /** Monotonic clock for durations, in milliseconds. */
    elapsed: () => number
    logger: Logger
  }

/** A run's session in a document: its peer, its document session, and the tools that work on it. */
export type RunSession = {
  readonly toolbox: Toolbox
  /** Shows that the model thinks. What was read until now may determine the calls of its next answer. */
  answerStarted(): void
  systemPrompt(): string
  /** The meaning of the block numbers that the model has seen, to store with the run. */
  coordinates(): unknown
  /** Whether the document has, or had, receipts of this run. */
  hasReceipts(): boolean
  showActivity(activity: Localizable, tool?: string): void
  /** The calls that the model is writing into the document at the moment. */
  readonly writing: LiveWriting
  /**
   * Takes back what was shown of calls that will not be executed, and waits briefly for what users are typing into
   * blocks that were just replaced; resolves when that is on disk.
   */
  endWriting(): Promise<void>
  /** Leaves the document; immediately if the run waits for users. */
  close(isWaiting?: boolean): void
}

/**
 * Joins the run's document and opens a session on it, with the run's stored state if it is resumed. If anything fails,
 * the document is left before the error is thrown.
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
  await takeBackLeft(peer, run, signal, receipts, deps)
  // Highlights of the caller's earlier runs have been seen.
  await deps.highlights.clearFor(run)
  let discardWriting = (): void => undefined
  // A call that is being written when the caller loses the right to edit was meant as an edit, so it is discarded.
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

/**
 * What the caller has approved by writing it in the instruction: addresses, and after text from outside also the words
 * of a search. That takes the right to edit, as approving does.
 */
function egressFor(
  run: RunRow,
  right: CallerRight,
  outside: OutsideText,
): Pick<DocumentSessionOptions, 'isNamed' | 'maySearch'> {
  // The instruction of an agent of another program is the server's.
  const instruction = isFromOutside(run) ? '' : run.instruction
  const isNamed = createNamedAddresses(instruction)
  const isSpelledOut = createSpelledOut(instruction)
  return {
    isNamed: (address) => right.canEdit && isNamed(address),
    maySearch: (query) => right.canEdit && (!outside.steers || isSpelledOut(query)),
  }
}

async function endWriting(
  writing: LiveWriting,
  lateKeys: () => Promise<boolean>,
  peer: Peer,
  signal: AbortSignal,
): Promise<void> {
  const hasDiscarded = writing.discardAll()
  // The server accepts nothing more from this peer.
  if (signal.reason === ('revoked' satisfies AbortReason)) return
  if (!(await lateKeys()) && !hasDiscarded) return
  // What can't be flushed now is taken back before the run's end is stored, or when the run is resumed.
  await peer.flushed(AbortSignal.timeout(flushWithinMs)).catch(() => undefined)
}

async function openHost(
  { flushed, showScrollTarget, showActivity }: Peer,
  run: RunRow,
  { user }: CallerRight,
  signal: AbortSignal,
  deps: RunSessionDeps,
): Promise<AgentHost> {
  const opened = await openProject(run, signal, deps)
  const project = opened && showIndexProgress(opened, { showActivity })
  const host = createAgentHost(run, user, { ...deps, project, flushed: () => flushed(signal), showScrollTarget })
  await host.refresh()
  return { ...host, web: deps.web.forRun(signal) }
}

/** The project's files, with the right to change them where the server has it; none for guests. */
async function openProject(run: RunRow, signal: AbortSignal, deps: RunSessionDeps): Promise<ProjectHost | undefined> {
  if (!deps.project || (await isGuest(run, deps))) return undefined
  const project = deps.project.forRun(signal)
  if (!(await isWritable(deps.projectFolder))) return project
  const writing = createRunWriting(run, (trx) => checkLease(run, deps.runs, trx), deps)
  return { ...project, writing }
}

/** Whether the agent has a tool: a named one may have only some. */
function toolsOf(agent: AgentRow | undefined): (name: string) => boolean {
  const chosen = toList(agent?.tools ?? null)
  return (name) => chosen?.includes(name) ?? true
}

/** The tools that the caller may use and the server has what they need for. */
function toolsFor({ canEdit, canComment }: CallerRight, { project }: AgentHost): Tool[] {
  const isThere: Partial<Record<Need, boolean>> = {
    project: project !== undefined,
    'project-writing': project?.writing !== undefined,
  }
  return catalogue.filter(
    ({ editorsOnly, readsOnly, needs }) =>
      (canEdit || !editorsOnly) && (canComment || readsOnly) && (!needs || isThere[needs] !== false),
  )
}

/** Whether the caller came by a share link and has no account: the project's files and tool servers are for members. */
async function isGuest({ invoked_by: person }: RunRow, { db }: RunSessionDeps): Promise<boolean> {
  const row = await db.selectFrom('people').select('guest').where('id', '=', person).executeTakeFirst()
  return row?.guest !== 0
}

/** Takes back the calls that an earlier worker had begun to write. */
async function takeBackLeft(
  peer: Peer,
  run: RunRow,
  signal: AbortSignal,
  { receiptPrefix }: Receipts,
  { undo, runs }: RunSessionDeps,
): Promise<void> {
  if (!hasOpenCalls(peer.doc, receiptPrefix)) return
  await undo.takeBackOpenCalls(run, receiptPrefix, (trx) => checkLease(run, runs, trx))
  await peer.sees((doc) => !hasOpenCalls(doc, receiptPrefix), signal)
}

function followRight(
  run: RunRow,
  controller: AbortController,
  deps: RunSessionDeps,
  onLowered: () => void,
): Promise<CallerRight> {
  return followCallerRight(run, deps, {
    onGone: () => controller.abort('revoked' satisfies AbortReason),
    onLowered,
    onTrouble: (error) => deps.logger.error({ err: error, run: run.id }, 'the rights of a run could not be checked'),
  })
}

/**
 * Returns whether the replica has or had receipts with this prefix: a receipt deleted here may still be on the server.
 */
function watchReceipts({ doc }: Peer, prefix: string): () => boolean {
  const receipts = doc.getMap(contentTypes.receipts)
  const isOwn = (key: string): boolean => key.startsWith(prefix)
  let hasAny = [...receipts.keys()].some(isOwn)
  receipts.observe(({ keysChanged }) => {
    hasAny ||= [...keysChanged].some((key) => typeof key === 'string' && isOwn(key))
  })
  return () => hasAny
}

/**
 * Creates a wait for keys that users pressed before they could see that their block was replaced: once the run has
 * ended, the log refuses what the session would write for them. The returned function resolves to whether it waited.
 */
function createLateKeys(session: DocumentSession, signal: AbortSignal, elapsed: () => number): () => Promise<boolean> {
  let changedAt = -lateKeysMs
  session.onCommit(() => (changedAt = elapsed()))
  return async () => {
    const reason: unknown = signal.reason
    if (!session.isWatching() || reason === 'shutdown' || reason === 'refused' || reason === 'revoked') return false
    // When a run is stopped, users may be typing in its document as well.
    const leaving = signal.aborted ? new AbortController().signal : signal
    const left = changedAt + lateKeysMs - elapsed()
    await setTimeout(Math.max(0, Math.min(left, lateKeysMs)), undefined, { signal: leaving }).catch(() => undefined)
    return true
  }
}

async function joinDocument(
  run: RunRow,
  agent: AgentRow | undefined,
  controller: AbortController,
  { collabUrl, tokens }: RunSessionDeps,
): Promise<Peer> {
  const { id, document, epoch, invoked_by: invokedBy } = run
  return openPeer({
    collabUrl,
    token: await tokens.issue({
      kind: 'run',
      run: id,
      epoch,
      document,
      invokedBy,
      agent: { ...agentIdentity, ...agentOf(run), ...(agent && { color: agent.color }) },
    }),
    document,
    signal: controller.signal,
    onRefused: () => controller.abort('refused' satisfies AbortReason),
    onRevoked: () => controller.abort('revoked' satisfies AbortReason),
    onBroken: () => controller.abort('broken' satisfies AbortReason),
  })
}
