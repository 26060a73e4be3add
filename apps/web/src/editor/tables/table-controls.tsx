import type { Editor } from '@tiptap/core'
import { Ellipsis, EllipsisVertical, Table2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type CSSProperties, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { EditorUi } from '../editor-ui.ts'
import { selectPart, type TablePart } from './table-actions.ts'
import { cellAtSelection, type TableHandles } from './table-geometry.ts'
import { TableMenu } from './table-menus.tsx'
import { useTableHandles } from './use-table-handles.ts'

type TableControlsProps = { editor: Editor; ui: EditorUi }

const names: Record<TablePart, string> = { column: 'Column', row: 'Row', table: 'Table' }
const icons = { column: Ellipsis, row: EllipsisVertical, table: Table2 }
const shapes: Record<TablePart, string> = { column: 'h-4 w-7', row: 'h-7 w-4', table: 'size-5' }

/** The handles of the table at hand, which stand over the text and move nothing in it: for a column, a row, and the whole table. */
export function TableControls({ editor, ui }: TableControlsProps) {
  const [open, setOpen] = useState<TablePart | null>(null)
  const held = useRef(false)
  const handles = useTableHandles(editor, held)
  const show = (part: TablePart | null) => {
    held.current = part !== null
    setOpen(part)
  }
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
    show(isOpen ? part : null)
  }
  return (
    <div data-table-handles="" className="absolute top-0 left-0">
      {(['table', 'column', 'row'] as const).map((part) => (
        <Handle
          key={part}
          {...{ editor, part, handles }}
          isOpen={open === part}
          onOpenChange={(isOpen) => toggle(part, isOpen)}
        />
      ))}
    </div>
  )
}

type HandleProps = {
  editor: Editor
  part: TablePart
  handles: TableHandles
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

function Handle({ editor, part, handles, isOpen, onOpenChange }: HandleProps) {
  const Icon = icons[part]
  const place = { column: handles.column, row: handles.row, table: handles.corner }[part]
  const style: CSSProperties = place ? { left: place.left, top: place.top } : { display: 'none' }
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          aria-label={names[part]}
          style={style}
          // The mouse leaves the focus in the text until the menu is open.
          onMouseDown={(event) => event.preventDefault()}
          className={`absolute inline-flex -translate-1/2 items-center justify-center rounded-md border border-line bg-surface text-ink-soft shadow-sm hover:bg-hover hover:text-ink data-[state=open]:bg-accent-soft data-[state=open]:text-accent-strong ${shapes[part]}`}
        >
          <Icon size={part === 'table' ? 12 : 14} aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            editor.commands.focus(null, { scrollIntoView: false })
          }}
          className="pop z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-raised"
        >
          <TableMenu editor={editor} part={part} cell={handles.cell} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
