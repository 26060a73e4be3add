import type { Editor } from '@tiptap/core'
import { type RefObject, useEffect, useState } from 'react'
import { sameJson } from '../../app/store.ts'
import { changedRange } from '../changed-range.ts'
import { cellAtSelection, cellOfElement, isCell, measureHandles, type TableHandles } from './table-geometry.ts'

/**
 * The handles to show: those of the cell under the mouse, else of the one with the caret. Measured at most once per
 * frame; the component renders again only when one has moved. While `held` they stay at their cell.
 */
export function useTableHandles(editor: Editor, held: RefObject<boolean>): TableHandles | null {
  const [handles, setHandles] = useState<TableHandles | null>(null)
  useEffect(() => {
    let hovered: number | undefined
    let shown: number | undefined
    let frame = 0
    let { doc } = editor.state
    const measure = () => {
      frame = 0
      const { state } = editor
      if (hovered !== undefined && !isCell(state, hovered)) hovered = undefined
      shown = held.current ? shown : (hovered ?? (editor.isEditable ? cellAtSelection(state) : undefined))
      const next = shown === undefined || !editor.isEditable ? null : measureHandles(editor, shown)
      setHandles((before) => (sameJson(before, next) ? before : next))
    }
    const soon = () => {
      frame ||= requestAnimationFrame(measure)
    }
    const follow = () => {
      // Maps the cell through changes above it, also while its menu is open.
      const moved = shown === undefined ? null : changedRange(doc, editor.state.doc)
      doc = editor.state.doc
      if (shown !== undefined && moved) shown = moved.mapping.map(shown)
    }
    const onTransaction = ({ transaction }: { transaction: { selectionSet: boolean; docChanged: boolean } }) => {
      follow()
      // Skips all work in a document without a current table.
      if (transaction.selectionSet || transaction.docChanged) hovered = undefined
      if (shown !== undefined || cellAtSelection(editor.state) !== undefined) soon()
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
    return () => {
      cancelAnimationFrame(frame)
      editor.off('transaction', onTransaction)
      scroller?.removeEventListener('mouseover', onMove as EventListener)
      scroller?.removeEventListener('scroll', soon, { capture: true })
      removeEventListener('resize', soon)
    }
  }, [editor, held])
  return handles
}
