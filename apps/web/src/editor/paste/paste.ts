import { type Editor, Extension } from '@tiptap/core'
import { Fragment, Slice } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { readPastedAddress } from '../links/link-address.ts'
import { cleanHtml } from './clean-html.ts'
import { looksLikeMarkdown } from './markdown-text.ts'
import { createOwnSerializer, isOwnHtml, signOf } from './own-clipboard.ts'

type Markdown = typeof import('@copydesk/schema/markdown')

/** What pasting needs from outside: which document this is. */
export type PasteOptions = { document: string }

/**
 * Pasting from elsewhere: structure without looks, an address as a link, markdown as what it means. With Shift everything is plain text.
 * What was copied in this document itself comes back whole.
 */
export function createPaste({ document }: PasteOptions): Extension {
  const sign = signOf(document)
  return Extension.create({
    name: 'pasteFromElsewhere',
    // Before the rules of the marks, which would take half of it.
    priority: 1100,
    addProseMirrorPlugins() {
      const { editor } = this
      let markdown: Markdown | undefined
      let isPlain = false
      const load = async () => (markdown ??= await import('@copydesk/schema/markdown'))
      return [
        new Plugin({
          key: new PluginKey('pasteFromElsewhere'),
          props: {
            clipboardSerializer: createOwnSerializer(editor.schema, sign),
            transformPastedHTML: (html) => (isOwnHtml(html, sign) ? html : cleanHtml(html)),
            handleDOMEvents: {
              keydown(_view, event) {
                isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v'
                return false
              },
              // So that it is there when it is wanted: a paste can't wait.
              focus() {
                setTimeout(() => void load().catch(() => undefined), 1000)
                return false
              },
            },
            handlePaste(view, event, slice) {
              const text = event.clipboardData?.getData('text/plain') ?? ''
              const html = event.clipboardData?.getData('text/html') ?? ''
              if (view.state.selection.$from.parent.type.spec.code === true) return false
              if (isPlain) return insertSlice(view, slice)
              if (pasteAddress(view, text, html)) return true
              if (html !== '' || !looksLikeMarkdown(text)) return false
              if (markdown) return pasteMarkdown(view, markdown, text)
              void pasteSoon(editor, text, slice, load)
              return true
            },
          },
        }),
      ]
    },
  })
}

function insertSlice(view: EditorView, slice: Slice): true {
  // Without the sign of a paste, by which stars and backticks would be read.
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
  if (empty)
    tr.replaceSelectionWith(view.state.schema.text(text.trim(), [...$from.marks(), link.create({ href })]), false)
  else tr.addMark(from, to, link.create({ href })).setSelection(TextSelection.create(tr.doc, to))
  view.dispatch(tr.removeStoredMark(link).setMeta('preventAutolink', true).scrollIntoView())
  return true
}

// Some browsers bring the address of a page as a link with its title.
function isBareLink(html: string): boolean {
  return html === '' || /^(?:\s|<!--[^>]*-->|<\/?(?:html|head|body|meta)[^>]*>)*<a\b[^>]*>[^<]*<\/a>/i.test(html)
}

function pasteMarkdown(view: EditorView, { parseMarkdownFragment }: Markdown, text: string): true {
  // The editor's schema is one of its own, made from the same list.
  const content = Fragment.fromJSON(view.state.schema, parseMarkdownFragment(text).toJSON())
  const first = content.firstChild
  const last = content.lastChild
  const open = (node: typeof first) => (node?.type.name === 'paragraph' ? 1 : 0)
  const slice = content.size === 0 ? Slice.empty : new Slice(content, open(first), open(last))
  return insertSlice(view, slice)
}

async function pasteSoon(editor: Editor, text: string, plain: Slice, load: () => Promise<Markdown>): Promise<void> {
  const markdown = await load().catch(() => undefined)
  if (editor.isDestroyed) return
  if (markdown) pasteMarkdown(editor.view, markdown, text)
  else insertSlice(editor.view, plain)
}
