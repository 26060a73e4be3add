import type { Editor } from '@tiptap/core'
import type { EditorState } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { scrollToPosition } from '../scroll-to-position.ts'
import { matchesBetween, type Query } from './find-matches.ts'
import { beginSearch, type Finding, searchAgain, stepSearch, summarize } from './find-state.ts'
import { type CarriedSearch, findKey } from './find-plugin.ts'
import { replaceAll, replaceMatch } from './replace.ts'

type Carried = CarriedSearch & { finding: Finding }

function carry(finding: Finding): Carried {
  return {
    finding,
    text: finding.query.text,
    summary: summarize(finding),
    active: finding.active,
    again: (doc) => carry(searchAgain(finding, doc)),
    draw: (state) => drawMatches(state, finding),
  }
}

function readFinding(state: EditorState): Finding | null {
  const carried = findKey.getState(state)
  return carried && 'finding' in carried ? (carried as Carried).finding : null
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
  if (finding) put(view, beginSearch(view.state.doc, finding.query, active.from + words.length, finding.seen))
  show(view)
}

/** Replaces every match; returns how many there were. */
export function replaceEvery({ view }: Editor, words: string): number {
  return replaceAll(view, readFinding(view.state)?.found ?? [], words)
}

function put(view: EditorView, finding: Finding): void {
  view.dispatch(view.state.tr.setMeta(findKey, { search: carry(finding) }).setMeta('addToHistory', false))
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
    matches.map(({ from, to, number }) =>
      Decoration.inline(from, to, { class: number === active?.number ? 'find-match find-active' : 'find-match' }),
    ),
  )
}

/** Keeps decorating what scrolls into view; returns a function that stops that. */
export function watchView({ view }: Editor): () => void {
  let frame = 0
  const look = () => {
    frame = 0
    const finding = view.isDestroyed ? null : readFinding(view.state)
    if (!finding) return
    const seen = inView(view)
    if (seen.from !== finding.seen.from || seen.to !== finding.seen.to) put(view, { ...finding, seen })
  }
  const lookSoon = () => {
    frame ||= requestAnimationFrame(look)
  }
  addEventListener('scroll', lookSoon, { capture: true, passive: true })
  addEventListener('resize', lookSoon)
  return () => {
    cancelAnimationFrame(frame)
    removeEventListener('scroll', lookSoon, { capture: true })
    removeEventListener('resize', lookSoon)
  }
}

/** The visible range of the document, with as much again above and below. */
function inView(view: EditorView): Finding['seen'] {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const all = { from: 0, to: view.state.doc.content.size }
  if (!frame) return all
  return { from: blockNear(view, frame.top - frame.height), to: blockNear(view, frame.bottom + frame.height) }
}

// Binary search over the top-level blocks: the browser gives no positions outside of the window.
function blockNear(view: EditorView, y: number): number {
  return nearestBlock(view.state, y, (position) => boxTop(view.nodeDOM(position)))
}

function boxTop(dom: globalThis.Node | null): number | undefined {
  return dom instanceof Element ? dom.getBoundingClientRect().top : undefined
}

function nearestBlock({ doc }: EditorState, y: number, topOf: (position: number) => number | undefined): number {
  const starts: number[] = []
  doc.forEach((_node, offset) => starts.push(offset))
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    const top = topOf(starts[middle] ?? 0)
    if (top !== undefined && top < y) low = middle + 1
    else high = middle
  }
  return starts[low] ?? doc.content.size
}
