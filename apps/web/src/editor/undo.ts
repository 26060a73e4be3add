import { schema } from '@copydesk/schema'
import type { AnyExtension } from '@tiptap/core'
import { Collaboration } from '@tiptap/extension-collaboration'
import { defaultDeleteFilter, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'

const containers = new Set(Object.values(schema.nodes).flatMap(({ name, isLeaf }) => (isLeaf ? [] : [name])))

/**
 * Undo of what this user typed in this editor, never of changes by peers or the agent. Undoing the insertion of a block
 * keeps it while it holds other users' text, and always keeps the last block of the document: the editor would create a
 * new one immediately, which would clear the redo stack.
 */
export function createUndoManager(fragment: Y.XmlFragment): Y.UndoManager {
  return new Y.UndoManager(fragment, {
    trackedOrigins: new Set([ySyncPluginKey]),
    deleteFilter: (item) => !isLastBlock(item, fragment) && defaultDeleteFilter(item, containers),
    captureTransaction: (transaction) => transaction.meta.get('addToHistory') !== false,
  })
}

/** Binds an editor to the fragment, with an undo manager of its own that is destroyed with the editor. */
export function createBinding(fragment: Y.XmlFragment): AnyExtension {
  return Collaboration.extend({
    addProseMirrorPlugins() {
      this.options.yUndoOptions = { undoManager: createUndoManager(fragment) }
      return this.parent?.() ?? []
    },
  }).configure({ fragment })
}

function isLastBlock(item: Y.Item, fragment: Y.XmlFragment): boolean {
  return item.parent === fragment && fragment.length === 1
}
