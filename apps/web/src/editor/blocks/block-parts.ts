import type { EditorView } from 'prosemirror-view'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { caretsOfOthers } from '../common/carets-of-others.ts'
import type { WritingUi } from '../common/editor-ui.ts'
import { mayWrite } from '../common/may-write.ts'
import { selectedBlocks } from './block-at.ts'
import { stepBlocks } from './block-commands.ts'
import { createHandleView } from './handle-view.ts'
import { forwardTyping, type MoveContext } from './move-blocks.ts'

/** The options of blocks: the carets of peers, the document, and the interface state. */
export type BlocksOptions = { awareness: Awareness | null; doc: Y.Doc; ui: WritingUi }

/** The parts of blocks that are loaded on first use: moves by one, and the handle. */
export type BlockParts = {
  step(view: EditorView, direction: 'up' | 'down'): void
  /** Shows the handle next to the block under the mouse; the returned object removes it. */
  showHandle(view: EditorView): { update(): void; destroy(): void }
  close(): void
}

/** Creates them for one editor. */
export function createBlockParts({ awareness, doc, ui }: BlocksOptions): BlockParts {
  const forwarder = forwardTyping(doc)
  const contextOf = (view: EditorView): MoveContext => ({
    carets: () => caretsOfOthers(awareness, view.state),
  })
  return {
    step(view, direction) {
      const range = mayWrite(view) && !view.isDestroyed ? selectedBlocks(view.state) : null
      if (range) stepBlocks(view, range, direction, contextOf(view))
    },
    showHandle: (view) => createHandleView(view, ui, contextOf(view)),
    close: () => forwarder.close(),
  }
}
