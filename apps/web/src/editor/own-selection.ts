import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'

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
