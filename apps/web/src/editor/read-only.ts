import { type Editor, Extension } from '@tiptap/core'
import { keydownHandler } from '@tiptap/pm/keymap'
import { Plugin, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { readOnlyKey } from './may-write.ts'
import { reviewKeys } from './review/review-keys.ts'

const movement = /^(?:Arrow.*|Home|End|Page.*|Escape)$/
const { comment, nextComment, previousComment, nextChange, previousChange, reply, resolve } = reviewKeys
const goTo = [nextComment, previousComment, nextChange, previousChange]
const isOfReaders = matchKeys('Mod-a', 'Mod-f', 'Mod-Alt-f', 'Alt-F10', ...goTo)
const isOfCommenters = matchKeys(comment, reply, resolve)

const writable: Record<string, string> = { 'aria-readonly': 'false', spellcheck: 'true' }
// No keyboard comes up on a touch screen.
const readable: Record<string, string> = { 'aria-readonly': 'true', inputmode: 'none', spellcheck: 'false' }

/**
 * Gives text that this person may not change a caret and a selection by keyboard, as an editor has; nothing that is done there changes it.
 * For the browser and ProseMirror (`view.editable`) the text is always editable: what may change it asks `editor.isEditable` or `mayWrite`.
 * TipTap's own extension `editable` has to be off.
 */
export function createReadOnly(canComment: () => boolean): Extension {
  return Extension.create({
    name: 'readOnly',
    // Before everything that a key or an event does, but behind what reads the caret for it.
    priority: 1300,
    addProseMirrorPlugins() {
      return [createPlugin(this.editor, canComment)]
    },
  })
}

function createPlugin(editor: Editor, canComment: () => boolean): Plugin {
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
    // Also the cursor that shows where something would be dropped listens to this element.
    event.stopImmediatePropagation()
    return true
  }
  return new Plugin({
    key: readOnlyKey,
    mayWrite: () => !isReadOnly(),
    // What an input method or a browser extension has written into the page is drawn over again.
    filterTransaction: (transaction) => !isReadOnly() || !transaction.docChanged || isFromYjs(transaction),
    props: {
      attributes: () => (isReadOnly() ? readable : writable),
      // ProseMirror plays keys that it has only seen the effects of.
      handleKeyDown: (view, event) => !passes(view, event),
      handleTextInput: isReadOnly,
      handleDOMEvents: {
        // The browser still does what it does with this key elsewhere.
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

function matchKeys(...keys: string[]): (view: EditorView, event: KeyboardEvent) => boolean {
  return keydownHandler(Object.fromEntries(keys.map((name) => [name, () => true])))
}

function isFromYjs(transaction: Transaction): boolean {
  const meta: { isChangeOrigin?: boolean } | undefined = transaction.getMeta(ySyncPluginKey)
  return meta?.isChangeOrigin === true
}
