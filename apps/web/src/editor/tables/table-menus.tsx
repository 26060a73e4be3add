import type { Editor } from '@tiptap/core'
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDownToLine,
  ArrowLeftToLine,
  ArrowRightToLine,
  ArrowUpToLine,
  Check,
  TableCellsMerge,
  TableCellsSplit,
  Trash2,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { MenuItem, MenuLine } from '../../ui/menu-parts.tsx'
import { isHeader, sharedAlignment, type TablePart } from './table-actions.ts'

type MenuProps = { editor: Editor; cell: number }

/** The actions on a column, a row, or the cells and the table, as items of a menu. */
export function TableMenu({ part, ...props }: MenuProps & { part: TablePart }) {
  switch (part) {
    case 'column':
      return <ColumnItems {...props} />
    case 'row':
      return <RowItems {...props} />
    case 'table':
      return (
        <>
          <CellItems {...props} />
          <MenuLine />
          <RowItems {...props} />
          <MenuLine />
          <ColumnItems {...props} />
          <MenuLine />
          <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => chain(props.editor).deleteTable().run()}>
            Delete table
          </MenuItem>
        </>
      )
  }
}

function chain(editor: Editor) {
  return editor.chain().focus(null, { scrollIntoView: false })
}

function ColumnItems({ editor, cell }: MenuProps) {
  const align = (value: string | null) => () => chain(editor).setCellAttribute('align', value).run()
  const shared = sharedAlignment(editor)
  return (
    <>
      <MenuItem icon={<ArrowLeftToLine size={16} />} onSelect={() => chain(editor).addColumnBefore().run()}>
        Insert column before
      </MenuItem>
      <MenuItem icon={<ArrowRightToLine size={16} />} onSelect={() => chain(editor).addColumnAfter().run()}>
        Insert column after
      </MenuItem>
      <MenuLine />
      <CheckItem checked={shared === null || shared === 'left'} icon={<AlignLeft size={16} />} onSelect={align(null)}>
        Align at the start
      </CheckItem>
      <CheckItem checked={shared === 'center'} icon={<AlignCenter size={16} />} onSelect={align('center')}>
        Align center
      </CheckItem>
      <CheckItem checked={shared === 'right'} icon={<AlignRight size={16} />} onSelect={align('right')}>
        Align right
      </CheckItem>
      <MenuLine />
      <CheckItem checked={isHeader(editor, 'column', cell)} onSelect={() => chain(editor).toggleHeaderColumn().run()}>
        First column is a header
      </CheckItem>
      <MenuItem
        danger
        icon={<Trash2 size={16} />}
        onSelect={() => void (chain(editor).deleteColumn().run() || chain(editor).deleteTable().run())}
      >
        Delete column
      </MenuItem>
    </>
  )
}

function RowItems({ editor, cell }: MenuProps) {
  return (
    <>
      <MenuItem icon={<ArrowUpToLine size={16} />} onSelect={() => chain(editor).addRowBefore().run()}>
        Insert row above
      </MenuItem>
      <MenuItem icon={<ArrowDownToLine size={16} />} onSelect={() => chain(editor).addRowAfter().run()}>
        Insert row below
      </MenuItem>
      <CheckItem checked={isHeader(editor, 'row', cell)} onSelect={() => chain(editor).toggleHeaderRow().run()}>
        First row is a header
      </CheckItem>
      <MenuItem
        danger
        icon={<Trash2 size={16} />}
        onSelect={() => void (chain(editor).deleteRow().run() || chain(editor).deleteTable().run())}
      >
        Delete row
      </MenuItem>
    </>
  )
}

function CellItems({ editor }: MenuProps) {
  return (
    <>
      <MenuItem
        icon={<TableCellsMerge size={16} />}
        disabled={!editor.can().mergeCells()}
        onSelect={() => chain(editor).mergeCells().run()}
      >
        Merge cells
      </MenuItem>
      <MenuItem
        icon={<TableCellsSplit size={16} />}
        disabled={!editor.can().splitCell()}
        onSelect={() => chain(editor).splitCell().run()}
      >
        Split cell
      </MenuItem>
    </>
  )
}

type CheckItemProps = { checked: boolean; icon?: ReactNode; onSelect: () => void; children: ReactNode }

function CheckItem({ checked, icon, onSelect, children }: CheckItemProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm text-ink outline-none data-[highlighted]:bg-hover"
    >
      <span aria-hidden className="inline-flex size-4 opacity-75">
        {icon}
      </span>
      <span className="flex-1">{children}</span>
      <DropdownMenu.ItemIndicator>
        <Check size={15} aria-hidden className="text-accent" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  )
}
