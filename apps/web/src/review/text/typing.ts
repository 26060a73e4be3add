import { readSuggestions, readThreads, writeSuggestions, writeThreads } from '@copydesk/schema'
import { Fragment, Mark, type Node, Slice } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { changeMarks } from './anchors.ts'

/** The ids that already exist in the document. */
export type KnownIds = { changes: ReadonlyMap<string, unknown>; threads: ReadonlyMap<string, unknown> }

/**
 * Prepares a slice for pasting. Cut content keeps its comments and suggested changes; a copy of content that still
 * exists in the document loses them, and of suggested deletions the text is dropped, too, unless the slice has no other
 * text.
 */
export function cleanPasted(slice: Slice, known: KnownIds): Slice {
  const withoutDeleted = clean(slice.content, known, true)
  const content =
    withoutDeleted.textBetween(0, withoutDeleted.size).trim() === ''
      ? clean(slice.content, known, false)
      : withoutDeleted
  return new Slice(content, slice.openStart, slice.openEnd)
}

function clean(fragment: Fragment, known: KnownIds, dropsDeleted: boolean): Fragment {
  const nodes: Node[] = []
  fragment.forEach((node) => {
    if (node.isText) {
      if (!dropsDeleted || !node.marks.some((mark) => mark.type.name === 'deletion' && isKnown(mark, known))) {
        nodes.push(node.mark(node.marks.filter((mark) => !isKnown(mark, known))))
      }
      return
    }
    const content = clean(node.content, known, dropsDeleted)
    nodes.push(node.type.create(cleanAttributes(node, known), content, node.marks))
  })
  return Fragment.fromArray(nodes)
}

function isKnown({ type, attrs }: Mark, { changes, threads }: KnownIds): boolean {
  if (type.name === 'comment') return threads.has(String(attrs.threadId))
  return changeMarks.has(type.name) && changes.has(String(attrs.id))
}

function cleanAttributes({ attrs }: Node, { changes, threads }: KnownIds): Node['attrs'] {
  if (!attrs.suggestion && !attrs.threads) return attrs
  return {
    ...attrs,
    suggestion: writeSuggestions(readSuggestions(attrs.suggestion).filter(({ id }) => !changes.has(id))),
    threads: writeThreads(readThreads(attrs.threads).filter((id) => !threads.has(id))),
  }
}

type KeyTarget = {
  /** Changes the initial text of the form's field. */
  write: (change: (now: string) => string) => void
  /** Called when the user cancels the form. */
  cancel: () => void
}

// Keys are withheld from the text at most this long.
const maxRedirectMs = 10_000
const suppressedKeys = ['Enter', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

/**
 * Redirects keys to a form that was requested but isn't mounted yet; otherwise they would replace the selected text.
 * Ends when the text loses the focus, which the form takes.
 */
export function redirectKeysToForm(view: EditorView, { write, cancel }: KeyTarget): void {
  const stop = new AbortController()
  const onKeyDown = (event: KeyboardEvent) => {
    if (!view.hasFocus()) return stop.abort()
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (key === 'Escape') {
      stop.abort()
      cancel()
    } else if (key === 'Backspace') write((now) => [...now].slice(0, -1).join(''))
    else if ([...key].length === 1) write((now) => now + key)
    else if (!suppressedKeys.includes(key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  view.dom.ownerDocument.addEventListener('keydown', onKeyDown, { capture: true, signal: stop.signal })
  view.dom.addEventListener('blur', () => stop.abort(), { signal: stop.signal })
  setTimeout(() => stop.abort(), maxRedirectMs)
}

/**
 * Text typed inside of a suggested change isn't part of it: it would be deleted with the suggestion's rejection (or, in
 * a deletion, with its acceptance). Returns the transaction that removes suggestion marks from the next characters at
 * the caret; null if they have none.
 */
export function withoutChangeMarks(state: EditorState): Transaction | null {
  const { $from, empty } = state.selection
  if (!empty) return null
  const next = state.storedMarks ?? $from.marks()
  const kept = next.filter(({ type }) => !changeMarks.has(type.name))
  return kept.length === next.length ? null : state.tr.setStoredMarks(kept).setMeta('addToHistory', false)
}

/**
 * The same for text that is typed over a selection, where ProseMirror keeps no stored marks; null when it isn't needed.
 */
export function replaceWithoutChangeMarks(
  state: EditorState,
  from: number,
  to: number,
  text: string,
): Transaction | null {
  const marks = (from < to ? state.doc.resolve(from).marksAcross(state.doc.resolve(to)) : null) ?? Mark.none
  const unwanted = marks.filter(({ type }) => changeMarks.has(type.name))
  if (unwanted.length === 0) return null
  const transaction = state.tr.insertText(text, from, to)
  for (const mark of unwanted) transaction.removeMark(from, from + text.length, mark)
  return transaction.scrollIntoView()
}
