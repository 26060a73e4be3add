import { Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { copyText } from '../../common/copy-text.ts'
import { t } from '../../i18n/translate.ts'
import { createNote, mayWrite, type NoteAction } from '../common/may-write.ts'
import { loadKatex, renderMath } from './katex.ts'

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

// The maximum number of characters of its source that a formula shows until it is drawn.
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
      const text = t('This formula can’t be shown: {reason}.', { reason })
      drawing.replaceChildren(createNote({ element: block ? 'div' : 'span', text, actions, view }))
    }
    const render = () => {
      const latex = String(node.attrs.latex)
      const drawn = node
      drawing.textContent = latex.slice(0, shownSource) || t('empty formula')
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
    { label: t('Delete formula'), run: remove },
    { label: t('Copy its source'), isForReaders: true, run: copy },
  ]
}

function select(view: EditorView, position: number | undefined): void {
  if (position === undefined) return
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
}

// A bit more than a screen, so that formulas are drawn before they scroll into view.
const near = '600px'
const idleAfterMs = 1500

const waiting = new Map<Element, () => Promise<void>>()
let observer: IntersectionObserver | undefined
let queue: Promise<unknown> = Promise.resolve()

/** Draws all remaining formulas, also those far from the viewport: for printing. */
export async function drawAllMath(): Promise<void> {
  await Promise.all([...waiting.keys()].map(async (element) => removeWaiting(element)?.()))
}

/**
 * Calls `draw` when an element comes near the viewport, one element after the other and never two in one task, so that
 * the user can type while a document full of formulas is drawn. A later call for the same element replaces an earlier
 * one. Returns a function that cancels.
 */
function drawWhenNear(element: Element, draw: () => Promise<void>): () => void {
  observer ??= createObserver()
  waiting.set(element, draw)
  // An observed element is reported again only when it moves.
  observer.unobserve(element)
  observer.observe(element)
  return () => void removeWaiting(element)
}

function createObserver(): IntersectionObserver {
  // Formulas may be printed, or shown offline, before any of them has come near the viewport.
  setTimeout(() => void loadWithFonts().catch(() => undefined), idleAfterMs)
  return new IntersectionObserver(look, { rootMargin: near })
}

// A missing font leaves gaps on paper.
async function loadWithFonts(): Promise<void> {
  await loadKatex()
  await Promise.all([...document.fonts].filter(({ family }) => family.includes('KaTeX')).map((font) => font.load()))
}

function removeWaiting(element: Element): (() => Promise<void>) | undefined {
  const draw = waiting.get(element)
  waiting.delete(element)
  observer?.unobserve(element)
  return draw
}

function look(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    const draw = isIntersecting ? removeWaiting(target) : undefined
    if (draw) queue = queue.then(draw).then(pause, pause)
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
