import { Extension } from '@tiptap/core'
import { NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { mayWrite } from '../may-write.ts'
import { renderMath } from './katex.ts'

/** What happens when somebody wants to change the selected formula. */
export type MathOptions = { onEdit: (kind: 'inlineMath' | 'blockMath') => void }

/** Draws formulas, plain DOM; a click or Enter on one selects it and asks for editing. */
export function createMath({ onEdit }: MathOptions): Extension {
  return Extension.create({
    name: 'mathViews',
    priority: 1050,

    addKeyboardShortcuts() {
      return {
        Enter: ({ editor }) => {
          const { selection } = editor.state
          if (!(selection instanceof NodeSelection)) return false
          const name = selection.node.type.name
          if (name !== 'inlineMath' && name !== 'blockMath') return false
          onEdit(name)
          return true
        },
      }
    },

    addProseMirrorPlugins() {
      return [
        new Plugin({
          key: new PluginKey('mathViews'),
          props: { nodeViews: { inlineMath: createView(false, onEdit), blockMath: createView(true, onEdit) } },
        }),
      ]
    },
  })
}

function createView(block: boolean, onEdit: MathOptions['onEdit']): NodeViewConstructor {
  return (initial, view, getPos) => {
    let node = initial
    const dom = document.createElement(block ? 'div' : 'span')
    const drawing = dom.appendChild(document.createElement(block ? 'div' : 'span'))
    dom.className = block ? 'math-block' : 'math-inline'
    dom.dataset.type = block ? 'block-math' : 'inline-math'
    const render = () => {
      const latex = String(node.attrs.latex)
      const drawn = node
      drawing.textContent = latex || 'empty formula'
      dom.classList.toggle('math-empty', latex === '')
      if (latex) renderMath(drawing, latex, block, () => drawn === node).catch(() => undefined)
    }
    dom.addEventListener('click', () => {
      if (!mayWrite(view)) return
      select(view, getPos())
      onEdit(block ? 'blockMath' : 'inlineMath')
    })
    render()
    return {
      dom,
      update(next) {
        if (next.type !== node.type) return false
        const changed = next.attrs.latex !== node.attrs.latex
        node = next
        if (changed) render()
        return true
      },
      ignoreMutation: () => true,
    }
  }
}

function select(view: EditorView, position: number | undefined): void {
  if (position === undefined) return
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
}
