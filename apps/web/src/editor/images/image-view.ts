import { Extension } from '@tiptap/core'
import { DOMSerializer, type Node } from 'prosemirror-model'
import { NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { mayWrite } from '../common/may-write.ts'

/**
 * Draws images in plain DOM. An image that can't be loaded shows its description, or an error. A double click and the
 * button at its corner call `onEdit`, which edits the selected image.
 */
export function createImageViews(onEdit: () => void): Extension {
  return Extension.create({
    name: 'imageViews',
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('imageViews'),
        props: {
          nodeViews: { image: createImageView(onEdit) },
          handleDoubleClickOn(view, _position, node) {
            if (!mayWrite(view) || node.type.name !== 'image') return false
            onEdit()
            return true
          },
        },
      }),
    ],
  })
}

function createImageView(onEdit: () => void): NodeViewConstructor {
  return (node, view, getPos) => {
    const drawn = drawImage(node)
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'image-edit'
    button.addEventListener('click', () => {
      if (select(view, getPos())) onEdit()
    })
    const name = (image: Node) => {
      button.textContent = image.attrs.alt ? 'Edit description' : 'Add description'
    }
    drawn.dom.append(button)
    name(node)
    return {
      ...drawn,
      update(next) {
        if (!drawn.update(next)) return false
        drawn.dom.append(button)
        name(next)
        return true
      },
      stopEvent: (event) => event.target === button,
    }
  }
}

function select(view: EditorView, position: number | undefined): boolean {
  if (position === undefined || !mayWrite(view)) return false
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
  return true
}

function drawImage(initial: Node) {
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
    update(next: Node): boolean {
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
