import { isSafeUrl } from '@copydesk/schema'
import { type Editor, getMarkRange } from '@tiptap/core'
import { Check, Copy, ExternalLink, Hash, Pencil, Unlink } from 'lucide-react'
import { useCallback, useState, useEffect } from 'react'
import { copyText } from '../../common/copy-text.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import type { EditorUi } from '../common/editor-ui.ts'
import { Floating, spotOf } from '../common/floating.tsx'
import { goToHeading, shortAddress } from './links.ts'
import type { EditorState, Transaction } from 'prosemirror-state'
import { isOwnEdit } from '../common/from-yjs.ts'

type LinkCardProps = { editor: Editor; ui: EditorUi; readOnly: boolean; link: LinkAt; onClose: () => void }

/** The target of a link and its actions, next to the link. */
function LinkCard({ editor, ui, readOnly, link, onClose }: LinkCardProps) {
  const { from, to, href } = link
  const [copied, setCopied] = useState(false)
  const spot = useCallback(() => spotOf(editor, from, to), [editor, from, to])
  const edit = () => {
    editor.commands.setTextSelection({ from, to })
    onClose()
    ui.set('link')
  }
  const remove = () => {
    const type = editor.schema.marks.link
    if (type) editor.view.dispatch(editor.state.tr.removeMark(from, to, type).setMeta('preventAutolink', true))
    onClose()
    editor.commands.focus()
  }
  return (
    <Floating
      spot={spot}
      side="below"
      label={t('Link')}
      data-link-card=""
      className="flex max-w-[min(26rem,calc(100vw-1.5rem))] items-center p-0.5 pl-3 text-sm"
      onLeave={() => link.by === 'mouse' && onClose()}
      onEscape={() => {
        onClose()
        editor.commands.focus()
      }}
    >
      <Address editor={editor} href={href} onClose={onClose} />
      <IconButton
        label={t(copied ? 'Copied' : 'Copy address')}
        icon={copied ? Check : Copy}
        size={16}
        onClick={() => void copyText(href).then(setCopied)}
      />
      {!readOnly && (
        <>
          <IconButton label={t('Edit link')} onClick={edit} icon={Pencil} size={16} />
          <IconButton label={t('Remove link')} onClick={remove} icon={Unlink} size={16} />
        </>
      )}
    </Floating>
  )
}

/** Opens the address in a new tab; the address of a heading of this document scrolls to the heading. */
function Address({ editor, href, onClose }: { editor: Editor; href: string; onClose: () => void }) {
  if (!isSafeUrl(href)) return <span className="mr-1 text-ink-soft">{t('This address isn’t safe to open.')}</span>
  const [Icon, what] = href.startsWith('#')
    ? ([Hash, t('goes to that heading')] as const)
    : ([ExternalLink, t('opens in a new tab')] as const)
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        if (!goToHeading(editor.view, href)) return
        event.preventDefault()
        onClose()
      }}
      className="mr-1 flex min-w-0 items-center gap-1.5 text-accent underline underline-offset-2"
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      <bdi dir="ltr" className="truncate">
        {shortAddress(href)}
      </bdi>
      <span className="sr-only">, {what}</span>
    </a>
  )
}

type LinkCardsProps = { editor: Editor; ui: EditorUi; readOnly: boolean }

/** The card of the link at the caret or under the mouse. */
export function LinkCards(props: LinkCardsProps) {
  const [link, close] = useLinkAt(props.editor)
  return link && <LinkCard key={`${link.from} ${link.href}`} {...props} link={link} onClose={close} />
}

/** A link in the text at the caret or under the mouse. */
type LinkAt = { from: number; to: number; href: string; by: 'caret' | 'mouse' }

const hoverDelay = 350
const leaveDelay = 300

/** The link to show a card for; null if there is none, and while this user types. */
function useLinkAt(editor: Editor): [LinkAt | null, () => void] {
  const [link, setLink] = useState<LinkAt | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (delay: number, act: () => void) => {
      clearTimeout(timer)
      timer = setTimeout(act, delay)
    }
    const show = (next: LinkAt | null) => setLink((before) => (isSame(before, next) ? before : next))
    const onTransaction = ({ transaction }: { transaction: Transaction }) => {
      if (isOwnEdit(transaction)) show(null)
      else if (transaction.docChanged) setLink((before) => (before?.by === 'caret' ? linkAtCaret(editor.state) : null))
      else if (transaction.selectionSet) show(editor.isFocused ? linkAtCaret(editor.state) : null)
    }
    const onOver = (event: MouseEvent) => {
      const element = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (event.buttons !== 0 || !matchMedia('(hover: hover)').matches) return
      if (element) later(hoverDelay, () => show(linkAtElement(editor, element)))
      else onLeave()
    }
    const onLeave = () =>
      later(leaveDelay, () => setLink((before) => (before?.by === 'mouse' && !isOverCard() ? null : before)))
    const onBlur = () => later(leaveDelay, () => !isOverCard() && show(null))
    const { dom } = editor.view
    editor.on('transaction', onTransaction)
    editor.on('blur', onBlur)
    dom.addEventListener('mouseover', onOver)
    dom.addEventListener('mouseleave', onLeave)
    return () => {
      clearTimeout(timer)
      editor.off('transaction', onTransaction)
      editor.off('blur', onBlur)
      dom.removeEventListener('mouseover', onOver)
      dom.removeEventListener('mouseleave', onLeave)
    }
  }, [editor])
  return [link, () => setLink(null)]
}

function isSame(one: LinkAt | null, other: LinkAt | null): boolean {
  if (one === null || other === null) return one === other
  return one.from === other.from && one.to === other.to && one.href === other.href && one.by === other.by
}

function isOverCard(): boolean {
  return document.querySelector('[data-link-card]:is(:hover,:focus-within)') !== null
}

function linkAtCaret(state: EditorState): LinkAt | null {
  return state.selection.empty ? linkAt(state, state.selection.from, 'caret') : null
}

function linkAtElement({ view, state }: Editor, element: Element): LinkAt | null {
  return view.dom.contains(element) ? linkAt(state, view.posAtDOM(element, 0), 'mouse') : null
}

function linkAt(state: EditorState, position: number, by: LinkAt['by']): LinkAt | null {
  const type = state.schema.marks.link
  const range = type && getMarkRange(state.doc.resolve(position), type)
  const mark = range && type.isInSet(state.doc.resolve(range.from).nodeAfter?.marks ?? [])
  const href: unknown = mark?.attrs.href
  return range && typeof href === 'string' ? { ...range, href, by } : null
}
