import { type Editor, Extension } from '@tiptap/core'
import { isInTable } from '@tiptap/pm/tables'
import { DOMSerializer, type Fragment, type Schema, type Slice } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { mayWrite } from '../common/may-write.ts'
import { filesOf } from '../images/image-files.ts'
import { readPastedAddress } from '../links/links.ts'
import type * as pasteCells from '../tables/cells/paste-cells.ts'
import type * as cleanHtml from './clean-html.ts'
import { insertSlice, isInCode } from './insert-slice.ts'
import type * as markdownText from './markdown-text.ts'

/** The options of pasting: the document's id. */
export type PasteOptions = { document: string }

type Pasted = { text: string; html: string; isPlain: boolean; hasFiles: boolean }

// Milliseconds after which the readers are preloaded.
const loadsAfter = 1000

/**
 * Paste from other sources: structure without styles, an address as a link, markdown as formatted content. With Shift
 * always plain text. Content copied in this document itself is pasted unchanged.
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
    // If the readers can't be fetched, the text is pasted unchanged.
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

function handlePaste(view: EditorView, parts: PasteParts, { text, html, isPlain }: Pasted, slice: Slice): boolean {
  const { markdown, cells } = parts
  if (isInCode(view)) return false
  if (isPlain) return insertSlice(view, slice)
  if (pasteAddress(view, text, html)) return true
  const isMarkdown = html === '' && markdown?.looksLikeMarkdown(text) === true
  const meant =
    (html === '' && cells?.readTable(view.state, text)) || (isMarkdown ? markdown?.readMarkdown(view, text) : undefined)
  if (cells?.pasteCells(view, meant ?? slice)) return true
  return meant ? insertSlice(view, meant) : false
}

function mustWait(view: EditorView, parts: PasteParts, pasted: Pasted, sign: string): boolean {
  const { html, isPlain, hasFiles } = pasted
  if (isInCode(view) || isPlain || hasFiles) return false
  if (html !== '') return (!parts.html && !isOwnHtml(html, sign)) || (!parts.cells && isInTable(view.state))
  return !parts.markdown || !parts.cells
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

type Markdown = typeof markdownText
type Html = typeof cleanHtml
type Cells = typeof pasteCells

/** The readers of HTML, markdown and cells, undefined until they are loaded. */
type PasteParts = {
  html: Html | undefined
  markdown: Markdown | undefined
  cells: Cells | undefined
  /** Loads them; a reader that can't be fetched remains undefined and is tried again at the next call. */
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
        parts.markdown ?? import('./markdown-text.ts'),
        parts.cells ?? import('../tables/cells/paste-cells.ts'),
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
