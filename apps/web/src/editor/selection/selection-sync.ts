import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { yCursorPluginKey } from 'y-prosemirror'

/** Runs callbacks before remote changes are applied. */
export type Incoming = { readonly beforeIncoming: Set<() => void> }

const clickLastsMs = 500
// The editor corrects the selection after twenty milliseconds, by a timer: later on a busy machine, but before a longer
// timer that started with it.
const settlesWithinMs = 30

/**
 * Synchronizes the editor's selection with the browser's before it is needed. The browser reports a click or an arrow
 * key only in a separate event, some milliseconds later: a remote change in between would reset the caret, and a key
 * would act at the old position.
 */
export function createSelectionSync({ beforeIncoming }: Incoming): Extension {
  let read = () => {}
  let pointedAt = Number.NEGATIVE_INFINITY
  let settling: ReturnType<typeof setTimeout> | undefined
  return Extension.create({
    name: 'timelySelection',
    // Before all other key handlers.
    priority: 1400,
    // Peers' carets are drawn in a separate frame, which may occur between a click and its event.
    dispatchTransaction({ transaction, next }) {
      const { view } = this.editor
      if (transaction.getMeta(yCursorPluginKey) !== undefined && !transaction.docChanged) {
        const before = view.state
        read()
        if (view.state.doc === before.doc && !view.state.selection.eq(before.selection))
          transaction.setSelection(view.state.selection)
      }
      next(transaction)
    },
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('timelySelection'),
        props: {
          handleDOMEvents: {
            mousedown() {
              pointedAt = performance.now()
              return false
            },
            focus() {
              // Focus without a click puts the caret at the start of the text, until the editor has corrected it.
              if (performance.now() - pointedAt <= clickLastsMs) return false
              clearTimeout(settling)
              settling = setTimeout(() => (settling = undefined), settlesWithinMs)
              return false
            },
            keydown(_view, event) {
              if (!event.isComposing) read()
              return false
            },
          },
        },
        view(view) {
          const reader = createReader(view)
          read = () => {
            if (settling === undefined) reader.read()
          }
          const readBefore = () => read()
          beforeIncoming.add(readBefore)
          return {
            destroy() {
              beforeIncoming.delete(readBefore)
              reader.close()
            },
          }
        },
      }),
    ],
  })
}

type Place = Pick<Selection, 'anchorNode' | 'anchorOffset' | 'focusNode' | 'focusOffset'>

function createReader(view: EditorView) {
  const page = view.dom.ownerDocument
  let told: Place | null = null
  const note = () => (told = placeOf(page.getSelection()))
  page.addEventListener('selectionchange', note)
  return {
    read() {
      if (view.isDestroyed || view.composing || isSame(told, page.getSelection())) return
      // The editor listens for this event and reads the caret from the DOM; if it already knows the position, this has
      // no effect.
      page.dispatchEvent(new Event('selectionchange'))
    },
    close: () => page.removeEventListener('selectionchange', note),
  }
}

function placeOf(selection: Selection | null): Place | null {
  if (!selection) return null
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  return { anchorNode, anchorOffset, focusNode, focusOffset }
}

function isSame(a: Place | null, b: Place | null): boolean {
  return (
    a?.anchorNode === b?.anchorNode &&
    a?.anchorOffset === b?.anchorOffset &&
    a?.focusNode === b?.focusNode &&
    a?.focusOffset === b?.focusOffset
  )
}
