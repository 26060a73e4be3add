import { Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { copyText } from '../../common/copy-text.ts'
import { createNote, mayWrite, type NoteAction } from '../common/may-write.ts'
import { renderMath } from './katex.ts'

/** `onEdit` is called when the user wants to edit the selected formula. */
export type MathOptions = { onEdit: (kind: 'inlineMath' | 'blockMath') => void }

/** Draws formulas in plain DOM; a click or Enter on one selects it and asks for editing. */
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

// Until it is drawn a formula shows its source, at most this many characters.
const shownSource = 1000

function createView(block: boolean, onEdit: MathOptions['onEdit']): NodeViewConstructor {
  return (initial, view, getPos) => {
    let node = initial
    const dom = document.createElement(block ? 'div' : 'span')
    const drawing = dom.appendChild(document.createElement(block ? 'div' : 'span'))
    dom.className = block ? 'math-block' : 'math-inline'
    dom.dataset.type = block ? 'block-math' : 'inline-math'
    let stop = () => {}
    const draw = async (drawn: Node, latex: string) => {
      const reason = await renderMath(drawing, latex, block, () => drawn === node)
      if (reason === null || drawn !== node) return
      const actions = noteActions(view, getPos, () => node)
      const text = `This formula can’t be shown: ${reason}.`
      drawing.replaceChildren(createNote({ element: block ? 'div' : 'span', text, actions, view }))
    }
    const render = () => {
      const latex = String(node.attrs.latex)
      const drawn = node
      drawing.textContent = latex.slice(0, shownSource) || 'empty formula'
      dom.classList.toggle('math-empty', latex === '')
      stop()
      if (latex) stop = drawWhenNear(dom, () => draw(drawn, latex).catch(() => undefined))
    }
    dom.addEventListener('click', (event) => {
      const isOnNote = event.target instanceof Element && event.target.closest('button') !== null
      if (isOnNote || !mayWrite(view)) return
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
      stopEvent: (event) => event.target instanceof Element && event.target.closest('button') !== null,
      ignoreMutation: () => true,
      destroy: () => stop(),
    }
  }
}

function noteActions(view: EditorView, getPos: () => number | undefined, current: () => Node): NoteAction[] {
  const remove = () => {
    const position = getPos()
    if (position === undefined) return
    const { tr } = view.state
    view.dispatch(tr.delete(position, position + current().nodeSize))
    view.focus()
  }
  const copy = () => void copyText(String(current().attrs.latex))
  return [
    { label: 'Delete formula', run: remove },
    { label: 'Copy its source', isForReaders: true, run: copy },
  ]
}

function select(view: EditorView, position: number | undefined): void {
  if (position === undefined) return
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
}

type Waiting = { draw: () => Promise<void> }

// A bit more than a screen, so that formulas are drawn before they scroll into view.
const near = '600px'

const waiting = new WeakMap<Element, Waiting>()
let observer: IntersectionObserver | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Calls `draw` when an element comes near the viewport, one element after the other and never two in one task, so that
 * the user can type while a document full of formulas is drawn. A later call for the same element replaces an earlier
 * one. Returns a function that cancels.
 */
function drawWhenNear(element: Element, draw: () => Promise<void>): () => void {
  observer ??= new IntersectionObserver(look, { rootMargin: near })
  waiting.set(element, { draw })
  // An observed element is reported again only when it moves.
  observer.unobserve(element)
  observer.observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}

function look(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    const next = isIntersecting ? waiting.get(target) : undefined
    if (!next) continue
    waiting.delete(target)
    observer?.unobserve(target)
    queue = queue.then(() => next.draw()).then(pause, pause)
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
