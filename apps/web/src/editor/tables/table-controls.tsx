import type { Editor } from '@tiptap/core'
import { Ellipsis, EllipsisVertical, Table2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type CSSProperties, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type EnglishText, t } from '../../i18n/translate.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import { TextMenu } from '../common/text-menu.tsx'
import { startResize } from './layout/column-widths.ts'
import { startLineDrag } from './line-drag.ts'
import { selectPart, type TablePart } from './table-actions.ts'
import { cellAtSelection, type TableHandles } from './layout/table-geometry.ts'
import { TableMenu } from './table-menus.tsx'
import { useTableHandles } from './use-table-handles.ts'

type TableControlsProps = { editor: Editor; ui: EditorUi }

/**
 * The handles of the current table, around it, so that they cover neither its text nor change the layout: for a column
 * and a row, which are also dragged by them, and for the whole table; and the edges of columns, which are dragged. On a
 * touch screen those of columns are all above the table, whose cells scroll it, and the toolbar opens the menu of the
 * whole table.
 */
export function TableControls({ editor, ui }: TableControlsProps) {
  const [open, setOpen] = useState<TablePart | null>(null)
  const held = useRef(false)
  const { handles, cell, measure } = useTableHandles(editor, held)
  const isAsked = useSyncExternalStore(ui.subscribe, () => ui.get() === 'tableMenu')
  const isKnown = handles !== null
  useEffect(() => {
    if (!isAsked) return
    const isInTable = isKnown && cellAtSelection(editor.state) !== undefined
    if (!isInTable) return ui.set(null)
    held.current = true
    setOpen('table')
  }, [isAsked, ui, editor, isKnown])
  if (!handles) return null
  const hold = (isHeld: boolean) => {
    held.current = isHeld
    if (!isHeld) measure()
  }
  const show = (part: TablePart | null) => {
    if (part) selectPart(editor, part, handles.cell)
    held.current = part !== null
    setOpen(part)
    // Until then whatever asked for the menu leaves the focus to it.
    if (part === null && ui.get() === 'tableMenu') ui.set(null)
  }
  return (
    <div data-table-handles="" className="absolute top-0 left-0">
      <ColumnEdges {...{ editor, handles, cell, hold, measure }} />
      {(['table', 'column', 'row'] as const).map((part) => (
        <TableHandle
          key={part}
          {...{ editor, part, handles, hold }}
          isOpen={open === part}
          onPress={() => show(open === part ? null : part)}
        />
      ))}
      <PartMenu editor={editor} handles={handles} part={open} onClose={() => show(null)} />
    </div>
  )
}

type ColumnEdgesProps = {
  editor: Editor
  handles: TableHandles
  cell: () => number | undefined
  hold: (isHeld: boolean) => void
  measure: () => void
}

/**
 * The edges of the columns beside the cell, for pointers; the menu has the same for all. For a mouse they are as high
 * as the cell: cells above and below may be merged across them. The line that marks one is as high as the table.
 */
function ColumnEdges({ editor, handles: { edges, box, row }, cell, hold, measure }: ColumnEdgesProps) {
  const [dragged, setDragged] = useState<number>()
  const places: CSSProperties & Record<`--${string}`, string> = {
    '--row-top': `${row.top - row.size / 2}px`,
    '--row-height': `${row.size}px`,
    '--table-top': `${box.top}px`,
    '--table-height': `${box.height}px`,
  }
  return edges.map(({ column, left }) => (
    <div
      key={column}
      data-column-edge={column}
      data-dragged={dragged === column}
      className="column-edge"
      style={{ ...places, left }}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        hold(true)
        setDragged(column)
        const onEnd = () => {
          setDragged(undefined)
          hold(false)
        }
        startResize(event.nativeEvent, { editor, cell, column, onDraw: measure, onEnd })
      }}
    />
  ))
}

type PartMenuProps = { editor: Editor; handles: TableHandles; part: TablePart | null; onClose: () => void }

function PartMenu({ editor, handles, part, onClose }: PartMenuProps) {
  return (
    <DropdownMenu.Root modal={false} open={part !== null} onOpenChange={(isOpen) => isOpen || onClose()}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute" style={placeOfMenu(handles, part)} />
      </DropdownMenu.Trigger>
      {part && (
        <TextMenu editor={editor} aria-label={t(names[part])} side={sideOfMenu(editor, handles)}>
          <TableMenu editor={editor} part={part} cell={handles.cell} />
        </TextMenu>
      )}
    </DropdownMenu.Root>
  )
}

const menuWidth = 232

// Beside the table, where there is room, else below its row: the menu doesn't cover what it acts on.
function sideOfMenu(editor: Editor, { box }: TableHandles): 'right' | 'bottom' {
  const frame = editor.view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const left = (frame?.left ?? 0) + box.left
  return Math.max(left, innerWidth - left - box.width) >= menuWidth ? 'right' : 'bottom'
}

function placeOfMenu({ box, row, corner }: TableHandles, part: TablePart | null): CSSProperties {
  const top = part === 'row' ? row.top - row.size / 2 : corner.top
  const height = part === 'row' ? row.size : Math.min(box.height, row.top + row.size / 2 - corner.top)
  return { left: box.left, top, width: box.width, height }
}

const names: Record<TablePart, EnglishText> = { column: 'Column', row: 'Row', table: 'Table options' }
const icons = { column: Ellipsis, row: EllipsisVertical, table: Table2 }

type TableHandleProps = {
  editor: Editor
  part: TablePart
  handles: TableHandles
  isOpen: boolean
  hold: (isHeld: boolean) => void
  onPress: () => void
}

/** One handle: a press opens its menu, a drag moves its row or column. */
function TableHandle({ editor, part, handles, isOpen, hold, onPress }: TableHandleProps) {
  const Icon = icons[part]
  const place = { column: handles.column, row: handles.row, table: handles.corner }[part]
  const style: CSSProperties = place ? { left: place.left, top: place.top } : { display: 'none' }
  return (
    <button
      type="button"
      aria-label={t(names[part])}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      data-part={part}
      data-mirrored={handles.isRightToLeft}
      style={style}
      className="table-handle"
      // A mouse press leaves the focus in the text until the menu is open.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        if (event.button !== 0 || part === 'table') return
        hold(true)
        startLineDrag(event.nativeEvent, {
          editor,
          axis: part,
          onBegin: () => selectPart(editor, part, handles.cell),
          onEnd: () => hold(false),
        })
      }}
      onClick={onPress}
    >
      <span>
        <Icon size={part === 'table' ? 12 : 14} aria-hidden />
      </span>
    </button>
  )
}
