import { firstIndex } from '@copydesk/schema/ids'
import type { Editor } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { createStore, sameJson, type Store } from '../../common/store.ts'
import type { Selection } from 'prosemirror-state'
import { selectedRanges } from '../common/positions.ts'
import { throttle, oncePerFrame } from '../../common/throttle.ts'

/** Headings and counts of a text. `current` is the index of the heading of the visible section, -1 above the first. */
export type TextFigures = {
  headings: readonly Heading[]
  current: number
  whole: TextCount
  selected: TextCount | null
}

/** The figures of a text, as a store to subscribe to. */
export type FollowedFigures = Pick<Store<TextFigures>, 'get' | 'subscribe'>

const readDelay = 250
const upperEdge = 96

/**
 * Reads headings and counts of an editor's text, shortly after it has changed and never on a key press. The first
 * subscriber starts it, the last one to unsubscribe stops it.
 */
export function followFigures(editor: Editor): FollowedFigures {
  const store = createStore<TextFigures>(readFigures(editor), sameJson)
  let listeners = 0
  const reading = throttle(readDelay, () => !editor.isDestroyed && store.set(readFigures(editor)))
  const looking = oncePerFrame(() => {
    const { headings } = store.get()
    if (!editor.isDestroyed) store.set({ ...store.get(), current: headingInView(editor, headings) })
  })
  const start = () => {
    editor.on('update', reading.schedule)
    editor.on('selectionUpdate', reading.schedule)
    addEventListener('scroll', looking.schedule, { capture: true, passive: true })
    reading.schedule()
  }
  const stop = () => {
    reading.cancel()
    looking.cancel()
    editor.off('update', reading.schedule)
    editor.off('selectionUpdate', reading.schedule)
    removeEventListener('scroll', looking.schedule, { capture: true })
  }
  return {
    get: store.get,
    subscribe(listener) {
      const leave = store.subscribe(listener)
      listeners += 1
      if (listeners === 1) start()
      return () => {
        leave()
        listeners -= 1
        if (listeners === 0) stop()
      }
    },
  }
}

function readFigures(editor: Editor): TextFigures {
  const { doc, selection } = editor.state
  const headings = readHeadings(doc)
  const selected = selection.empty ? null : countSelected(doc, selection)
  return {
    headings,
    current: headingInView(editor, headings),
    whole: countText(doc),
    selected: selected && selected.characters > 0 ? selected : null,
  }
}

// The caret's section while its heading is in view, else the section at the upper edge: the last headings of a text
// can't be scrolled up to it.
function headingInView({ view }: Editor, headings: readonly Heading[]): number {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  if (!frame || headings.length === 0) return -1
  const topOf = ({ position }: Heading) => {
    const dom = view.nodeDOM(position)
    return dom instanceof Element ? dom.getBoundingClientRect().top : Number.POSITIVE_INFINITY
  }
  const atCaret = headingAt(headings, view.state.selection.head)
  const own = headings[atCaret]
  const height = own ? topOf(own) : frame.bottom
  if (height >= frame.top && height < frame.bottom) return atCaret
  return firstIndex(headings, (heading) => topOf(heading) > frame.top + upperEdge) - 1
}

/** A heading of the document: its text, its level (1–6), and its position. */
type Heading = { text: string; level: number; position: number }

const longestShown = 300

/** The headings of a document in order, without empty ones. */
export function readHeadings(doc: Node): Heading[] {
  const headings: Heading[] = []
  doc.descendants((node, position) => {
    if (node.type.name === 'heading') {
      const text = node.textBetween(0, Math.min(node.content.size, longestShown), ' ', leafText).trim()
      const level: unknown = node.attrs.level
      if (text !== '') headings.push({ text, level: typeof level === 'number' ? level : 1, position })
    }
    return !node.isTextblock
  })
  return headings
}

/** The index of the last heading that begins at or before a position; -1 above the first. */
export function headingAt(headings: readonly Heading[], position: number): number {
  return headings.findLastIndex((heading) => heading.position <= position)
}

function leafText(leaf: Node): string {
  return leaf.type.name === 'mention' ? `@${String(leaf.attrs.label)}` : leaf.type.name === 'hardBreak' ? ' ' : ''
}

/** The length of a text. Characters are code points, including spaces and excluding line ends. */
export type TextCount = { words: number; characters: number }

// In scripts without spaces each character counts as a word.
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}\p{M}]+(?:['’_.:-][\p{L}\p{N}\p{M}]+)*/gu
const known = new WeakMap<Node, TextCount>()

/** Counts a range of a document, by default all of it; unchanged blocks are counted only once. */
export function countText(doc: Node, from = 0, to = doc.content.size): TextCount {
  const total = { words: 0, characters: 0 }
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isTextblock) return true
    const start = Math.max(0, from - position - 1)
    const end = Math.min(node.content.size, to - position - 1)
    const count = start === 0 && end === node.content.size ? countBlock(node) : countWords(textOf(node, start, end))
    total.words += count.words
    total.characters += count.characters
    return false
  })
  return total
}

/** Counts the selected text; of a cell selection only the selected cells. */
export function countSelected(doc: Node, selection: Selection): TextCount {
  const total = { words: 0, characters: 0 }
  for (const { from, to } of selectedRanges(selection)) {
    const count = countText(doc, from, to)
    total.words += count.words
    total.characters += count.characters
  }
  return total
}

function countBlock(block: Node): TextCount {
  const count = known.get(block) ?? countWords(textOf(block, 0, block.content.size))
  known.set(block, count)
  return count
}

function textOf(block: Node, from: number, to: number): string {
  return to > from
    ? block.textBetween(from, to, ' ', (leaf) => (leaf.type.name === 'mention' ? `@${String(leaf.attrs.label)}` : ''))
    : ''
}

/** Counts the words and characters of a plain text. */
export function countWords(text: string): TextCount {
  return { words: text.match(word)?.length ?? 0, characters: [...text].length }
}
