import { Extension } from '@tiptap/core'
import { CellSelection } from '@tiptap/pm/tables'
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { isFromYjs } from '../common/from-yjs.ts'

const key = new PluginKey<boolean>('keptSelection')

/**
 * Marks the selection with the class `kept-selection` while the text has no focus. The browser's own selection is
 * cleared meanwhile, so that the two don't overlap; ProseMirror restores it when the focus returns by keyboard or
 * command.
 */
export const KeptSelection = Extension.create({
  name: 'keptSelection',
  addProseMirrorPlugins() {
    const { editor } = this
    return [
      new Plugin<boolean>({
        key,
        state: {
          init: () => false,
          apply: (transaction, isKept) => nextKept(isKept, transaction, editor.isFocused),
        },
        props: {
          decorations: drawKept,
          handleDOMEvents: {
            blur(view) {
              if (isRange(view.state)) document.getSelection()?.removeAllRanges()
              return false
            },
          },
        },
      }),
    ]
  },
})

/**
 * Whether the mark is shown after a transaction: from blur until this user makes another selection in the text. Focus
 * alone doesn't remove it: a click focuses the text before its position is known, and any redraw in between would
 * restore the old selection, so that the click would be lost and the next key would replace the old selection.
 */
export function nextKept(isKept: boolean, transaction: Transaction, isFocused: boolean): boolean {
  if (transaction.getMeta('blur') !== undefined) return true
  // The binding resets the selection on every remote change.
  return isKept && !(isFocused && transaction.selectionSet && !isFromYjs(transaction))
}

function drawKept(state: EditorState): DecorationSet | null {
  // Selected cells have their own mark, and the text between the first and the last cell isn't the selection.
  if (key.getState(state) !== true || !isRange(state) || isCells(state)) return null
  const { from, to } = state.selection
  return DecorationSet.create(state.doc, [Decoration.inline(from, to, { class: 'kept-selection' })])
}

function isCells({ selection }: EditorState): boolean {
  return selection instanceof CellSelection
}

function isRange({ selection }: EditorState): boolean {
  return !selection.empty && !(selection instanceof NodeSelection)
}

/**
 * Keeps React from recording the selection in the text (`docs/decisions/0014-react-leaves-the-selection-alone.md`).
 * Scripts that read `contentEditable` of the text's element get `plaintext-only` while it is editable; its attribute,
 * `isContentEditable` and the browser's behaviour don't change.
 */
export const OwnSelection = Extension.create({
  name: 'ownSelection',
  addProseMirrorPlugins: () => [
    new Plugin({
      key: new PluginKey('ownSelection'),
      view({ dom }) {
        hideFromReact(dom)
        return { destroy: () => void Reflect.deleteProperty(dom, 'contentEditable') }
      },
    }),
  ],
})

function hideFromReact(dom: HTMLElement): void {
  const given = () => dom.getAttribute('contenteditable') ?? 'inherit'
  Object.defineProperty(dom, 'contentEditable', {
    configurable: true,
    get: () => (given() === 'true' ? 'plaintext-only' : given()),
    set(value: string) {
      dom.setAttribute('contenteditable', value)
    },
  })
}
