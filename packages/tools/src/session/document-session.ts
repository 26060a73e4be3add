import { contentTypes, createTypingForwarder } from '@copydesk/schema'
import type * as Y from 'yjs'
import { defaultLimits, type ToolLimits } from '../common/limits.ts'
import type { ToolFailure, ToolResult } from '../common/result.ts'
import { caretAt, type CaretPosition, resolveSelection, type Selected } from './host/caret.ts'
import { type ChangesByOthers, createChangesByOthers } from './live/changes-by-others.ts'
import { createOwnChanges, randomChangeId } from './commit/change-ids.ts'
import { applyPlan, type CommitContext, type Planner, typingIn } from './commit/commit.ts'
import { CoordinateTable, type StoredCoordinates } from './numbers/coordinates.ts'
import { holdsChanges } from '../document/blocks.ts'
import type { DocumentView } from '../document/document-view.ts'
import { createEgress, type Egress } from './egress/egress.ts'
import type { ReviewHost } from './host/host.ts'
import { createLiveCalls, type LiveCalls } from './live/live-calls.ts'
import { createNumbers, type Numbers } from './numbers/numbers.ts'
import { createFragmentReader, type FragmentReader } from '../document/reader.ts'
import { createReceipts } from './commit/receipts.ts'
import type { DocumentSessionOptions, SessionMode, ToolCallContext } from './host/session-options.ts'
import type { Typing } from './commit/typing.ts'

/**
 * The document as seen by one run: the text that it has read, the meaning of its numbers, and the only interface for
 * changing the document. Reading never writes. Every method is synchronous; errors of a model never throw.
 */
export type DocumentSession = Numbers &
  Egress & {
    readonly mode: SessionMode
    readonly caller: { id: string; name: string }
    readonly canEdit: boolean
    readonly limits: ToolLimits
    /** Threads, authors of changes, highlights, images, the web; `undefined` if the session has only the document. */
    readonly host: ReviewHost | undefined
    people(): { name: string; kind: string }[]
    /** The title in the document's `meta`, empty if it has none. */
    title(): string
    /** The current document; a failure if it can't be read. */
    view(): { ok: true; view: DocumentView } | ToolFailure
    /** Whether the document has suggested changes. */
    hasChanges(): boolean
    /** The caller's selection in the current document; `from` and `to` are equal for a caret. */
    selection(): Selected | undefined
    /** Others who are typing now, each with their block of the current document. */
    typing(): Typing[]
    /**
     * A range of the current document, which must be readable, as two Yjs relative positions; they stay valid while
     * others edit.
     */
    rangeAt(from: number, to: number): CaretPosition
    /**
     * Changes the document according to the plan, or returns a failure. A call whose receipt exists is not applied
     * again.
     */
    commit(call: ToolCallContext, planner: Planner): ToolResult
    /** Calls that the model is still writing, whose text is streamed into the document. */
    readonly live: Pick<LiveCalls, 'write' | 'settle' | 'revert'>
    /** Changes of others in the document since the model read it. */
    readonly others: Omit<ChangesByOthers, 'close'>
    /** The result of a call that was already applied. */
    receipt(callId: string): ToolResult | undefined
    /** The numbers with their meaning, and the given addresses, as plain JSON to store with the run. */
    coordinates(): StoredCoordinates & { addresses: unknown }
    /** Calls the listener with the caret after each commit. Returns a function that removes the listener. */
    onCommit(listener: (caret: CaretPosition) => void): () => void
    /**
     * Whether blocks were replaced recently, so that other users may still be typing into the old texts. Such typing is
     * forwarded until the session is closed, so leave the session open for as long as a keystroke takes to arrive.
     */
    isWatching(): boolean
    /** Stops observing the document. May be called twice. */
    close(): void
  }

/** Opens a session on a Y.Doc that has been synced. Close it when the run ends. */
export function createDocumentSession(options: DocumentSessionOptions): DocumentSession {
  const { doc } = options
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const reader = createFragmentReader(doc, fragment, options.request)
  const table = CoordinateTable.restore(options.coordinates)
  const listeners = new Set<(caret: CaretPosition) => void>()
  const receipts = createReceipts(doc, options.isResumed ?? true)
  const forwarder = createTypingForwarder(doc, fragment, { origin: options.origin })
  const context: CommitContext = {
    doc,
    fragment,
    reader,
    table,
    options,
    ids: createOwnChanges(options.createId ?? randomChangeId, options.isOwnChange ?? (() => false)),
    receipts,
    forwarder,
    announce: (caret) => tell(listeners, caret),
    withoutPending: (document) => live.without(document),
  }
  const readSelection = (): Selected | undefined => resolveSelection(options.selection(), fragment, reader)
  const live = createLiveCalls(context, readSelection)
  const others = createChangesByOthers(context)
  const egress = createEgress(options)
  const readView = (): ReturnType<DocumentSession['view']> => {
    const base = live.base()
    return base ? { ok: true, view: base.view } : reader.read()
  }

  return {
    // Rights may change during a run.
    get mode() {
      return options.mode
    },
    caller: options.caller,
    get canEdit() {
      return options.canEdit
    },
    limits: { ...defaultLimits, ...options.limits },
    host: options.host,
    ...egress,
    people: options.people,
    title: () => readTitle(doc),
    view: readView,
    hasChanges: () => isWithChanges(readView()),
    selection: () => live.base()?.selection ?? readSelection(),
    typing: () => typingIn(context),
    rangeAt: (from, to) => rangeAt(from, to, fragment, reader),
    ...createNumbers(table, readView, options.authorOf, doc.clientID),
    commit: (call, planner) => live.commit(call, planner) ?? applyPlan(call, planner, context),
    live,
    others,
    receipt: (callId) => receipts.find(callId),
    coordinates: () => ({ ...table.toJSON(), ...egress.given.toJSON() }),
    onCommit: (listener) => subscribe(listeners, listener),
    isWatching: () => forwarder.isWatching(),
    close() {
      for (const each of [reader, forwarder, others]) each.close()
      listeners.clear()
    },
  }
}

function isWithChanges(read: ReturnType<DocumentSession['view']>): boolean {
  return read.ok && holdsChanges(read.view.doc)
}

function tell(listeners: ReadonlySet<(caret: CaretPosition) => void>, caret: CaretPosition): void {
  for (const listener of listeners) listener(caret)
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function rangeAt(from: number, to: number, fragment: Y.XmlFragment, reader: FragmentReader): CaretPosition {
  const read = reader.read()
  if (!read.ok) throw new Error(read.message)
  const at = (pos: number): unknown => caretAt(pos, read.view, fragment, reader).anchor
  return { anchor: at(from), head: at(to) }
}

function readTitle(doc: Y.Doc): string {
  const title = doc.getMap(contentTypes.meta).get('title')
  return typeof title === 'string' ? title : ''
}
