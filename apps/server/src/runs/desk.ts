import { createSystemPrompt, fenceAsData, type ToolCall, type Toolbox, type ToolOutcome } from '@copydesk/agent'
import { Selection } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import {
  catalogue,
  createDocumentSession,
  documentInfo,
  type DocumentSession,
  executeToolCall,
  summarizeOutline,
  toolSchemas,
} from '@copydesk/tools'
import type { RunRow } from '../store/tables.ts'
import { openPeer, type Peer } from './peer.ts'
import { decodeSelection } from './selection.ts'
import type { RunJournal } from './run-journal.ts'
import type { AbortReason, RunWorkerDeps } from './worker-deps.ts'

// Long enough to see where a quick change was made.
const lingerMs = 2000

/** A run's place at the document: its peer, its session, and the tools that work there. */
export type Desk = {
  readonly toolbox: Toolbox
  systemPrompt(): string
  /** What the block numbers mean that the model has seen, to keep with the run. */
  coordinates(): unknown
  /** Whether this run has changed the document. */
  hasReceipts(): boolean
  showActivity(label: string, tool?: string): void
  close(): void
}

/** Joins the run's document and opens a session on it, with what the run knew before if it was taken up again. */
export async function openDesk(
  run: RunRow,
  controller: AbortController,
  journal: RunJournal,
  deps: RunWorkerDeps,
): Promise<Desk> {
  const { signal } = controller
  const { id, document, epoch, invoked_by: invokedBy } = run
  const peer = await openPeer({
    collabUrl: deps.collabUrl,
    token: await deps.tokens.issue({ kind: 'run', run: id, epoch, document, invokedBy }),
    document,
    signal,
    onRefused: () => controller.abort('refused' satisfies AbortReason),
    onBroken: () => controller.abort('broken' satisfies AbortReason),
  })
  const stored = storedSelection(run)
  const user = await deps.people.find(invokedBy)
  const canEdit = user !== undefined && (await deps.access({ kind: 'person', user }, document)) === 'write'
  const session = createDocumentSession({
    doc: peer.doc,
    origin: { run: id },
    mode: run.mode,
    caller: { id: invokedBy, name: run.invoked_by_name },
    people: () => peer.present(),
    selection: () => peer.selectionOf(invokedBy) ?? stored,
    canEdit,
    isNamed: (address) => run.instruction.includes(address),
    ...(run.coordinates === null ? {} : { coordinates: JSON.parse(run.coordinates) as unknown }),
  })
  session.onCommit((cursor) => peer.showCursor(cursor))
  return {
    toolbox: createToolbox(session, peer, journal),
    systemPrompt: () => systemPrompt(run, session, peer),
    coordinates: () => session.coordinates(),
    hasReceipts: () =>
      [...peer.doc.getMap(contentTypes.receipts).keys()].some((key) => key.startsWith(journal.receiptKey(''))),
    showActivity: (label, tool) => peer.showActivity(label, tool),
    close() {
      session.close()
      peer.showActivity('Done')
      peer.close(signal.aborted ? 0 : lingerMs)
    },
  }
}

function createToolbox(session: DocumentSession, peer: Peer, journal: RunJournal): Toolbox {
  return {
    definitions: catalogue.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: toolSchemas(tool),
    })),
    async execute(call, { signal }) {
      const result = await executeToolCall(call.name, call.arguments, session, { callId: journal.receiptKey(call.id) })
      // A change is done when it is on disk and visible to everybody, not when it is in this process' memory.
      await peer.flushed(signal)
      return toOutcome(call, result)
    },
  }
}

function toOutcome(call: ToolCall, result: Awaited<ReturnType<typeof executeToolCall>>): ToolOutcome {
  const { ok, text, summary } = result
  return { ok, text: fenceAsData(`result of ${call.name}`, text), summary, details: result.details }
}

function systemPrompt(run: RunRow, session: DocumentSession, peer: Peer): string {
  const described = documentInfo(session)
  const info = described.ok ? described.info : undefined
  const outline = summarizeOutline(session)
  const present = peer.present().filter(({ id, kind }) => kind === 'person' && id !== run.invoked_by)
  return createSystemPrompt({
    title: info?.title ?? session.title(),
    caller: run.invoked_by_name,
    present: [...new Set(present.map(({ name }) => name))],
    mode: run.mode,
    outline: outline.ok ? outline.headings : [],
    frontmatterKeys: info?.frontmatterKeys ?? [],
    ...(info?.selection ? { selection: info.selection } : {}),
    ...(info ? { size: { blocks: info.blocks, words: info.words } } : {}),
  })
}

function storedSelection(run: RunRow): ReturnType<typeof decodeSelection> {
  if (run.selection === null) return undefined
  const parsed = Selection.safeParse(JSON.parse(run.selection))
  return parsed.success ? decodeSelection(parsed.data) : undefined
}
