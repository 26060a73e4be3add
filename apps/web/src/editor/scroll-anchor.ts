import { Extension } from '@tiptap/core'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'

const key = new PluginKey<boolean>('steadyView')

/**
 * Nothing moves under the eyes of whoever is writing: when others write above the caret, its line stays where it is on the screen, and their changes
 * never scroll back to a caret that was scrolled away from. Without the focus in the text the browser's own anchoring does this.
 */
export function createScrollAnchor(doc: Y.Doc): Extension {
  return Extension.create({
    name: 'steadyView',
    // Before whoever else decides what scrolls.
    priority: 1300,
    addProseMirrorPlugins: () => [
      new Plugin<boolean>({
        key,
        state: {
          init: () => false,
          apply: (transaction, isOthers) =>
            transaction.getMeta('appendedTransaction') === undefined ? isByOthers(transaction) : isOthers,
        },
        props: { handleScrollToSelection: (view) => key.getState(view.state) === true },
        view: (view) => holdLine(view, doc),
      }),
    ],
  })
}

function isByOthers(transaction: Transaction): boolean {
  const meta: { isChangeOrigin?: boolean; isUndoRedoOperation?: boolean } | undefined =
    transaction.getMeta(ySyncPluginKey)
  return meta?.isChangeOrigin === true && meta.isUndoRedoOperation !== true
}

type Held = { height: number; scrolled: number; scroller: HTMLElement }

function holdLine(view: EditorView, doc: Y.Doc) {
  let held: Held | null = null
  let frame = 0
  const settle = () => {
    frame = 0
    if (!held) return
    const { scroller, height, scrolled } = held
    held = null
    const now = view.isDestroyed ? null : caretHeight(view, scroller)
    // Whoever has scrolled meanwhile meant it.
    if (now !== null && scroller.scrollTop === scrolled) scroller.scrollTop += now - height
    scroller.style.overflowAnchor = ''
  }
  // Once a frame, before the first change in it is drawn.
  const take = (transaction: Y.Transaction) => {
    const scroller = view.dom.closest<HTMLElement>('[data-scroller]')
    if (transaction.local || held || !scroller || !view.hasFocus()) return
    const height = caretHeight(view, scroller)
    if (height === null || height < 0 || height > scroller.clientHeight) return
    held = { height, scrolled: scroller.scrollTop, scroller }
    // The browser would move the text too, by what it takes for an anchor.
    scroller.style.overflowAnchor = 'none'
    frame ||= requestAnimationFrame(settle)
  }
  doc.on('beforeObserverCalls', take)
  return {
    update(_view: EditorView, before: EditorView['state']) {
      const { doc: text, selection } = view.state
      const isOwn = key.getState(view.state) !== true && (text !== before.doc || !selection.eq(before.selection))
      if (held && isOwn) held = { ...held, scrolled: Number.NaN }
    },
    destroy() {
      cancelAnimationFrame(frame)
      doc.off('beforeObserverCalls', take)
    },
  }
}

function caretHeight(view: EditorView, scroller: HTMLElement): number | null {
  try {
    return view.coordsAtPos(view.state.selection.head).top - scroller.getBoundingClientRect().top
  } catch {
    // The text is being redrawn.
    return null
  }
}
