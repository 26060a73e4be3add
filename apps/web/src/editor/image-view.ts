import { Extension } from '@tiptap/core'
import { DOMSerializer, type Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { NodeViewConstructor } from 'prosemirror-view'

/** Draws images, plain DOM. One that can't be loaded shows its description, or says that it can't. */
export const ImageViews = Extension.create({
  name: 'imageViews',
  addProseMirrorPlugins: () => [
    new Plugin({ key: new PluginKey('imageViews'), props: { nodeViews: { image: createImageView } } }),
  ],
})

const createImageView: NodeViewConstructor = (initial) => {
  let node = initial
  const dom = document.createElement('div')
  dom.className = 'image-view'
  const render = () => {
    const picture = renderPicture(node)
    const missing = document.createElement('span')
    missing.className = 'image-missing'
    missing.dir = 'auto'
    missing.textContent = String(node.attrs.alt || '') || 'Image can’t be loaded'
    const show = (loads: boolean) => {
      picture.hidden = !loads
      missing.hidden = loads
    }
    picture.addEventListener('error', () => show(false))
    picture.addEventListener('load', () => show(true))
    show(Boolean(node.attrs.src))
    dom.replaceChildren(picture, missing)
  }
  render()
  return {
    dom,
    update(next) {
      if (next.type !== node.type) return false
      const changed = !next.sameMarkup(node)
      node = next
      if (changed) render()
      return true
    },
    ignoreMutation: () => true,
  }
}

function renderPicture(node: Node): HTMLElement {
  const spec = node.type.spec.toDOM?.(node)
  const dom = spec && DOMSerializer.renderSpec(document, spec).dom
  return dom instanceof HTMLElement ? dom : document.createElement('img')
}
