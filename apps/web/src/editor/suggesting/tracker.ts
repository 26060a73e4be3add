import type { Node } from 'prosemirror-model'
import { type EditorState, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { yUndoPluginKey } from 'y-prosemirror'
import { isOwnEdit } from '../common/from-yjs.ts'
import { rebaseBase } from './base-document.ts'
import type { OwnChanges } from './own-changes.ts'
import { readInlineEdits, trackEdit } from './track-edit.ts'

/**
 * The options of a tracker: whether it currently tracks, which changes are this user's, and the view, if there is one.
 */
export type TrackerOptions = {
  isSuggesting: () => boolean
  own: OwnChanges
  view: () => EditorView | undefined
}

// Some input methods begin the next syllable immediately after they have ended one.
const settleDelay = 40

const key = new PluginKey('suggesting')

type Edited = { base: Node; transactions: readonly Transaction[] | undefined }

export function createTracker(options: TrackerOptions): Tracker {
  return new Tracker(options)
}

/**
 * Converts one user's edits to suggested changes while `isSuggesting` returns true. Text of an input method is tracked
 * when its composition ends.
 */
export class Tracker {
  readonly #options: TrackerOptions
  /** The document without the composition, during one. */
  #pending: Node | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isForward = false

  constructor(options: TrackerOptions) {
    this.#options = options
  }

  /** Handles keydown: some keys require moving the caret first. */
  noteKey(view: EditorView, event: KeyboardEvent): false {
    this.#isForward = event.key === 'Delete'
    if (this.#options.isSuggesting()) skipDeleted(view, event)
    return false
  }

  /** Returns whether it replaces the browser's own input. */
  noteInput(view: EditorView, event: InputEvent): boolean {
    return this.#options.isSuggesting() && typeOver(view, event)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#pending = undefined
  }

  /** The transaction to append to these, so that this user's edits in them become suggestions. */
  append(transactions: readonly Transaction[], before: EditorState, after: EditorState): Transaction | null {
    if (transactions.some((transaction) => transaction.getMeta(key) === true)) return null
    if (!this.#options.isSuggesting()) {
      this.#pending = undefined
      return null
    }
    const edited = this.#readEdited(transactions, before)
    if (!edited) return null
    if (this.#options.view()?.composing || this.#pending || isComposed(edited)) {
      this.#pending ??= edited.base
      this.#timer ??= setTimeout(() => this.settle(), settleDelay)
      return null
    }
    return track(after, edited, this.#options.own, this.#isForward)
  }

  // This user's edits, and the document before them: remote changes may have come in between.
  #readEdited(transactions: readonly Transaction[], before: EditorState): Edited | undefined {
    let base = before.doc
    let local: Transaction[] = []
    for (const transaction of transactions) {
      if (!transaction.docChanged) continue
      if (isOwnEdit(transaction)) local.push(transaction)
      else {
        if (this.#pending) this.#pending = rebaseBase(this.#pending, transaction.before, transaction.doc)
        base = transaction.doc
        local = []
      }
    }
    return local.length > 0 ? { base, transactions: local } : undefined
  }

  /** Tracks the pending edit, unless it is still being composed. */
  settle(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [view, base] = [this.#options.view(), this.#pending]
    if (!view || !base || view.isDestroyed) return
    if (view.composing) {
      this.#timer = setTimeout(() => this.settle(), settleDelay)
      return
    }
    this.#pending = undefined
    const transaction = track(view.state, { base, transactions: undefined }, this.#options.own)
    if (!transaction) return
    joinUndo(view.state)
    view.dispatch(transaction.setMeta(key, true))
  }
}

function isComposed({ transactions }: Edited): boolean {
  return transactions?.some((transaction) => transaction.getMeta('composition') !== undefined) ?? false
}

// The text was composed before it could be tracked; merges both into one undo step.
function joinUndo(state: EditorState): void {
  const undoManager = yUndoPluginKey.getState(state)?.undoManager
  if (undoManager) undoManager.lastChange = Date.now()
}

// `goesOn`: the caret moves behind the deleted text, as for the key Delete.
function track(
  state: EditorState,
  { base, transactions }: Edited,
  own: OwnChanges,
  goesOn = false,
): Transaction | null {
  const inline = transactions && readInlineEdits(transactions, own.isOwn)
  const { steps, mapping } = trackEdit(base, state.doc, inline, own)
  if (steps.length === 0) return null
  const transaction = state.tr
  for (const step of steps) transaction.step(step)
  const { selection } = state
  if (selection instanceof TextSelection && selection.empty) {
    const place = transaction.doc.resolve(mapping.map(selection.head, isDeletion(transactions) && !goesOn ? -1 : 1))
    if (place.parent.inlineContent) transaction.setSelection(TextSelection.create(transaction.doc, place.pos))
  }
  return transaction
}

// Whether no text was inserted, so that the caret remains in front of the text now marked as deleted.
function isDeletion(transactions: readonly Transaction[] | undefined): boolean {
  let grows = false
  for (const { mapping } of transactions ?? []) {
    for (const map of mapping.maps) map.forEach((_from, _to, start, end) => (grows ||= end > start))
  }
  return transactions !== undefined && !grows
}

/**
 * Moves the caret over text with a suggested deletion before Backspace or Delete acts, so that the key reaches the next
 * character that isn't deleted.
 */
function skipDeleted(view: EditorView, { key }: Pick<KeyboardEvent, 'key'>): void {
  if (key !== 'Backspace' && key !== 'Delete') return
  const caret = readCaret(view)
  if (caret === undefined) return
  const { doc, tr } = view.state
  let $at = doc.resolve(caret)
  if (!$at.parent.inlineContent) return
  if (key === 'Backspace') {
    for (let node = $at.nodeBefore; node && isDeleted(node); node = $at.nodeBefore)
      $at = doc.resolve($at.pos - node.nodeSize)
  } else {
    for (let node = $at.nodeAfter; node && isDeleted(node); node = $at.nodeAfter)
      $at = doc.resolve($at.pos + node.nodeSize)
  }
  if ($at.pos !== caret) view.dispatch(tr.setSelection(TextSelection.create(doc, $at.pos)))
}

// Reads the browser's selection: after an arrow key the editor gets the caret position only later.
function readCaret(view: EditorView): number | undefined {
  const selection = document.getSelection()
  if (!selection?.isCollapsed || !selection.focusNode || !view.dom.contains(selection.focusNode)) return undefined
  return view.posAtDOM(selection.focusNode, selection.focusOffset)
}

function isDeleted(node: Node): boolean {
  return node.marks.some(({ type }) => type.name === 'deletion')
}

/**
 * Replaces the whole selected text by the typed one; a diff of the browser's own result would yield only the letters
 * that differ. Returns whether it did.
 */
function typeOver(view: EditorView, event: InputEvent): boolean {
  const { inputType, data } = event
  const [range] = event.getTargetRanges()
  if (inputType !== 'insertText' || !data || view.composing || !range || range.collapsed) return false
  const [from, to] = [
    view.posAtDOM(range.startContainer, range.startOffset),
    view.posAtDOM(range.endContainer, range.endOffset),
  ]
  const $from = view.state.doc.resolve(from)
  if (from >= to || !$from.parent.isTextblock || !$from.sameParent(view.state.doc.resolve(to))) return false
  // The editor may not have processed the latest selection yet.
  const { doc, tr } = view.state
  view.dispatch(tr.setSelection(TextSelection.create(doc, from, to)))
  const type = () => view.state.tr.insertText(data).scrollIntoView()
  event.preventDefault()
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, data, type))) view.dispatch(type())
  return true
}
