import type { Editor, EditorEvents } from '@tiptap/core'
import type { Transaction } from 'prosemirror-state'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isFromYjs } from '../common/from-yjs.ts'
import { oncePerFrame } from '../../common/once-per-frame.ts'
import { sameJson } from '../../common/store.ts'
import { changedRange } from '../common/positions.ts'
import { cellAtSelection, cellOfElement, isCell, measureHandles, type TableHandles } from './layout/table-geometry.ts'

/** The handles to show, the current position of their cell, which peers may move, and what measures them again. */
type ShownHandles = { handles: TableHandles | null; cell: () => number | undefined; measure: () => void }

/**
 * The handles to show: those of the cell under the mouse, else of the one with the caret. Measured at most once per
 * frame; the component renders again only when one has moved. While `held` they stay at their cell.
 */
export function useTableHandles(editor: Editor, held: RefObject<boolean>): ShownHandles {
  const [handles, setHandles] = useState<TableHandles | null>(null)
  const shown = useRef<number>(undefined)
  const measure = useRef(() => {})
  useEffect(() => {
    let hovered: number | undefined
    let { doc } = editor.state
    const { soon, cancel } = oncePerFrame(() => {
      const { state } = editor
      if (hovered !== undefined && !isCell(state, hovered)) hovered = undefined
      const wanted = hovered ?? (editor.isEditable ? cellAtSelection(state) : undefined)
      if (!held.current) shown.current = wanted
      const cell = shown.current
      const next = cell === undefined || !editor.isEditable ? null : measureHandles(editor, cell)
      setHandles((before) => (sameJson(before, next) ? before : next))
    })
    measure.current = soon
    // Maps the cell through changes above it, also while its menu is open. The binding replaces the whole document.
    const follow = (transactions: readonly Transaction[]) => {
      const [before, cell] = [doc, shown.current]
      doc = editor.state.doc
      if (cell === undefined || before === doc) return
      const mapped = transactions.some(isFromYjs)
        ? changedRange(before, doc)?.mapping.map(cell)
        : transactions.reduce((position, { mapping }) => mapping.map(position), cell)
      // What differs may include the cell's own start, as when only widths have changed.
      shown.current = mapped !== undefined && isCell(editor.state, mapped) ? mapped : cell
    }
    const onTransaction = ({ transaction, appendedTransactions }: EditorEvents['transaction']) => {
      follow([transaction, ...appendedTransactions])
      // Skips all work in a document without a current table.
      if (transaction.selectionSet || transaction.docChanged) hovered = undefined
      if (shown.current !== undefined || cellAtSelection(editor.state) !== undefined) soon()
    }
    const onMove = (event: MouseEvent) => {
      if (event.buttons !== 0 || !(event.target instanceof Element)) return
      if (event.target.closest('[data-table-handles]')) return
      const next = cellOfElement(editor, event.target)
      if (next === hovered) return
      hovered = next
      soon()
    }
    const scroller = editor.view.dom.closest('[data-scroller]')
    editor.on('transaction', onTransaction)
    scroller?.addEventListener('mouseover', onMove as EventListener)
    scroller?.addEventListener('scroll', soon, { capture: true, passive: true })
    addEventListener('resize', soon)
    // The caret may be in a table before this is loaded.
    soon()
    return () => {
      cancel()
      editor.off('transaction', onTransaction)
      scroller?.removeEventListener('mouseover', onMove as EventListener)
      scroller?.removeEventListener('scroll', soon, { capture: true })
      removeEventListener('resize', soon)
    }
  }, [editor, held])
  return { handles, cell: () => shown.current, measure: () => measure.current() }
}
