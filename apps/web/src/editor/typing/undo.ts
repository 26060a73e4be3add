import { schema } from '@copydesk/schema'
import { type AnyExtension, type Editor, Extension } from '@tiptap/core'
import { Collaboration } from '@tiptap/extension-collaboration'
import { type EditorState, Plugin, PluginKey, Selection } from 'prosemirror-state'
import { defaultDeleteFilter, ySyncPluginKey, yUndoPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'

const containers = new Set(Object.values(schema.nodes).flatMap(({ name, isLeaf }) => (isLeaf ? [] : [name])))

/**
 * Undo of this user's edits in this editor, never of changes by peers or the agent. Undoing the insertion of a block
 * keeps the block while it contains other users' text, and always keeps the last block of the document: the editor
 * would create a new one immediately, which would clear the redo stack.
 */
export function createUndoManager(fragment: Y.XmlFragment): Y.UndoManager {
  return new Y.UndoManager(fragment, {
    trackedOrigins: new Set([ySyncPluginKey]),
    deleteFilter: (item) => !isLastBlock(item, fragment) && defaultDeleteFilter(item, containers),
    captureTransaction: (transaction) => transaction.meta.get('addToHistory') !== false,
  })
}

/** Binds an editor to the fragment, with its own undo manager, which is destroyed with the editor. */
export function createBinding(fragment: Y.XmlFragment): AnyExtension {
  return Collaboration.extend({
    addProseMirrorPlugins() {
      const undoManager = createUndoManager(fragment)
      this.options.yUndoOptions = { undoManager }
      return [createCaretMoves(undoManager), ...(this.parent?.() ?? [])]
    },
  }).configure({ fragment })
}

const caretKeys = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'])

// Typing continues the same undo step as long as its pauses are short. Typing at another position begins a new one.
function createCaretMoves(undoManager: Y.UndoManager): Plugin {
  return new Plugin({
    key: new PluginKey('caretMoves'),
    props: {
      handleDOMEvents: {
        pointerdown: () => undoManager.stopCapturing(),
        keydown: (_view, { key, isComposing }) => {
          if (!isComposing && caretKeys.has(key)) undoManager.stopCapturing()
        },
      },
    },
  })
}

/** Ends the user's undo step: later edits are undone separately. */
export function endUndoStep(state: EditorState): void {
  yUndoPluginKey.getState(state)?.undoManager.stopCapturing()
}

/** Runs dispatches as one update for peers, and as a separate undo step. Returns the result of `act`. */
export function asUndoStep<Result>(state: EditorState, act: () => Result): Result {
  const doc = ySyncPluginKey.getState(state)?.doc
  endUndoStep(state)
  const result = doc ? doc.transact(act, ySyncPluginKey) : act()
  endUndoStep(state)
  return result
}

/** The offer of a message to undo this user's last change: open as long as it is the last one. */
export type UndoOffer = {
  run: () => void
  offered: { subscribe: (listener: () => void) => () => void; isOpen: () => boolean }
}

/** Offers to undo the last change of the editor; undefined if there is none. */
export function offerUndo(state: EditorState): UndoOffer | undefined {
  const manager = yUndoPluginKey.getState(state)?.undoManager
  const change = manager?.undoStack.at(-1)
  if (!manager || !change) return undefined
  const isOpen = () => manager.undoStack.at(-1) === change
  const events = ['stack-item-added', 'stack-item-popped', 'stack-cleared'] as const
  const subscribe = (listener: () => void) => {
    for (const event of events) manager.on(event, listener)
    return () => {
      for (const event of events) manager.off(event, listener)
    }
  }
  return { run: () => isOpen() && manager.undo(), offered: { subscribe, isOpen } }
}

function isLastBlock(item: Y.Item, fragment: Y.XmlFragment): boolean {
  return item.parent === fragment && fragment.length === 1
}

/**
 * The range of an applied rule: `text`, the last of the typed characters, was about to replace the range from `from` to
 * `to`.
 */
type AppliedRule = { from: number; to: number; text: string }

/**
 * Makes an input rule such as `# ` a separate undo step, apart from the typing before and after it. Immediately after
 * it, undo and Backspace restore the typed characters.
 */
export const RuleUndo = Extension.create({
  name: 'ruleUndo',
  // Before the binding writes the change into the shared document, and after the undo of the agent's run.
  priority: 1150,
  addKeyboardShortcuts() {
    const undoConversion = () => giveCharactersBack(this.editor)
    return { Backspace: undoConversion, 'Mod-z': undoConversion }
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      key: new PluginKey('ruleUndo'),
      view: () => ({
        update(view, before) {
          const applied = appliedRule(view.state)
          if (view.state.doc === before.doc || applied === appliedRule(before)) return
          endUndoStep(view.state)
        },
      }),
    }),
  ],
})

function giveCharactersBack({ state, view }: Editor): boolean {
  const applied = appliedRule(state)
  const undo = yUndoPluginKey.getState(state)?.undoManager
  if (!applied || !undo || undo.undoStack.length === 0) return false
  undo.undo()
  undo.stopCapturing()
  // Undo restores the text, but doesn't put the caret into it.
  const { tr } = view.state
  if (applied.to > tr.doc.content.size) return true
  const typed = applied.text === '\n' ? '' : applied.text
  tr.insertText(typed, applied.from, applied.to)
  tr.setSelection(Selection.near(tr.doc.resolve(applied.from + typed.length), -1))
  view.dispatch(tr.scrollIntoView())
  return true
}

function appliedRule(state: EditorState): AppliedRule | undefined {
  for (const plugin of state.plugins) {
    const value: unknown = 'isInputRules' in plugin.spec ? plugin.getState(state) : undefined
    if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string') {
      return value as AppliedRule
    }
  }
  return undefined
}
