import type { Editor } from '@tiptap/core'
import { Ellipsis, EllipsisVertical, Table2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { CSSProperties } from 'react'
import { TextMenu } from '../text-menu.tsx'
import type { TablePart } from './table-actions.ts'
import type { TableHandles } from './table-geometry.ts'
import { TableMenu } from './table-menus.tsx'

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
export function TableHandle({ editor, part, handles, isOpen, onOpenChange }: TableHandleProps) {
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
