import type { Editor } from '@tiptap/core'
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDown,
  ArrowDownToLine,
  ArrowLeft,
  ArrowLeftToLine,
  ArrowRight,
  ArrowRightToLine,
  ArrowUp,
  ArrowUpToLine,
  Check,
  Columns3,
  Eraser,
  FoldHorizontal,
  ScanText,
  TableCellsMerge,
  TableCellsSplit,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu-parts.tsx'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import { changeWidths, clearWidths, columnOf, evenWidths, growColumn } from './layout/column-widths.ts'
import {
  alignCells,
  clearCells,
  isHeader,
  type MoveSide,
  moveTo,
  moveToSide,
  sharedAlignment,
  type TablePart,
} from './table-actions.ts'
import { moveKeys } from './tables.ts'

type MenuProps = { editor: Editor; cell: number }

/** The actions on a column, a row, or the cells and the table, as items of a menu. */
export function TableMenu({ part, ...props }: MenuProps & { part: TablePart }) {
  switch (part) {
    case 'column':
      return (
        <>
          <ColumnItems {...props} />
          <MenuLine />
          <CellItems {...props} />
        </>
      )
    case 'row':
      return (
        <>
          <RowItems {...props} />
          <MenuLine />
          <CellItems {...props} />
        </>
      )
    case 'table':
      return (
        <>
          <CellItems {...props} />
          <MergeItems {...props} />
          <MenuLine />
          <RowItems {...props} />
          <MenuLine />
          <ColumnItems {...props} />
          <MenuLine />
          <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => chain(props.editor).deleteTable().run()}>
            {t('Delete table')}
          </MenuItem>
        </>
      )
  }
}

function chain(editor: Editor) {
  return editor.chain().focus(null, { scrollIntoView: false })
}

function ColumnItems({ editor, cell }: MenuProps) {
  return (
    <>
      <MenuItem icon={<ArrowLeftToLine size={16} />} onSelect={() => chain(editor).addColumnBefore().run()}>
        {t('Insert column before')}
      </MenuItem>
      <MenuItem icon={<ArrowRightToLine size={16} />} onSelect={() => chain(editor).addColumnAfter().run()}>
        {t('Insert column after')}
      </MenuItem>
      <MoveItem editor={editor} side="left" icon={<ArrowLeft size={16} />}>
        {t('Move column left')}
      </MoveItem>
      <MoveItem editor={editor} side="right" icon={<ArrowRight size={16} />}>
        {t('Move column right')}
      </MoveItem>
      <WidthItems editor={editor} cell={cell} />
      <CheckItem checked={isHeader(editor, 'column', cell)} onSelect={() => chain(editor).toggleHeaderColumn().run()}>
        {t('First column is a header')}
      </CheckItem>
      <MenuItem
        danger
        icon={<Trash2 size={16} />}
        onSelect={() => void (chain(editor).deleteColumn().run() || chain(editor).deleteTable().run())}
      >
        {t('Delete column')}
      </MenuItem>
    </>
  )
}

const widthStep = 32

// These leave the menu open, to be pressed several times.
function WidthItems({ editor, cell }: MenuProps) {
  const grow = (by: number) => (event: Event) => {
    event.preventDefault()
    const column = columnOf(editor, cell)
    changeWidths(editor, cell, (widths) => growColumn(widths, column, by))
  }
  const even = () => changeWidths(editor, cell, evenWidths)
  return (
    <>
      <MenuItem icon={<UnfoldHorizontal size={16} />} onSelect={grow(widthStep)}>
        {t('Wider column')}
      </MenuItem>
      <MenuItem icon={<FoldHorizontal size={16} />} onSelect={grow(-widthStep)}>
        {t('Narrower column')}
      </MenuItem>
      <MenuItem icon={<Columns3 size={16} />} onSelect={even}>
        {t('Same width for all columns')}
      </MenuItem>
      <MenuItem icon={<ScanText size={16} />} onSelect={() => clearWidths(editor, cell)}>
        {t('Fit widths to content')}
      </MenuItem>
    </>
  )
}

function RowItems({ editor, cell }: MenuProps) {
  return (
    <>
      <MenuItem icon={<ArrowUpToLine size={16} />} onSelect={() => chain(editor).addRowBefore().run()}>
        {t('Insert row above')}
      </MenuItem>
      <MenuItem icon={<ArrowDownToLine size={16} />} onSelect={() => chain(editor).addRowAfter().run()}>
        {t('Insert row below')}
      </MenuItem>
      <MoveItem editor={editor} side="up" icon={<ArrowUp size={16} />}>
        {t('Move row up')}
      </MoveItem>
      <MoveItem editor={editor} side="down" icon={<ArrowDown size={16} />}>
        {t('Move row down')}
      </MoveItem>
      <CheckItem checked={isHeader(editor, 'row', cell)} onSelect={() => chain(editor).toggleHeaderRow().run()}>
        {t('First row is a header')}
      </CheckItem>
      <MenuItem
        danger
        icon={<Trash2 size={16} />}
        onSelect={() => void (chain(editor).deleteRow().run() || chain(editor).deleteTable().run())}
      >
        {t('Delete row')}
      </MenuItem>
    </>
  )
}

type MoveItemProps = { editor: Editor; side: MoveSide; icon: ReactNode; children: ReactNode }

function MoveItem({ editor, side, icon, children }: MoveItemProps) {
  return (
    <MenuItem icon={icon} disabled={moveToSide(editor, side) === null} onSelect={() => moveTo(editor, side)}>
      <span className="flex-1">{children}</span>
      <span aria-hidden className="ps-3 text-xs text-ink-faint pointer-coarse:hidden">
        {formatShortcut(moveKeys[side], isMacLike())}
      </span>
    </MenuItem>
  )
}

function CellItems({ editor }: MenuProps) {
  const align = (value: string | null) => () => {
    alignCells(editor, value)
    editor.commands.focus(null, { scrollIntoView: false })
  }
  const shared = sharedAlignment(editor)
  return (
    <>
      <CheckItem checked={shared === null || shared === 'left'} icon={<AlignLeft size={16} />} onSelect={align(null)}>
        {t('Align at the start')}
      </CheckItem>
      <CheckItem checked={shared === 'center'} icon={<AlignCenter size={16} />} onSelect={align('center')}>
        {t('Align center')}
      </CheckItem>
      <CheckItem checked={shared === 'right'} icon={<AlignRight size={16} />} onSelect={align('right')}>
        {t('Align right')}
      </CheckItem>
      <MenuItem icon={<Eraser size={16} />} onSelect={() => clearCells(editor)}>
        {t('Clear cells')}
      </MenuItem>
    </>
  )
}

function MergeItems({ editor }: MenuProps) {
  return (
    <>
      <MenuItem
        icon={<TableCellsMerge size={16} />}
        disabled={!editor.can().mergeCells()}
        onSelect={() => chain(editor).mergeCells().run()}
      >
        {t('Merge cells')}
      </MenuItem>
      <MenuItem
        icon={<TableCellsSplit size={16} />}
        disabled={!editor.can().splitCell()}
        onSelect={() => chain(editor).splitCell().run()}
      >
        {t('Split cell')}
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
