import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { yCursorPluginKey } from 'y-prosemirror'

/** What tells before changes by others come in. */
export type Incoming = { readonly beforeIncoming: Set<() => void> }

const clickLastsMs = 500
// The editor puts it right after twenty, by a timer: on a busy machine later, but before a longer one that began with it.
const settlesWithinMs = 30

/**
 * Lets the editor know where the caret is before it matters. The browser tells of a click or an arrow key only in an event of its own, some
 * milliseconds later: what others write in between would put the caret back, and a key would act at the old place.
 */
export function createTimelySelection({ beforeIncoming }: Incoming): Extension {
  let read = () => {}
  let pointedAt = Number.NEGATIVE_INFINITY
  let settling: ReturnType<typeof setTimeout> | undefined
  return Extension.create({
    name: 'timelySelection',
    // Before whatever else a key does.
    priority: 1400,
    // The carets of others are drawn in a frame of their own, which may come between a click and its event.
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
              // What gives the focus back without a click leaves the caret at the start of the text, until the editor has put it right.
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
      // The editor listens for this event and reads the caret from the page; when it knows the place it does nothing.
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
