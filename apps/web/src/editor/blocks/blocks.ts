import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { showError } from '../../ui/toasts/toasts.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { mayWrite } from '../common/may-write.ts'
import { createDragged } from './block-at.ts'
import type { BlockParts, BlocksOptions } from './block-parts.ts'
import { createFollowBlock } from './follow-block.ts'

/** The actions of menus on the selected blocks: `editor.storage.blocks`. */
type BlockActions = { step: (view: EditorView, direction: 'up' | 'down') => void }

declare module '@tiptap/core' {
  interface Storage {
    blocks: BlockActions
  }
}

/**
 * Block handling: a handle next to the block under the mouse to drag it, to open its menu and to insert below it; keys
 * that move the selected blocks and open the menu; a caret that follows its block when peers move it.
 */
export function createBlocks(options: BlocksOptions): Extension {
  let parts: Promise<BlockParts> | undefined
  let closed = false
  const load = () => (parts ??= import('./block-parts.ts').then(({ createBlockParts }) => createBlockParts(options)))
  const step = (view: EditorView, direction: 'up' | 'down') => {
    load().then((loaded) => loaded.step(view, direction), showError)
  }
  return Extension.create<object, BlockActions>({
    name: 'blocks',
    addStorage: () => ({ step }),
    onDestroy() {
      if (!closed) void parts?.then((loaded) => loaded.close())
      closed = true
    },
    addKeyboardShortcuts() {
      const press = (direction: 'up' | 'down') => () => {
        if (this.editor.isEditable) step(this.editor.view, direction)
        return this.editor.isEditable
      }
      return {
        'Mod-Shift-ArrowUp': press('up'),
        'Mod-Shift-ArrowDown': press('down'),
        'Alt-F9': ({ editor }) => openMenuAtCaret(editor.view, options.ui),
      }
    },
    addProseMirrorPlugins: () => [
      createFollowBlock(),
      createDragged(),
      new Plugin({ key: new PluginKey('blockHandle'), view: (view) => showHandleLater(view, load) }),
    ],
  })
}

// Loads the handle on the first mouse movement over the page; the move keys are then likely to be needed too.
function showHandleLater(view: EditorView, load: () => Promise<BlockParts>) {
  let handle: ReturnType<BlockParts['showHandle']> | undefined
  const stop = new AbortController()
  const loadHandle = (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType !== 'mouse') return
    document.removeEventListener('pointermove', loadHandle)
    document.removeEventListener('keydown', loadHandle)
    load().then((parts) => {
      if (!stop.signal.aborted) handle ??= parts.showHandle(view)
    }, showError)
  }
  document.addEventListener('pointermove', loadHandle, { passive: true, signal: stop.signal })
  document.addEventListener('keydown', loadHandle, { passive: true, signal: stop.signal })
  return {
    update: () => handle?.update(),
    destroy() {
      stop.abort()
      handle?.destroy()
    },
  }
}

function openMenuAtCaret(view: EditorView, ui: WritingUi): boolean {
  if (!mayWrite(view)) return false
  const { left, top, bottom } = view.coordsAtPos(view.state.selection.head)
  ui.blockMenu.set({ left, top, height: bottom - top })
  return true
}
