import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { readTitle } from '../../collaboration/hooks.ts'
import { createStore } from '../../common/store.ts'
import { drawAllMath } from '../../editor/math/math-view.ts'
import { drawPrinted, type PrintedParts } from './printed-parts.ts'

const key = new PluginKey<PrintedParts | null>('printing')

// Set until the print dialog closes; the browser's own command prints the text without comments.
const withComments = createStore(false)

/** Opens the browser's print dialog for the document, optionally with its open comments. */
export async function printDocument({ comments }: { comments: boolean }): Promise<void> {
  await drawAllMath()
  await document.fonts.ready
  withComments.set(comments)
  globalThis.print()
}

/**
 * Prepares the text for printing from the browser's menu or the document's; `styles/document/print.css` does the rest.
 * Doesn't change the document.
 */
export function createPrinting({ meta, room }: Pick<DocumentConnection, 'meta' | 'room'>): Extension {
  const readParts = (): PrintedParts => ({
    title: readTitle(meta),
    threads: withComments.get() ? [...room.get().threads.values()] : [],
  })
  return Extension.create({
    name: 'printing',
    addProseMirrorPlugins: () => [
      new Plugin<PrintedParts | null>({
        key,
        state: {
          init: () => null,
          apply: (transaction, parts) => {
            const next: PrintedParts | null | undefined = transaction.getMeta(key)
            return next === undefined ? parts : next
          },
        },
        props: { decorations: draw },
        view: (view) => followPrinting(view, readParts),
      }),
    ],
  })
}

function draw(state: EditorState) {
  const parts = key.getState(state)
  return parts && drawPrinted(state.doc, parts)
}

function followPrinting(view: EditorView, readParts: () => PrintedParts) {
  const put = (parts: PrintedParts | null) => view.dispatch(view.state.tr.setMeta(key, parts))
  const onBefore = () => {
    // Formulas are drawn before the browser continues, unless KaTeX is still loading.
    void drawAllMath()
    put(readParts())
  }
  const onAfter = () => {
    withComments.set(false)
    put(null)
  }
  addEventListener('beforeprint', onBefore)
  addEventListener('afterprint', onAfter)
  return {
    destroy() {
      removeEventListener('beforeprint', onBefore)
      removeEventListener('afterprint', onAfter)
    },
  }
}
