import { Extension } from '@tiptap/core'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { oncePerFrame } from '../../common/throttle.ts'

const key = new PluginKey<boolean>('steadyView')

/**
 * Keeps the caret's line at the same height on the screen when peers write above it; remote changes never scroll back
 * to a caret that was scrolled out of view. Without focus in the text the browser's own scroll anchoring does this.
 */
export function createScrollAnchor(doc: Y.Doc): Extension {
  return Extension.create({
    name: 'steadyView',
    // Before all other plugins that handle scrolling.
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
  const { schedule: settleSoon, cancel } = oncePerFrame(() => {
    if (!held) return
    const { scroller, height, scrolled } = held
    held = null
    const now = view.isDestroyed ? null : caretHeight(view, scroller)
    // If the user has scrolled meanwhile, their scroll position is kept.
    if (now !== null && scroller.scrollTop === scrolled) scroller.scrollTop += now - height
    scroller.style.overflowAnchor = ''
  })
  // Once per frame, before the first change in it is drawn.
  const take = (transaction: Y.Transaction) => {
    const scroller = view.dom.closest<HTMLElement>('[data-scroller]')
    if (transaction.local || held || !scroller || !view.hasFocus()) return
    const height = caretHeight(view, scroller)
    if (height === null || height < 0 || height > scroller.clientHeight) return
    held = { height, scrolled: scroller.scrollTop, scroller }
    // The browser's scroll anchoring would scroll as well.
    scroller.style.overflowAnchor = 'none'
    settleSoon()
  }
  doc.on('beforeObserverCalls', take)
  return {
    update(_view: EditorView, before: EditorView['state']) {
      const { doc: text, selection } = view.state
      const isOwn = key.getState(view.state) !== true && (text !== before.doc || !selection.eq(before.selection))
      if (held && isOwn) held = { ...held, scrolled: Number.NaN }
    },
    destroy() {
      cancel()
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
