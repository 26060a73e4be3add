import { type Editor, Extension } from '@tiptap/core'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { filesOf } from '../images/image-files.ts'
import { readPastedAddress } from '../links/link-address.ts'
import { mayWrite } from '../may-write.ts'
import { looksLikeMarkdown } from './markdown-text.ts'
import { createOwnSerializer, isOwnHtml, signOf } from './own-clipboard.ts'
import { createPasteParts, type PasteParts } from './paste-parts.ts'

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
  { markdown }: PasteParts,
  { text, html, isPlain }: Pasted,
  slice: Slice,
): boolean {
  if (isInCode(view)) return false
  if (isPlain) return insertSlice(view, slice)
  if (pasteAddress(view, text, html)) return true
  if (html !== '' || !markdown || !looksLikeMarkdown(text)) return false
  // The editor has a schema instance of its own, made from the same list.
  const json: unknown = markdown.parseMarkdownFragment(text).toJSON()
  const content = Fragment.fromJSON(view.state.schema, json)
  return insertSlice(view, new Slice(content, openAt(content.firstChild), openAt(content.lastChild)))
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
