import { type Editor, Extension } from '@tiptap/core'
import { keydownHandler } from '@tiptap/pm/keymap'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isFromYjs } from '../common/from-yjs.ts'
import { readOnlyKey } from '../common/may-write.ts'

const movement = /^(?:Arrow.*|Home|End|Page.*|Escape)$/
const ownKeys = ['Mod-a', 'Alt-F10']

const writable: Record<string, string> = { 'aria-readonly': 'false', spellcheck: 'true' }
// Suppresses the on-screen keyboard on touch screens.
const readable: Record<string, string> = { 'aria-readonly': 'true', inputmode: 'none', spellcheck: 'false' }

/** The other allowed shortcuts: for all users, and while `canComment` returns true. */
export type ReadOnlyOptions = {
  keysOfReaders: readonly string[]
  keysOfCommenters: readonly string[]
  canComment: () => boolean
}

/**
 * Gives read-only text a caret and keyboard selection, as in an editor, and rejects every change. For the browser and
 * ProseMirror (`view.editable`) the text is always editable: code that may change it must ask `editor.isEditable` or
 * `mayWrite`. TipTap's own extension `editable` has to be off.
 */
export function createReadOnly(options: ReadOnlyOptions): Extension {
  return Extension.create({
    name: 'readOnly',
    // Before all plugins that handle keys and events, but after those that read the caret for them.
    priority: 1300,
    addProseMirrorPlugins() {
      return [createPlugin(this.editor, options)]
    },
  })
}

function createPlugin(editor: Editor, { keysOfReaders, keysOfCommenters, canComment }: ReadOnlyOptions): Plugin {
  const isOfReaders = matchKeys([...ownKeys, ...keysOfReaders])
  const isOfCommenters = matchKeys(keysOfCommenters)
  const isReadOnly = () => !editor.options.editable
  const passes = (view: EditorView, event: KeyboardEvent) =>
    !isReadOnly() ||
    movement.test(event.key) ||
    isOfReaders(view, event) ||
    (canComment() && isOfCommenters(view, event))
  const refuse = (_view: EditorView, event: Event) => {
    if (isReadOnly()) event.preventDefault()
    return isReadOnly()
  }
  const refuseDrag = (view: EditorView, event: DragEvent) => {
    if (!refuse(view, event)) return false
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    // The drop cursor also listens to this element.
    event.stopImmediatePropagation()
    return true
  }
  return new Plugin({
    key: readOnlyKey,
    mayWrite: () => !isReadOnly(),
    // Redraws text that an input method or a browser extension has written into the page.
    filterTransaction: (transaction) => !isReadOnly() || !transaction.docChanged || isFromYjs(transaction),
    props: {
      attributes: () => (isReadOnly() ? readable : writable),
      // ProseMirror replays keys of which it has only received the effects.
      handleKeyDown: (view, event) => !passes(view, event),
      handleTextInput: isReadOnly,
      handleDOMEvents: {
        // The browser's default action of this key, outside of the text, is still executed.
        keydown: (view, event) => !passes(view, event),
        keypress: isReadOnly,
        beforeinput: refuse,
        compositionstart: refuse,
        compositionupdate: refuse,
        paste: refuse,
        cut: refuse,
        dragenter: refuseDrag,
        dragover: refuseDrag,
        drop: refuseDrag,
      },
    },
  })
}

function matchKeys(keys: readonly string[]): (view: EditorView, event: KeyboardEvent) => boolean {
  return keydownHandler(Object.fromEntries(keys.map((name) => [name, () => true])))
}
