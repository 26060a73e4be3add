import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'

/**
 * Keeps React from noting where the selection stands in the text (`docs/decisions/0014-react-leaves-the-selection-alone.md`). Scripts that
 * ask the text's element for `contentEditable` hear `plaintext-only` while it can be written in; its attribute, `isContentEditable` and what
 * the browser does stay as they are.
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
