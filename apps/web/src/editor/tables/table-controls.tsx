import type { Editor } from '@tiptap/core'
import { Ellipsis, EllipsisVertical, Table2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type CSSProperties, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { sameJson } from '../../common/store.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import { changedRange } from '../common/positions.ts'
import { TextMenu } from '../common/text-menu.tsx'
import { selectPart, type TablePart } from './table-actions.ts'
import { cellAtSelection, cellOfElement, isCell, measureHandles, type TableHandles } from './table-geometry.ts'
import { TableMenu } from './table-menus.tsx'
import { oncePerFrame } from '../../common/once-per-frame.ts'

type TableControlsProps = { editor: Editor; ui: EditorUi }

/**
 * The handles of the current table, which overlay the text without changing its layout: for a column, a row, and the
 * whole table.
 */
export function TableControls({ editor, ui }: TableControlsProps) {
  const [open, setOpen] = useState<TablePart | null>(null)
  const held = useRef(false)
  const handles = useTableHandles(editor, held)
  const isAsked = useSyncExternalStore(ui.subscribe, () => ui.get() === 'tableMenu')
  const cell = handles?.cell
  useEffect(() => {
    if (!isAsked) return
    ui.set(null)
    if (cell !== undefined && cellAtSelection(editor.state) !== undefined) {
      held.current = true
      setOpen('table')
    }
  }, [isAsked, ui, editor, cell])
  if (!handles) return null
  const toggle = (part: TablePart, isOpen: boolean) => {
    if (isOpen) selectPart(editor, part, handles.cell)
    held.current = isOpen
    setOpen(isOpen ? part : null)
  }
  return (
    <div data-table-handles="" className="absolute top-0 left-0">
      {(['table', 'column', 'row'] as const).map((part) => (
        <TableHandle
          key={part}
          {...{ editor, part, handles }}
          isOpen={open === part}
          onOpenChange={(isOpen) => toggle(part, isOpen)}
        />
      ))}
    </div>
  )
}

const names: Record<TablePart, string> = { column: 'Column', row: 'Row', table: 'Table options' }
const icons = { column: Ellipsis, row: EllipsisVertical, table: Table2 }
const shapes: Record<TablePart, string> = { column: 'h-4 w-7', row: 'h-7 w-4', table: 'size-5' }

type TableHandleProps = {
  editor: Editor
  part: TablePart
  handles: TableHandles
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** One handle with its menu. After any menu action the focus returns to the text, without scrolling. */
function TableHandle({ editor, part, handles, isOpen, onOpenChange }: TableHandleProps) {
  const Icon = icons[part]
  const place = { column: handles.column, row: handles.row, table: handles.corner }[part]
  const style: CSSProperties = place ? { left: place.left, top: place.top } : { display: 'none' }
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          aria-label={names[part]}
          style={style}
          // A mouse press leaves the focus in the text until the menu is open.
          onMouseDown={(event) => event.preventDefault()}
          className={`absolute inline-flex -translate-1/2 items-center justify-center rounded-md border border-line bg-surface text-ink-soft shadow-sm hover:bg-hover hover:text-ink data-[state=open]:bg-accent-soft data-[state=open]:text-accent-strong ${shapes[part]}`}
        >
          <Icon size={part === 'table' ? 12 : 14} aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      <TextMenu editor={editor}>
        <TableMenu editor={editor} part={part} cell={handles.cell} />
      </TextMenu>
    </DropdownMenu.Root>
  )
}

/**
 * The handles to show: those of the cell under the mouse, else of the one with the caret. Measured at most once per
 * frame; the component renders again only when one has moved. While `held` they stay at their cell.
 */
function useTableHandles(editor: Editor, held: RefObject<boolean>): TableHandles | null {
  const [handles, setHandles] = useState<TableHandles | null>(null)
  useEffect(() => {
    let hovered: number | undefined
    let shown: number | undefined
    let { doc } = editor.state
    const { soon, cancel } = oncePerFrame(() => {
      const { state } = editor
      if (hovered !== undefined && !isCell(state, hovered)) hovered = undefined
      shown = held.current ? shown : (hovered ?? (editor.isEditable ? cellAtSelection(state) : undefined))
      const next = shown === undefined || !editor.isEditable ? null : measureHandles(editor, shown)
      setHandles((before) => (sameJson(before, next) ? before : next))
    })
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
      cancel()
      editor.off('transaction', onTransaction)
      scroller?.removeEventListener('mouseover', onMove as EventListener)
      scroller?.removeEventListener('scroll', soon, { capture: true })
      removeEventListener('resize', soon)
    }
  }, [editor, held])
  return handles
}
