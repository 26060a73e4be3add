import { firstIndex } from '@copydesk/schema/ids'
import type { Editor } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { scrollToPosition } from '../common/positions.ts'
import {
  type BlockMatches,
  countMatches,
  createSearch,
  type Match,
  matchesBetween,
  matchFrom,
  matchNumber,
  type Query,
  type Search,
} from './find-matches.ts'
import { type SearchState, findKey, type FindSummary } from './find-plugin.ts'
import { offerUndo, type UndoOffer } from '../typing/undo.ts'
import { replaceAll, replaceMatch } from './replace.ts'
import { oncePerFrame } from '../../common/throttle.ts'

type StoredSearch = SearchState & { finding: Finding }

function storeFinding(finding: Finding): StoredSearch {
  return {
    finding,
    text: finding.query.text,
    summary: summarize(finding),
    active: finding.active,
    again: (doc) => storeFinding(searchAgain(finding, doc)),
    draw: (state) => drawMatches(state, finding),
  }
}

function readFinding(state: EditorState): Finding | null {
  const stored = findKey.getState(state)
  return stored && 'finding' in stored ? (stored as StoredSearch).finding : null
}

/** Searches from the caret and shows the first match. An empty text removes the highlights. */
export function find(editor: Editor, query: Query): void {
  const { view, state } = editor
  put(view, beginSearch(state.doc, query, readFinding(state)?.active?.from ?? state.selection.from, inView(view)))
  show(view)
}

/** Moves to the next or previous match. */
export function findNext({ view }: Editor, by: 1 | -1): void {
  const finding = readFinding(view.state)
  if (!finding) return
  put(view, stepSearch(finding, by))
  show(view)
}

/** Replaces the active match and moves to the next. */
export function replaceActive({ view }: Editor, words: string): void {
  const active = readFinding(view.state)?.active
  if (!active) return
  replaceMatch(view, active, words)
  const finding = readFinding(view.state)
  // The replacement may match again; the search continues behind it.
  const next = active.caption ? active.to : active.from + words.length
  if (finding) put(view, beginSearch(view.state.doc, finding.query, next, finding.seen))
  show(view)
}

/** Replaces every match; returns their number, and an offer to undo that while it is this user's last change. */
export function replaceEvery({ view }: Editor, words: string): { count: number; undo: UndoOffer | undefined } {
  const count = replaceAll(view, readFinding(view.state)?.found ?? [], words)
  return { count, undo: offerUndo(view.state) }
}

function put(view: EditorView, finding: Finding): void {
  view.dispatch(view.state.tr.setMeta(findKey, { search: storeFinding(finding) }).setMeta('addToHistory', false))
}

function show(view: EditorView): void {
  const active = readFinding(view.state)?.active
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  if (!active || !frame) return
  const { top, bottom } = view.coordsAtPos(active.from)
  // The bar covers the upper edge of the text.
  if (top < frame.top + 96 || bottom > frame.bottom - 48) scrollToPosition(view, active.from)
}

// Only the visible range is decorated: a single letter may have a hundred thousand matches.
function drawMatches(state: EditorState, { found, active, seen }: Finding): DecorationSet | null {
  if (found.length === 0) return null
  const matches = matchesBetween(found, seen.from, seen.to)
  if (active && !matches.some(({ number }) => number === active.number)) matches.push(active)
  return DecorationSet.create(
    state.doc,
    matches.map(({ from, to, number, caption }) => {
      const look = { class: number === active?.number ? 'find-match find-active' : 'find-match' }
      return caption ? Decoration.node(from, to, look) : Decoration.inline(from, to, look)
    }),
  )
}

/** Keeps decorating the matches that scroll into view; returns a function that stops that. */
export function watchView({ view }: Editor): () => void {
  const { schedule, cancel } = oncePerFrame(() => {
    const finding = view.isDestroyed ? null : readFinding(view.state)
    if (!finding) return
    const seen = inView(view)
    if (seen.from !== finding.seen.from || seen.to !== finding.seen.to) put(view, { ...finding, seen })
  })
  addEventListener('scroll', schedule, { capture: true, passive: true })
  addEventListener('resize', schedule)
  return () => {
    cancel()
    removeEventListener('scroll', schedule, { capture: true })
    removeEventListener('resize', schedule)
  }
}

/** The visible range of the document, with the same height again above and below. */
function inView(view: EditorView): Finding['seen'] {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const all = { from: 0, to: view.state.doc.content.size }
  if (!frame) return all
  return { from: blockNear(view, frame.top - frame.height), to: blockNear(view, frame.bottom + frame.height) }
}

// The browser returns no positions outside of the window, but the boxes of top-level blocks.
function blockNear(view: EditorView, y: number): number {
  const { doc } = view.state
  const starts: number[] = []
  doc.forEach((_node, offset) => starts.push(offset))
  const first = firstIndex(starts, (start) => {
    const dom = view.nodeDOM(start)
    return !(dom instanceof Element) || dom.getBoundingClientRect().top >= y
  })
  return starts[first] ?? doc.content.size
}

/** A running search: its matches, the active match, and the visible range of the document. */
type Finding = {
  query: Query
  search: Search | null
  found: readonly BlockMatches[]
  active: Match | null
  seen: { from: number; to: number }
}

/** Starts a search at a position. */
function beginSearch(doc: Node, query: Query, from: number, seen: Finding['seen']): Finding {
  const search = createSearch(query)
  const found = search?.(doc) ?? []
  return { query, search, found, active: matchFrom(found, from), seen }
}

/** The same search in a changed document; the active match is the one nearest to the last active match. */
function searchAgain(finding: Finding, doc: Node): Finding {
  const found = finding.search?.(doc) ?? []
  const { active } = finding
  const isSame = active && matchNumber(found, active.number)
  if (isSame && isSame.from === active.from) return { ...finding, found, active: isSame }
  return { ...finding, found, active: active ? matchFrom(found, active.from) : matchFrom(found, 0) }
}

/** Moves to the next or previous match, wrapping around the document. */
function stepSearch(finding: Finding, by: 1 | -1): Finding {
  const count = countMatches(finding.found)
  if (count === 0) return finding
  const number = finding.active ? (finding.active.number + by + count) % count : 0
  return { ...finding, active: matchNumber(finding.found, number) }
}

/** The summary of a search. */
function summarize({ found, active }: Finding): FindSummary {
  return { count: countMatches(found), number: (active?.number ?? -1) + 1 }
}
