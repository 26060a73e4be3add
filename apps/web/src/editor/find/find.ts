import { type Editor, Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { scrollToPosition } from '../scroll-to-position.ts'
import type { FindMode, WritingUi } from '../writing-ui.ts'
import { matchesBetween, type Query } from './find-matches.ts'
import { beginSearch, type Finding, searchAgain, stepSearch } from './find-state.ts'
import { replaceAll, replaceMatch } from './replace.ts'

const key = new PluginKey<Finding | null>('find')

/** Find and replace: the keys that open the bar, and the matches marked in the text. */
export function createFind(ui: WritingUi): Extension {
  const open = (mode: FindMode) => () => {
    ui.find.set(mode)
    return true
  }
  return Extension.create({
    name: 'find',
    addKeyboardShortcuts() {
      return {
        'Mod-f': open('find'),
        'Mod-Alt-f': this.editor.isEditable ? open('replace') : open('find'),
      }
    },
    addProseMirrorPlugins: () => [
      new Plugin<Finding | null>({
        key,
        state: {
          init: () => null,
          apply(transaction, finding) {
            const meta: { finding: Finding | null } | undefined = transaction.getMeta(key)
            if (meta) return meta.finding
            return finding && transaction.docChanged ? searchAgain(finding, transaction.doc) : finding
          },
        },
        props: { decorations: drawMatches },
        view: watchView,
      }),
    ],
  })
}

/** The search of an editor; null while there is none. */
export function readFinding(state: EditorState): Finding | null {
  return key.getState(state) ?? null
}

/** Searches from the caret on and shows the first match. An empty text ends the marks. */
export function find(editor: Editor, query: Query): void {
  const { view, state } = editor
  put(view, beginSearch(state.doc, query, readFinding(state)?.active?.from ?? state.selection.from, inView(view)))
  show(view)
}

/** Goes one match on or back. */
export function findNext({ view }: Editor, by: 1 | -1): void {
  const finding = readFinding(view.state)
  if (!finding) return
  put(view, stepSearch(finding, by))
  show(view)
}

/** Replaces the match that the reader is at, and goes to the next. */
export function replaceActive({ view }: Editor, words: string): void {
  const active = readFinding(view.state)?.active
  if (!active) return
  replaceMatch(view, active, words)
  const finding = readFinding(view.state)
  // What was put in may match again; the search goes on behind it.
  if (finding) put(view, beginSearch(view.state.doc, finding.query, active.from + words.length, finding.seen))
  show(view)
}

/** Replaces every match; answers how many there were. */
export function replaceEvery({ view }: Editor, words: string): number {
  return replaceAll(view, readFinding(view.state)?.found ?? [], words)
}

/** Ends the search and goes back to the text with the match selected. */
export function endFind({ view }: Editor): void {
  const active = readFinding(view.state)?.active
  const { tr } = view.state
  if (active) tr.setSelection(TextSelection.create(view.state.doc, active.from, active.to))
  view.dispatch(tr.setMeta(key, { finding: null }))
  view.focus()
}

function put(view: EditorView, finding: Finding | null): void {
  view.dispatch(view.state.tr.setMeta(key, { finding }).setMeta('addToHistory', false))
}

function show(view: EditorView): void {
  const active = readFinding(view.state)?.active
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  if (!active || !frame) return
  const { top, bottom } = view.coordsAtPos(active.from)
  // The bar stands over the upper edge.
  if (top < frame.top + 96 || bottom > frame.bottom - 48) scrollToPosition(view, active.from)
}

// Only what is in view is marked: a letter may stand in the document a hundred thousand times.
function drawMatches(state: EditorState): DecorationSet | null {
  const finding = readFinding(state)
  if (!finding || finding.found.length === 0) return null
  const { found, active, seen } = finding
  const matches = matchesBetween(found, seen.from, seen.to)
  if (active && !matches.some(({ number }) => number === active.number)) matches.push(active)
  return DecorationSet.create(
    state.doc,
    matches.map(({ from, to, number }) =>
      Decoration.inline(from, to, { class: number === active?.number ? 'find-match find-active' : 'find-match' }),
    ),
  )
}

function watchView(view: EditorView) {
  let frame = 0
  const look = () => {
    frame = 0
    const finding = view.isDestroyed ? null : readFinding(view.state)
    if (!finding) return
    const seen = inView(view)
    if (seen.from !== finding.seen.from || seen.to !== finding.seen.to) put(view, { ...finding, seen })
  }
  const lookSoon = () => {
    if (readFinding(view.state)) frame ||= requestAnimationFrame(look)
  }
  addEventListener('scroll', lookSoon, { capture: true, passive: true })
  addEventListener('resize', lookSoon)
  return {
    update: (_view: EditorView, before: EditorState) => {
      if (view.state.doc !== before.doc) lookSoon()
    },
    destroy() {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', lookSoon, { capture: true })
      removeEventListener('resize', lookSoon)
    },
  }
}

/** The stretch of the document that is in view, with as much again above and below. */
function inView(view: EditorView): Finding['seen'] {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const all = { from: 0, to: view.state.doc.content.size }
  if (!frame) return all
  return { from: blockNear(view, frame.top - frame.height), to: blockNear(view, frame.bottom + frame.height) }
}

// By halves over the blocks of the document: positions out of the window can't be asked for.
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
