import { type Editor, Extension } from '@tiptap/core'
import { isInTable } from '@tiptap/pm/tables'
import { DOMSerializer, Fragment, type Node, type Schema, Slice } from 'prosemirror-model'
import { Plugin, PluginKey, type Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { mayWrite } from '../common/may-write.ts'
import { filesOf } from '../images/image-files.ts'
import { readPastedAddress } from '../links/links.ts'
import type * as pasteCells from '../tables/paste-cells.ts'
import type * as cleanHtml from './clean-html.ts'

/** What pasting needs: the document's id. */
export type PasteOptions = { document: string }

type Pasted = { text: string; html: string; isPlain: boolean; hasFiles: boolean }

// Milliseconds after which the readers are preloaded.
const loadsAfter = 1000

/**
 * Paste from elsewhere: structure without styles, an address as a link, markdown as what it means. With Shift
 * everything is plain text. Content copied in this document itself is pasted unchanged.
 */
export function createPaste({ document }: PasteOptions): Extension {
  return Extension.create({
    name: 'pasteFromElsewhere',
    // Before the paste rules of the marks, which would handle parts of it.
    priority: 1100,
    addProseMirrorPlugins() {
      return [createPlugin(this.editor, signOf(document))]
    },
  })
}

function createPlugin(editor: Editor, sign: string): Plugin {
  const parts = createPasteParts()
  let isPlain = false
  const loadSoon = () => {
    setTimeout(() => void parts.load(), loadsAfter)
    return false
  }
  // A clipboard can be read only during its event.
  let waited: Pasted | undefined
  const read = ({ clipboardData }: ClipboardEvent): Pasted =>
    waited ?? {
      text: clipboardData?.getData('text/plain') ?? '',
      html: clipboardData?.getData('text/html') ?? '',
      isPlain,
      hasFiles: filesOf(clipboardData).length > 0,
    }
  const pasteWaited = (view: EditorView, pasted: Pasted) => {
    waited = pasted
    // If the readers can't be fetched, the text is pasted as it is.
    if (pasted.html !== '' && parts.html) view.pasteHTML(pasted.html)
    else view.pasteText(pasted.text)
    waited = undefined
  }
  return new Plugin({
    key: new PluginKey('pasteFromElsewhere'),
    props: {
      clipboardSerializer: createOwnSerializer(editor.schema, sign),
      // Until the HTML reader is loaded, pasted HTML is dropped.
      transformPastedHTML: (html) => (isOwnHtml(html, sign) ? html : (parts.html?.cleanHtml(html) ?? '')),
      handleDOMEvents: {
        focus: loadSoon,
        dragenter: loadSoon,
        keydown(_view, event) {
          isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v'
          return false
        },
        paste(view, event) {
          const pasted = read(event)
          if (!mayWrite(view) || !mustWait(view, parts, pasted, sign)) return false
          event.preventDefault()
          void parts.load().then(() => editor.isDestroyed || pasteWaited(view, pasted))
          return true
        },
      },
      handlePaste: (view, event, slice) => handlePaste(view, parts, read(event), slice),
    },
  })
}

function handlePaste(
  view: EditorView,
  { markdown, cells }: PasteParts,
  { text, html, isPlain }: Pasted,
  slice: Slice,
): boolean {
  if (isInCode(view)) return false
  if (isPlain) return insertSlice(view, slice)
  if (pasteAddress(view, text, html)) return true
  const isMarkdown = html === '' && looksLikeMarkdown(text)
  const meant =
    (html === '' && cells?.readTable(view.state, text)) ||
    (isMarkdown && markdown ? readMarkdown(view, markdown, text) : undefined)
  if (cells?.pasteCells(view, meant ?? slice)) return true
  return meant ? insertSlice(view, meant) : false
}

/**
 * Inserts Markdown at a place, as a paste there would, and puts the caret behind it. `placeOf` says the place once the
 * Markdown reader is loaded. Rejects if it can't be.
 */
export async function insertMarkdown(view: EditorView, text: string, placeOf: () => Selection): Promise<void> {
  const markdown = await import('@copydesk/schema/markdown')
  if (text === '' || view.isDestroyed || !mayWrite(view)) return
  view.focus()
  view.dispatch(view.state.tr.setSelection(placeOf()))
  if (isInCode(view)) view.dispatch(view.state.tr.insertText(text).scrollIntoView())
  else insertSlice(view, readMarkdown(view, markdown, text))
}

function readMarkdown(view: EditorView, markdown: Markdown, text: string): Slice {
  // The editor has a schema instance of its own, made from the same list.
  const json: unknown = markdown.parseMarkdownFragment(text).toJSON()
  const content = Fragment.fromJSON(view.state.schema, json)
  return new Slice(content, openAt(content.firstChild), openAt(content.lastChild))
}

function openAt(node: Node | null): number {
  return node?.type.name === 'paragraph' ? 1 : 0
}

function isInCode({ state }: EditorView): boolean {
  return state.selection.$from.parent.type.spec.code === true
}

function mustWait(view: EditorView, parts: PasteParts, pasted: Pasted, sign: string): boolean {
  const { text, html, isPlain, hasFiles } = pasted
  if (isInCode(view) || isPlain || hasFiles) return false
  if (!parts.cells && (isInTable(view.state) || text.includes('\t'))) return true
  if (html !== '') return !parts.html && !isOwnHtml(html, sign)
  return !parts.markdown && looksLikeMarkdown(text)
}

function insertSlice(view: EditorView, slice: Slice): true {
  // Without the meta of a paste, which would run the paste rules for stars and backticks.
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView())
  return true
}

function pasteAddress(view: EditorView, text: string, html: string): boolean {
  const href = readPastedAddress(text)
  const link = view.state.schema.marks.link
  const { selection, tr } = view.state
  if (href === null || !link || !(selection instanceof TextSelection) || !isBareLink(html)) return false
  const { from, to, empty, $from } = selection
  if (!$from.parent.type.allowsMarkType(link)) return false
  const mark = link.create({ href })
  if (empty) tr.replaceSelectionWith(view.state.schema.text(text.trim(), mark.addToSet($from.marks())), false)
  else tr.addMark(from, to, mark).setSelection(TextSelection.create(tr.doc, to))
  view.dispatch(tr.removeStoredMark(link).setMeta('preventAutolink', true).scrollIntoView())
  return true
}

// Some browsers put the address of a page into the clipboard as a link with its title.
function isBareLink(html: string): boolean {
  return html === '' || /^(?:\s|<!--[^>]*-->|<\/?(?:html|head|body|meta)[^>]*>)*<a\b[^>]*>[^<]*<\/a>/i.test(html)
}

type Markdown = typeof import('@copydesk/schema/markdown')
type Html = typeof cleanHtml
type Cells = typeof pasteCells

/** The readers of HTML, markdown and cells, undefined until they are loaded. */
type PasteParts = {
  html: Html | undefined
  markdown: Markdown | undefined
  cells: Cells | undefined
  /** Loads them; one that can't be fetched stays undefined and is tried again the next time. */
  load: () => Promise<void>
}

/** Readers for pasted content, loaded separately since an open document doesn't need them at first. */
function createPasteParts(): PasteParts {
  const parts: PasteParts = {
    html: undefined,
    markdown: undefined,
    cells: undefined,
    async load() {
      const [html, markdown, cells] = await Promise.allSettled([
        parts.html ?? import('./clean-html.ts'),
        parts.markdown ?? import('@copydesk/schema/markdown'),
        parts.cells ?? import('../tables/paste-cells.ts'),
      ])
      if (html.status === 'fulfilled') parts.html = html.value
      if (markdown.status === 'fulfilled') parts.markdown = markdown.value
      if (cells.status === 'fulfilled') parts.cells = cells.value
    },
  }
  return parts
}

const attribute = 'data-copied-from'

/**
 * A serializer that marks copied HTML with its document's sign, so that a paste can tell the document's own text from
 * other text.
 */
function createOwnSerializer(schema: Schema, sign: string): DOMSerializer {
  class OwnSerializer extends DOMSerializer {
    override serializeFragment(...[content, options, target]: Parameters<DOMSerializer['serializeFragment']>) {
      const dom = super.serializeFragment(content, options, target)
      if (target === undefined) markFirst(dom, content)
      return dom
    }
  }
  const markFirst = (dom: DocumentFragment | HTMLElement, _content: Fragment) => {
    dom.firstElementChild?.setAttribute(attribute, sign)
  }
  return new OwnSerializer(DOMSerializer.nodesFromSchema(schema), DOMSerializer.marksFromSchema(schema))
}

/** Whether HTML was copied from the document with this sign. */
function isOwnHtml(html: string, sign: string): boolean {
  return html.includes(`${attribute}="${sign}"`)
}

/** The sign of a document; it doesn't reveal the document's id. */
function signOf(document: string): string {
  let hash = 0x811c9dc5
  for (const character of document) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(36)
}

const fences = /^ {0,3}(`{3,}|~{3,})[^`\n]*\n[^]*?^ {0,3}\1/m
const heading = /(?:^|\n[ \t]*\n) {0,3}#{1,6} +\S[^\n]*(?=\n[ \t]*(?:\n|$)|$)/
const table = /^[^\n|]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*(?:\n|$)/m
const link = /(?<![\w\])])!?\[[^\]\n]+\]\((?:https?:\/\/|\/|#|mailto:)[^\s)]*(?: "[^"\n]*")?\)/
const task = /^[ \t]*[-*+] \[[ xX]\] \S/m
const mathBlock = /^\$\$[ \t]*\n[^]*?^\$\$[ \t]*$/m

const bullets = /^[ \t]*[-*+] +\S/gm
const numbers = /^[ \t]*\d{1,3}[.)] +\S/gm
const quotes = /^> ?\S/gm
const strong = /(?<![\w*])\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*(?![\w*])/g
const inlineCode = /(?<!`)`[^`\s][^`\n]*`(?!`)/g

// Only the first characters are examined: they decide, and the patterns are slow on adversarial input.
const looksAt = 10_000

/**
 * Whether a pasted text is meant as markdown, and doesn't just contain a star or a hash: it has at least one
 * unambiguous construct, or two weaker ones.
 */
export function looksLikeMarkdown(text: string): boolean {
  const source = text.slice(0, looksAt).replace(/\r\n?/g, '\n').trim()
  if ([fences, table, task, mathBlock].some((pattern) => pattern.test(source))) return true
  if (looksLikeCode(source)) return false
  if (heading.test(source) || link.test(source)) return true
  const count = (pattern: RegExp) => source.match(pattern)?.length ?? 0
  const isList = count(bullets) > 1 || count(numbers) > 1
  const signs = [isList, count(quotes) > 1, count(strong) > 0, count(inlineCode) > 0].filter(Boolean).length
  return isList || signs > 1 || (signs > 0 && source.includes('\n\n'))
}

// Comments of a script look like headings, and an argument list like a list.
function looksLikeCode(source: string): boolean {
  const lines = source.split('\n').filter((line) => line.trim() !== '')
  const code = lines.filter((line) => /[;{}]\s*$|^\s*(?:import|const|let|def|function|return|#include|#!)\b/.test(line))
  return code.length * 4 > lines.length && lines.length > 1
}
