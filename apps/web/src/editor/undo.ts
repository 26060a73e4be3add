import { schema } from '@copydesk/schema'
import type { AnyExtension } from '@tiptap/core'
import { Collaboration } from '@tiptap/extension-collaboration'
import { defaultDeleteFilter, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'

const containers = new Set(Object.values(schema.nodes).flatMap(({ name, isLeaf }) => (isLeaf ? [] : [name])))

/**
 * Undo of what this person typed in this editor, never of what others or the agent did. Taking back a block leaves it
 * standing while it holds somebody else's text, and the last block of the document always stays: the editor would write
 * a new one at once, and with that forget what could be redone.
 */
export function createUndoManager(fragment: Y.XmlFragment): Y.UndoManager {
  return new Y.UndoManager(fragment, {
    trackedOrigins: new Set([ySyncPluginKey]),
    deleteFilter: (item) => !isLastBlock(item, fragment) && defaultDeleteFilter(item, containers),
    captureTransaction: (transaction) => transaction.meta.get('addToHistory') !== false,
  })
}

/** Binds an editor to the fragment, with an undo manager of its own that goes when the editor goes. */
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
