import { createSystemPrompt, fenceAsData, type ToolCall, type Toolbox, type ToolOutcome } from '@copydesk/agent'
import { Selection, TextPair } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import {
  catalogue,
  createDocumentSession,
  createNamedAddresses,
  documentInfo,
  type DocumentSession,
  executeToolCall,
  findTool,
  summarizeOutline,
  type Tool,
  type ToolResult,
  toolSchemas,
} from '@copydesk/tools'
import { z } from 'zod'
import { hasOpenCalls } from '../history/open-calls.ts'
import { type AgentHost, createAgentHost } from '../review/agent-host.ts'
import type { RunRow } from '../store/tables.ts'
import { type CallerRight, followCallerRight } from './caller-right.ts'
import { createLiveWriting, type LiveWriting } from './live-writing.ts'
import { openPeer, type Peer } from './peer.ts'
import { decodeSelection } from './selection.ts'
import type { RunRecorder } from './run-recorder.ts'
import { checkLease } from './run-lease.ts'
import type { Ticket } from './document-mutex.ts'
import { waitUnlessAborted } from './wait.ts'
import type { AbortReason, RunWorkerDeps } from './worker-deps.ts'

// Long enough for users to see where a quick change was made.
const lingerMs = 2000
const flushWithinMs = 2000
// Longer than a keystroke takes from a browser to the server.
const lateKeysMs = 500
const Held = z.object({ proposal: z.array(TextPair) })

/** Tools whose effect can't be turned into a suggestion. */
const editorsOnly: readonly string[] = ['decide_change', 'insert_image']

/** A run's session in a document: its peer, its document session, and the tools that work on it. */
export type RunSession = {
  readonly toolbox: Toolbox
  systemPrompt(): string
  /** The meaning of the block numbers that the model has seen, to store with the run. */
  coordinates(): unknown
  /** Whether the document has, or had, receipts of this run. */
  hasReceipts(): boolean
  showActivity(label: string, tool?: string): void
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
  recorder: RunRecorder,
  deps: RunWorkerDeps,
): Promise<RunSession> {
  const peer = await joinDocument(run, controller, deps)
  try {
    return await createRunSession(peer, run, controller, recorder, deps)
  } catch (error) {
    peer.close()
    throw error
  }
}

async function createRunSession(
  peer: Peer,
  run: RunRow,
  controller: AbortController,
  recorder: RunRecorder,
  deps: RunWorkerDeps,
): Promise<RunSession> {
  const { id, document, invoked_by: invokedBy } = run
  const { signal } = controller
  const hasReceipts = watchReceipts(peer, recorder.receiptPrefix)
  await takeBackLeft(peer, run, signal, recorder, deps)
  // Highlights of the caller's earlier runs have been seen.
  await deps.highlights.clearFor(run)
  let discardWriting = (): void => undefined
  // A call that is being written when the caller loses the right to edit was meant as an edit, so it is discarded.
  const right = await followRight(run, controller, deps, () => discardWriting())
  const { showScrollTarget } = peer
  const isNamed = createNamedAddresses(run.instruction)
  const host = createAgentHost(run, right.user, { ...deps, flushed: () => peer.flushed(signal), showScrollTarget })
  const session = createDocumentSession({
    doc: peer.doc,
    origin: { run: id },
    get mode() {
      return right.canEdit ? run.mode : 'suggest'
    },
    caller: { id: invokedBy, name: run.invoked_by_name },
    people: () => peer.present(),
    selection: selectionFor(run, peer),
    host,
    // If the caller may only comment, `mode` is `suggest`.
    canEdit: true,
    limits: deps.toolLimits,
    // Naming an address in the instruction approves a request to it, which takes the right to edit, as approving does.
    isNamed: (address) => right.canEdit && isNamed(address),
    ...(run.coordinates === null ? {} : { coordinates: JSON.parse(run.coordinates) as unknown }),
  })
  session.onCommit((cursor) => peer.showCursor(cursor))
  const lateKeys = createLateKeys(session, signal, deps.elapsed)
  const ticket = deps.turns.join(document, peer.doc, () => peer.flushed(AbortSignal.timeout(flushWithinMs)))
  const tools = catalogue.filter(({ name }) => right.canEdit || !editorsOnly.includes(name))
  const writing = createLiveWriting(session, tools, deps.writer, (callId) => recorder.receiptKey(callId), deps.logger)
  discardWriting = () => void writing.discardAll()
  return {
    toolbox: createToolbox({ tools, session, host, peer, ticket, recorder, writing, writer: deps.writer }),
    writing,
    async endWriting() {
      const hasDiscarded = writing.discardAll()
      // The server accepts nothing more from this peer.
      if (signal.reason === ('revoked' satisfies AbortReason)) return
      if (!(await lateKeys()) && !hasDiscarded) return
      // What can't be flushed now is taken back before the run's end is stored, or when the run is resumed.
      await peer.flushed(AbortSignal.timeout(flushWithinMs)).catch(() => undefined)
    },
    systemPrompt: () => systemPrompt(run, tools, session, peer),
    coordinates: () => session.coordinates(),
    hasReceipts,
    showActivity: (label, tool) => peer.showActivity(label, tool),
    close(isWaiting = false) {
      right.stop()
      session.close()
      ticket.leave()
      peer.showActivity(isWaiting ? 'Waiting for approval' : 'Done')
      peer.close(signal.aborted || isWaiting ? 0 : lingerMs)
    },
  }
}

/** Takes back the calls that an earlier worker had begun to write. */
async function takeBackLeft(
  peer: Peer,
  run: RunRow,
  signal: AbortSignal,
  { receiptPrefix }: RunRecorder,
  { undo, runs }: RunWorkerDeps,
): Promise<void> {
  if (!hasOpenCalls(peer.doc, receiptPrefix)) return
  await undo.takeBackOpenCalls(run, receiptPrefix, (trx) => checkLease(run, runs, trx))
  await peer.sees((doc) => !hasOpenCalls(doc, receiptPrefix), signal)
}

function followRight(
  run: RunRow,
  controller: AbortController,
  deps: RunWorkerDeps,
  onLowered: () => void,
): Promise<CallerRight> {
  return followCallerRight(run, deps, {
    onGone: () => controller.abort('revoked' satisfies AbortReason),
    onLowered,
    onTrouble: (error) =>
      deps.logger.error({ err: error, run: run.id }, 'the rights behind a run could not be looked at'),
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
    await waitUnlessAborted(Math.max(0, Math.min(left, lateKeysMs)), leaving).catch(() => undefined)
    return true
  }
}

type Tools = {
  tools: readonly Tool[]
  session: DocumentSession
  host: AgentHost
  peer: Peer
  ticket: Ticket
  recorder: RunRecorder
  writing: LiveWriting
  writer: RunWorkerDeps['writer']
}

function createToolbox({ tools, session, host, peer, ticket, recorder, writing, writer }: Tools): Toolbox {
  return {
    definitions: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: toolSchemas(tool),
    })),
    async execute(call, { signal, approved = false }) {
      const context = { callId: recorder.receiptKey(call.id), approved, tools }
      const execute = async (): Promise<ToolOutcome> => {
        await host.refresh()
        await writer.idle()
        writing.completed(call.id)
        const result = await executeToolCall(call.name, call.arguments, session, context)
        // A change is done when it is on disk and visible to all clients, not when it is in this process's memory.
        await peer.flushed(signal)
        await host.noteResult(result)
        return toOutcome(call, result)
      }
      return findTool(call.name, tools)?.changes ? ticket.runExclusive(signal, execute) : execute()
    },
  }
}

function toOutcome(call: ToolCall, result: ToolResult): ToolOutcome {
  const { ok, text, summary } = result
  if (!result.ok && result.code === 'held') {
    const held = Held.safeParse(result.details)
    return { ok, text, summary, held: held.success ? held.data.proposal : [] }
  }
  const outcome = { ok, text: fenceAsData(`result of ${call.name}`, text), summary, details: result.details }
  if (!result.ok) return { ...outcome, problem: { message: result.message, hint: result.hint } }
  return findTool(call.name)?.changes ? outcome : { ...outcome, excerpt: text }
}

function systemPrompt(run: RunRow, tools: readonly Tool[], session: DocumentSession, peer: Peer): string {
  const described = documentInfo(session)
  const info = described.ok ? described.info : undefined
  const outline = summarizeOutline(session)
  const present = peer.present().filter(({ id, kind }) => kind === 'person' && id !== run.invoked_by)
  return createSystemPrompt({
    title: info?.title ?? session.title(),
    caller: run.invoked_by_name,
    present: [...new Set(present.map(({ name }) => name))],
    mode: session.mode,
    outline: outline.ok ? outline.headings : [],
    frontmatterKeys: info?.frontmatterKeys ?? [],
    missingTools: catalogue
      .filter((tool) => !tools.includes(tool))
      .map(({ name }) => ({
        name,
        reason: 'whoever called you may only comment on this document and suggest changes',
      })),
    ...(info?.selection ? { selection: info.selection } : {}),
    ...(info ? { size: { blocks: info.blocks, words: info.words } } : {}),
  })
}

async function joinDocument(
  { id, document, epoch, invoked_by: invokedBy }: RunRow,
  controller: AbortController,
  { collabUrl, tokens }: RunWorkerDeps,
): Promise<Peer> {
  return openPeer({
    collabUrl,
    token: await tokens.issue({ kind: 'run', run: id, epoch, document, invokedBy }),
    document,
    signal: controller.signal,
    onRefused: () => controller.abort('refused' satisfies AbortReason),
    onRevoked: () => controller.abort('revoked' satisfies AbortReason),
    onBroken: () => controller.abort('broken' satisfies AbortReason),
  })
}

/**
 * What "this" refers to: for a comment, the text of its thread, wherever the caret is now; otherwise the current
 * selection.
 */
function selectionFor(run: RunRow, peer: Peer): () => ReturnType<typeof decodeSelection> {
  const stored = storedSelection(run)
  if (run.trigger_kind === 'comment' && stored) return () => stored
  return () => peer.selectionOf(run.invoked_by) ?? stored
}

function storedSelection(run: RunRow): ReturnType<typeof decodeSelection> {
  if (run.selection === null) return undefined
  const parsed = Selection.safeParse(JSON.parse(run.selection))
  return parsed.success ? decodeSelection(parsed.data) : undefined
}
