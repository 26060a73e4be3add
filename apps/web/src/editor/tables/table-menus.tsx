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
  type LucideIcon,
  PanelLeft,
  PanelTop,
  ScanText,
  TableCellsMerge,
  TableCellsSplit,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { t } from '../../i18n/translate.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu-parts.tsx'
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
          <MenuItem
            danger
            icon={Trash2}
            onSelect={() => chain(props.editor).deleteTable().run()}
            text={t('Delete table')}
          />
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
      <MenuItem
        icon={ArrowLeftToLine}
        onSelect={() => chain(editor).addColumnBefore().run()}
        text={t('Insert column before')}
      />
      <MenuItem
        icon={ArrowRightToLine}
        onSelect={() => chain(editor).addColumnAfter().run()}
        text={t('Insert column after')}
      />
      <MoveItem editor={editor} side="left" icon={ArrowLeft} text={t('Move column left')} />
      <MoveItem editor={editor} side="right" icon={ArrowRight} text={t('Move column right')} />
      <WidthItems editor={editor} cell={cell} />
      <CheckItem
        checked={isHeader(editor, 'column', cell)}
        icon={PanelLeft}
        onSelect={() => chain(editor).toggleHeaderColumn().run()}
        text={t('First column is a header')}
      />
      <MenuItem
        danger
        icon={Trash2}
        onSelect={() => void (chain(editor).deleteColumn().run() || chain(editor).deleteTable().run())}
        text={t('Delete column')}
      />
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
      <MenuItem icon={UnfoldHorizontal} onSelect={grow(widthStep)} text={t('Wider column')} />
      <MenuItem icon={FoldHorizontal} onSelect={grow(-widthStep)} text={t('Narrower column')} />
      <MenuItem icon={Columns3} onSelect={even} text={t('Same width for all columns')} />
      <MenuItem icon={ScanText} onSelect={() => clearWidths(editor, cell)} text={t('Fit widths to content')} />
    </>
  )
}

function RowItems({ editor, cell }: MenuProps) {
  return (
    <>
      <MenuItem icon={ArrowUpToLine} onSelect={() => chain(editor).addRowBefore().run()} text={t('Insert row above')} />
      <MenuItem
        icon={ArrowDownToLine}
        onSelect={() => chain(editor).addRowAfter().run()}
        text={t('Insert row below')}
      />
      <MoveItem editor={editor} side="up" icon={ArrowUp} text={t('Move row up')} />
      <MoveItem editor={editor} side="down" icon={ArrowDown} text={t('Move row down')} />
      <CheckItem
        checked={isHeader(editor, 'row', cell)}
        icon={PanelTop}
        onSelect={() => chain(editor).toggleHeaderRow().run()}
        text={t('First row is a header')}
      />
      <MenuItem
        danger
        icon={Trash2}
        onSelect={() => void (chain(editor).deleteRow().run() || chain(editor).deleteTable().run())}
        text={t('Delete row')}
      />
    </>
  )
}

type MoveItemProps = { editor: Editor; side: MoveSide; icon: LucideIcon; text: string }

function MoveItem({ editor, side, ...item }: MoveItemProps) {
  const isOff = moveToSide(editor, side) === null
  return <MenuItem {...item} keys={moveKeys[side]} disabled={isOff} onSelect={() => moveTo(editor, side)} />
}

function CellItems({ editor }: MenuProps) {
  const align = (value: string | null) => () => {
    alignCells(editor, value)
    editor.commands.focus(null, { scrollIntoView: false })
  }
  const shared = sharedAlignment(editor)
  return (
    <>
      <CheckItem
        checked={shared === null || shared === 'left'}
        icon={AlignLeft}
        onSelect={align(null)}
        text={t('Align at the start')}
      />
      <CheckItem checked={shared === 'center'} icon={AlignCenter} onSelect={align('center')} text={t('Align center')} />
      <CheckItem checked={shared === 'right'} icon={AlignRight} onSelect={align('right')} text={t('Align right')} />
      <MenuItem icon={Eraser} onSelect={() => clearCells(editor)} text={t('Clear cells')} />
    </>
  )
}

function MergeItems({ editor }: MenuProps) {
  return (
    <>
      <MenuItem
        icon={TableCellsMerge}
        disabled={!editor.can().mergeCells()}
        onSelect={() => chain(editor).mergeCells().run()}
        text={t('Merge cells')}
      />
      <MenuItem
        icon={TableCellsSplit}
        disabled={!editor.can().splitCell()}
        onSelect={() => chain(editor).splitCell().run()}
        text={t('Split cell')}
      />
    </>
  )
}

type CheckItemProps = { checked: boolean; icon: LucideIcon; text: string; onSelect: () => void }

function CheckItem({ checked, icon: Icon, text, onSelect }: CheckItemProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm text-ink outline-none data-[highlighted]:bg-hover pointer-coarse:min-h-10"
    >
      <span aria-hidden className="inline-flex size-4 opacity-75">
        <Icon size={16} />
      </span>
      <span className="flex-1">{text}</span>
      <DropdownMenu.ItemIndicator>
        <Check size={15} aria-hidden className="text-accent" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  )
}
