import { blockLimits, headingAddress, headingAddresses, isSafeUrl } from '@copydesk/schema'
import { type AnyExtension, Extension, Mark } from '@tiptap/core'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { t } from '../../i18n/translate.ts'
import { isOpening } from '../common/from-yjs.ts'
import { mayWrite } from '../common/may-write.ts'
import { scrollToPosition } from '../common/positions.ts'

/**
 * Opens a link in a new tab on a click with Ctrl or Command, and on any click where the text is read-only. A link to a
 * heading scrolls there.
 */
export const LinkClicks = Extension.create({
  name: 'linkClicks',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        key: new PluginKey('linkClicks'),
        props: {
          handleClick(view, _position, event) {
            const link = event.target instanceof Element ? event.target.closest('a[href]') : null
            const wanted = event.ctrlKey || event.metaKey || !mayWrite(view)
            const href = link?.getAttribute('href')
            if (!wanted || !href || !isSafeUrl(href)) return false
            if (goToHeading(view, href)) return true
            window.open(href, '_blank', 'noopener,noreferrer')
            return true
          },
        },
      }),
    ]
  },
})

/**
 * The schema's link, with links for typed addresses. The opening of a document creates no links, which would change it.
 */
export function typedLink(link: AnyExtension): AnyExtension {
  if (!(link instanceof Mark)) return link
  return link
    .extend({
      addProseMirrorPlugins() {
        return (this.parent?.() ?? []).map(skipWhileOpening)
      },
    })
    .configure({ defaultProtocol: 'https' })
}

function skipWhileOpening(plugin: Plugin): Plugin {
  const append = plugin.spec.appendTransaction
  if (!append) return plugin
  return new Plugin({
    ...plugin.spec,
    appendTransaction: (transactions, before, after) =>
      transactions.some(isOpening) ? null : append.call(plugin, transactions, before, after),
  })
}

/** Scrolls to the heading of an address such as `#goals`, with the caret in it; false if there is no such heading. */
export function goToHeading(view: EditorView, href: string): boolean {
  if (!href.startsWith('#')) return false
  const { doc, tr } = view.state
  const addresses = headingAddresses(doc)
  const position = addresses.get(href) ?? addresses.get(headingAddress(href))
  if (position === undefined) return false
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(position + 1))))
  view.focus()
  scrollToPosition(view, position + 1, 'top')
  return true
}

/** The error text for an address that exceeds the document's limit. */
export function tooLongAddress(): string {
  return t('An address has at most {count, number} characters.', { count: blockLimits.address })
}

/** Makes an address typed by the user absolute: `example.org` becomes `https://example.org`. Null if it isn't safe. */
export function readAddress(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || !isSafeUrl(text)) return null
  if (/^([a-z][a-z0-9+.-]*:|\/|#|\?|\.)/i.test(text)) return text
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`
  return `https://${text}`
}

/**
 * Reads an image address typed by the user: a path of this server, or `http(s)` with a host that can exist (a dot, an
 * IP address, or `localhost`). Null for other texts.
 */
export function readImageAddress(typed: string): string | null {
  const address = readAddress(typed)
  if (address === null || /\s/.test(address)) return null
  if (address.startsWith('/') && !address.startsWith('//')) return address
  const url = URL.parse(address)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && isLikelyHost(url.hostname) && /^https?:\/\//i.test(address) ? address : null
}

function isLikelyHost(host: string): boolean {
  return host === 'localhost' || host.startsWith('[') || /^[^.].*\.[^.]+$/.test(host)
}

/**
 * The web or mail address that is the whole text; null for any other text, or for an address that isn't safe or is too
 * long.
 */
export function readPastedAddress(text: string): string | null {
  const address = text.trim()
  if (address.length > blockLimits.address || /\s/.test(address) || !isSafeUrl(address)) return null
  if (/^mailto:[^@]+@[^@]+$/i.test(address)) return address
  if (!/^(?:https?|ftp|sftp):\/\/[^/]/i.test(address)) return null
  return URL.canParse(address) ? address : null
}

/** A shortened address for display: without its protocol, and with its middle omitted if it is long. */
export function shortAddress(href: string): string {
  const shown = href.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '')
  return shown.length > 48 ? `${shown.slice(0, 30)}…${shown.slice(-15)}` : shown
}
