import type { Editor } from '@tiptap/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { EditorUi } from '../editor-ui.ts'
import { selectPart, type TablePart } from './table-actions.ts'
import { cellAtSelection } from './table-geometry.ts'
import { TableHandle } from './table-handle.tsx'
import { useTableHandles } from './use-table-handles.ts'

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
