import { contentTypes } from '@copydesk/schema'
import type * as Y from 'yjs'
import { defaultLimits, type ToolLimits } from '../limits.ts'
import { failure, type ToolFailure, type ToolResult } from '../result.ts'
import type { Block } from './blocks.ts'
import { type CaretPosition, resolveSelection } from './caret.ts'
import { applyPlan, type ChangePlan } from './commit.ts'
import {
  type AuthorOf,
  CoordinateTable,
  findRemembered,
  rememberBlock,
  staleFailure,
  type StoredCoordinates,
} from './coordinates.ts'
import type { DocumentView } from './document-view.ts'
import { createFragmentReader } from './reader.ts'
import { readReceipt, receiptResult } from './receipts.ts'
import type { DocumentSessionOptions, SessionMode, ToolCallContext } from './session-options.ts'

/**
 * A document as one run works with it: what it has read, what the numbers it was given mean, and the one way to change
 * it. Reading never writes. Every method is synchronous; none throws for what a model can cause.
 */
export type DocumentSession = {
  readonly mode: SessionMode
  readonly caller: { id: string; name: string }
  readonly canEdit: boolean
  readonly limits: ToolLimits
  people(): { name: string; kind: string }[]
  /** The title in the document's `meta`, empty if it has none. */
  title(): string
  /** The document as it is now; a failure if it can't be read. */
  view(): { ok: true; view: DocumentView } | ToolFailure
  /** The caller's selection in the current document, `from` ≤ `to`; a bare caret has both equal. */
  selection(): { from: number; to: number } | undefined
  /** The block that a number means; `out_of_range` if it was never shown, `stale` if it can't be found again. */
  resolve(number: number): { ok: true; block: Block } | ToolFailure
  /** Gives these blocks the numbers of their places, as a read does, and says whether numbers changed their meaning. */
  showRead(blocks: readonly Block[], stoppedAfter?: Block): { renumbered: boolean }
  /** Where a read from `number` starts in the current document. */
  readStart(number: number): number
  /** The number by which a block goes, giving it one if it has none that still holds. */
  show(block: Block): number
  /** Changes the document as the plan says, or answers why not. A call whose receipt exists is not applied again. */
  commit(call: ToolCallContext, plan: (view: DocumentView) => ChangePlan | ToolFailure): ToolResult
  /** The result of a call that was already applied. */
  receipt(callId: string): ToolResult | undefined
  /** The numbers and what they mean, plain JSON to keep with the run. */
  coordinates(): StoredCoordinates
  /** Tells where the caret is after each commit. Returns how to stop listening. */
  onCommit(listener: (caret: CaretPosition) => void): () => void
  /** Stops following the document. May be called twice. */
  close(): void
}

/** Opens a session on a Y.Doc that has been synced. Close it when the run ends. */
export function createDocumentSession(options: DocumentSessionOptions): DocumentSession {
  const { doc } = options
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const reader = createFragmentReader(doc, fragment)
  const table = CoordinateTable.restore(options.coordinates)
  const listeners = new Set<(caret: CaretPosition) => void>()

  return {
    mode: options.mode,
    caller: options.caller,
    canEdit: options.canEdit,
    limits: { ...defaultLimits, ...options.limits },
    people: options.people,
    title: () => readTitle(doc),
    view: () => reader.read(),
    selection() {
      const read = reader.read()
      return read.ok ? resolveSelection(options.selection(), fragment, reader.metadata.mapping) : undefined
    },
    resolve(number) {
      const read = reader.read()
      return read.ok ? resolveNumber(number, table, read.view, options.authorOf) : read
    },
    showRead(blocks, stoppedAfter) {
      const read = reader.read()
      const renumbered = table.renumber(blocks, read.ok ? read.view.blocks.length : 0)
      table.stopAfter(stoppedAfter)
      return { renumbered }
    },
    readStart(number) {
      const read = reader.read()
      return read.ok ? table.startOf(number, read.view) : number
    },
    show: (block) => showBlock(block, table),
    commit: (call, plan) =>
      applyPlan({ call, plan, doc, fragment, reader, table, options, announce: (caret) => tell(listeners, caret) }),
    receipt: (callId) => restoreReceipt(doc, callId, table),
    coordinates: () => table.toJSON(),
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      reader.close()
      listeners.clear()
    },
  }
}

function tell(listeners: ReadonlySet<(caret: CaretPosition) => void>, caret: CaretPosition): void {
  for (const listener of listeners) listener(caret)
}

function readTitle(doc: Y.Doc): string {
  const title = doc.getMap(contentTypes.meta).get('title')
  return typeof title === 'string' ? title : ''
}

function resolveNumber(
  number: number,
  table: CoordinateTable,
  view: DocumentView,
  authorOf?: AuthorOf,
): { ok: true; block: Block } | ToolFailure {
  const entry = table.get(number)
  if (!entry) return notShown(number, table, view)
  const block = findRemembered(entry, view)
  return block ? { ok: true, block } : staleFailure(number, entry, view, authorOf)
}

function notShown(number: number, table: CoordinateTable, view: DocumentView): ToolFailure {
  const count = view.blocks.length
  const place = number < count ? 'has not been shown yet' : 'is beyond the end'
  const shown = table.next === 0 ? 'No block has been shown yet' : `Numbers up to [${table.next - 1}] have been shown`
  return failure(
    'out_of_range',
    `Block [${number}] ${place}.`,
    `${shown}; the document has blocks 0 to ${count - 1}. Read the part you need with read_document first.`,
  )
}

function showBlock(block: Block, table: CoordinateTable): number {
  const known = table.numberOf(block)
  if (known !== undefined) return known
  const number = table.get(block.index) === undefined ? block.index : table.next
  table.set(number, rememberBlock(block))
  return number
}

function restoreReceipt(doc: Y.Doc, callId: string, table: CoordinateTable): ToolResult | undefined {
  const receipt = readReceipt(doc, callId)
  if (!receipt) return undefined
  for (const [number, entry] of receipt.shown ?? []) if (!table.get(number)) table.set(number, entry)
  return receiptResult(receipt)
}
