import { Extension } from '@tiptap/core'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { fromJson, toPosition } from '../relative-position.ts'
import type { WritingUi } from '../writing-ui.ts'
import { type BlockRange, selectedBlocks } from './block-at.ts'
import { stepBlocks } from './block-commands.ts'
import { createFollowBlock } from './follow-block.ts'
import { createHandleView, draggedKey } from './handle-view.ts'
import { createLateText, type LateText } from './late-text.ts'
import type { MoveContext } from './move-blocks.ts'

/** What blocks need from outside: who else is writing where, the document, and what the interface shows. */
export type BlocksOptions = { awareness: Awareness | null; doc: Y.Doc; ui: WritingUi }

/** What menus do with the selected blocks: `editor.storage.blocks`. */
type BlockActions = { step: (view: EditorView, direction: 'up' | 'down') => boolean }

declare module '@tiptap/core' {
  interface Storage {
    blocks: BlockActions
  }
}

/**
 * Blocks as things one takes hold of: a handle beside the block under the mouse to drag it, to open its menu and to insert below it; keys that move
 * the selected blocks and open the menu; a caret that goes along when others move its block.
 */
export function createBlocks({ awareness, doc, ui }: BlocksOptions): Extension {
  let late: LateText | undefined
  const context = (view: EditorView): MoveContext => ({
    carets: () => (awareness ? caretsOfOthers(awareness, view) : []),
    late: (late ??= createLateText(doc)),
  })
  const step = (view: EditorView, direction: 'up' | 'down') => {
    const range = view.editable ? selectedBlocks(view.state) : null
    if (range) stepBlocks(view, range, direction, context(view))
    return range !== null
  }
  return Extension.create<object, BlockActions>({
    name: 'blocks',
    addStorage: () => ({ step }),
    onDestroy: () => late?.close(),
    addKeyboardShortcuts: () => ({
      'Mod-Shift-ArrowUp': ({ editor }) => step(editor.view, 'up'),
      'Mod-Shift-ArrowDown': ({ editor }) => step(editor.view, 'down'),
      'Alt-F9': ({ editor }) => openMenuAtCaret(editor.view, ui),
    }),
    addProseMirrorPlugins: () => [
      createFollowBlock(),
      new Plugin<BlockRange | null>({
        key: draggedKey,
        state: {
          init: () => null,
          apply(transaction, dragged) {
            const meta: { range: BlockRange | null } | undefined = transaction.getMeta(draggedKey)
            // Positions don't outlive what others write; the block is found again when it is let go.
            return meta ? meta.range : transaction.docChanged ? null : dragged
          },
        },
        props: { decorations: (state) => drawDragged(state.doc, draggedKey.getState(state)) },
        view: (view) => createHandleView(view, ui, context(view)),
      }),
    ],
  })
}

function drawDragged(doc: Parameters<typeof DecorationSet.create>[0], range: BlockRange | null | undefined) {
  if (!range) return null
  return DecorationSet.create(doc, [Decoration.node(range.from, range.to, { class: 'block-held' })])
}

function openMenuAtCaret(view: EditorView, ui: WritingUi): boolean {
  if (!view.editable) return false
  const { left, top, bottom } = view.coordsAtPos(view.state.selection.head)
  ui.blockMenu.set({ left, top, height: bottom - top })
  return true
}

function caretsOfOthers(awareness: Awareness, { state }: EditorView): number[] {
  const carets: number[] = []
  for (const [client, peer] of awareness.getStates()) {
    const head: unknown = client === awareness.clientID ? undefined : peer.cursor?.head
    const position = head && ySyncPluginKey.getState(state) ? toPosition(state, fromJson(head)) : undefined
    if (position !== undefined) carets.push(position)
  }
  return carets
}
