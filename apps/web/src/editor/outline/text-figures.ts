import type { Editor } from '@tiptap/core'
import { createStore, sameJson, type Store } from '../../app/store.ts'
import { countText, type TextCount } from './count-words.ts'
import { type Heading, headingAt, readHeadings } from './headings.ts'

/** Headings and counts of a text. `current` is the index of the heading of the section in view, -1 above the first. */
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
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  const read = () => {
    timer = undefined
    if (!editor.isDestroyed) store.set(readFigures(editor))
  }
  const readSoon = () => {
    timer ??= setTimeout(read, readDelay)
  }
  const look = () => {
    frame = 0
    const { headings } = store.get()
    if (!editor.isDestroyed) store.set({ ...store.get(), current: headingInView(editor, headings) })
  }
  const lookSoon = () => {
    frame ||= requestAnimationFrame(look)
  }
  const start = () => {
    editor.on('update', readSoon)
    editor.on('selectionUpdate', readSoon)
    addEventListener('scroll', lookSoon, { capture: true, passive: true })
    readSoon()
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    cancelAnimationFrame(frame)
    frame = 0
    editor.off('update', readSoon)
    editor.off('selectionUpdate', readSoon)
    removeEventListener('scroll', lookSoon, { capture: true })
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
  const selected = selection.empty ? null : countText(doc, selection.from, selection.to)
  return {
    headings,
    current: headingInView(editor, headings),
    whole: countText(doc),
    selected: selected && selected.characters > 0 ? selected : null,
  }
}

// The caret's section when its heading is visible, else the section at the upper edge.
function headingInView({ view }: Editor, headings: readonly Heading[]): number {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  if (!frame || headings.length === 0) return -1
  let low = 0
  let high = headings.length
  while (low < high) {
    const middle = (low + high) >> 1
    const dom = view.nodeDOM(headings[middle]?.position ?? 0)
    const top = dom instanceof Element ? dom.getBoundingClientRect().top : Number.POSITIVE_INFINITY
    if (top <= frame.top + upperEdge) low = middle + 1
    else high = middle
  }
  return low > 0 ? headingAt(headings, headings[low - 1]?.position ?? 0) : -1
}
