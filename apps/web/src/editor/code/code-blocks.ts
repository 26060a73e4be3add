import { Extension } from '@tiptap/core'
import { DOMSerializer, type Node } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { copyText } from '../../common/copy-text.ts'
import { t } from '../../i18n/translate.ts'
import { mayWrite } from '../common/may-write.ts'
import { createCodeColors } from './code-colors.ts'
import { describeLanguage } from './languages.ts'

/** Behaviour of code blocks: syntax colours and a language form; `onLanguage` opens it for the block with the caret. */
export function createCodeBlocks(onLanguage: () => void): Extension {
  return Extension.create({
    name: 'codeBlocks',
    addKeyboardShortcuts: () => ({
      'Mod-Alt-g': ({ editor }) => {
        if (!editor.isActive('codeBlock')) return false
        onLanguage()
        return true
      },
    }),
    addProseMirrorPlugins: () => [
      createCodeColors(() => import('./highlighter.ts')),
      new Plugin({ key: new PluginKey('codeViews'), props: { nodeViews: { codeBlock: createCodeView(onLanguage) } } }),
    ],
  })
}

const copiedFor = 2000

/** Draws code blocks in plain DOM: the code, and at its corner its language and a copy button. */
function createCodeView(onLanguage: () => void): NodeViewConstructor {
  return (initial, view, getPos) => {
    let node = initial
    const { dom, contentDOM, pre } = createBlock()
    const language = createTool('code-language', () => {
      if (placeInside(view, getPos(), node)) onLanguage()
    })
    language.setAttribute('aria-haspopup', 'dialog')
    const copy = createTool('code-copy', () => void copyCode(copy, node.textContent))
    copy.textContent = t('Copy')
    const tools = dom.appendChild(document.createElement('div'))
    tools.className = 'code-tools'
    tools.contentEditable = 'false'
    tools.append(language, copy)
    const draw = () => {
      copyAttributes(node, pre)
      const name = describeLanguage(node.attrs.language)
      if (language.textContent !== name) language.textContent = name
      language.setAttribute('aria-label', t('Language: {name}', { name }))
    }
    draw()
    return {
      dom,
      contentDOM,
      update(next) {
        if (next.type !== node.type) return false
        const isSame = next.sameMarkup(node)
        node = next
        if (!isSame) draw()
        return true
      },
      stopEvent: (event) => event.target instanceof globalThis.Node && tools.contains(event.target),
      ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
    }
  }
}

function createBlock() {
  const dom = document.createElement('div')
  dom.className = 'code-block'
  const pre = dom.appendChild(document.createElement('pre'))
  const contentDOM = pre.appendChild(document.createElement('code'))
  contentDOM.spellcheck = false
  return { dom, pre, contentDOM }
}

function createTool(className: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = className
  // A mouse press keeps the focus, and so the selection, in the text.
  button.addEventListener('mousedown', (event) => event.preventDefault())
  button.addEventListener('click', press)
  return button
}

async function copyCode(button: HTMLElement, code: string): Promise<void> {
  button.textContent = (await copyText(code)) ? t('Copied') : t('Can’t copy')
  setTimeout(() => (button.textContent = t('Copy')), copiedFor)
}

function copyAttributes(node: Node, pre: HTMLElement): void {
  const spec = node.type.spec.toDOM?.(node)
  const drawn = spec && DOMSerializer.renderSpec(document, spec).dom
  if (!(drawn instanceof HTMLElement)) return
  for (const name of pre.getAttributeNames()) pre.removeAttribute(name)
  for (const { name, value } of drawn.attributes) pre.setAttribute(name, value)
}

function placeInside(view: EditorView, position: number | undefined, node: Node): boolean {
  if (position === undefined || !mayWrite(view)) return false
  const { from, to } = view.state.selection
  const isInside = from > position && to < position + node.nodeSize
  if (!isInside) view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position + 1)))
  return true
}
