import { type Editor, getMarkRange } from '@tiptap/core'
import type { EditorState, Transaction } from 'prosemirror-state'
import { useEffect, useState } from 'react'
import { isOwnEdit } from '../common/from-yjs.ts'

/** A link in the text at the caret or under the mouse. */
export type LinkAt = { from: number; to: number; href: string; by: 'caret' | 'mouse' }

const hoverDelay = 350
const leaveDelay = 300

/** The link to show a card for; null if there is none, and while this user types. */
export function useLinkAt(editor: Editor): [LinkAt | null, () => void] {
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
