import type { Editor, EditorEvents } from '@tiptap/core'
import { Ellipsis, EllipsisVertical, Table2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type CSSProperties, useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { type EnglishText, t } from '../../i18n/translate.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import { TextMenu } from '../common/text-menu.tsx'
import { startResize } from './layout/column-widths.ts'
import { selectPart, type TablePart, runMove } from './table-actions.ts'
import {
  cellAtSelection,
  type TableHandles,
  cellOfElement,
  isCell,
  measureHandles,
  columnEdges,
  drawnTableOf,
  rowEdges,
} from './layout/table-geometry.ts'
import { TableMenu } from './table-menus.tsx'
import type { Transaction } from 'prosemirror-state'
import { isFromYjs } from '../common/from-yjs.ts'
import { oncePerFrame } from '../../common/throttle.ts'
import { sameJson } from '../../common/store.ts'
import { changedRange } from '../common/positions.ts'
import { createDropLine, type DropBox, type Point, scrollSpeed, trackPointer } from '../common/pointer-drag.ts'
import type { LineMove, Lines } from './lines/line-moves.ts'
import { nearestMove, selectedTable } from './lines/move-lines.ts'

type TableControlsProps = { editor: Editor; ui: EditorUi }

/**
 * The handles around the current table, where they neither cover its text nor change the layout: for a column and a
 * row, which are also dragged by them, and for the whole table; and the edges of columns, which are dragged. On a touch
 * screen those of columns are all above the table, whose cells scroll it, and the toolbar opens the menu of the whole
 * table.
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
    // After the handles have moved to the cell with the caret, which takes a frame.
    const frame = requestAnimationFrame(() => {
      held.current = true
      setOpen('table')
    })
    return () => cancelAnimationFrame(frame)
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
    // The control that requested the menu doesn't take the focus before the menu is closed.
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
 * The edges of the columns at the cell, for pointers; the menu has the same actions for all users. For a mouse they are
 * as high as the cell: cells above and below may be merged across them. The line that marks an edge is as high as the
 * table.
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

// Next to the table if there is space, else below its row, so that the menu doesn't cover its cells.
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
      // A mouse press keeps the focus in the text until the menu is open.
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

/**
 * The handles to show, the current position of their cell, which peers may move, and a function that measures them
 * again.
 */
type ShownHandles = { handles: TableHandles | null; cell: () => number | undefined; measure: () => void }

/**
 * The handles to show: those of the cell under the mouse, else of the one with the caret. Measured at most once per
 * frame; the component renders again only when one has moved. While `held` they stay at their cell.
 */
function useTableHandles(editor: Editor, held: RefObject<boolean>): ShownHandles {
  const [handles, setHandles] = useState<TableHandles | null>(null)
  const shown = useRef<number>(undefined)
  const measure = useRef(() => {})
  useEffect(() => {
    let hovered: number | undefined
    let { doc } = editor.state
    const { schedule, cancel } = oncePerFrame(() => {
      const { state } = editor
      if (hovered !== undefined && !isCell(state, hovered)) hovered = undefined
      const wanted = hovered ?? (editor.isEditable ? cellAtSelection(state) : undefined)
      if (!held.current) shown.current = wanted
      const cell = shown.current
      const next = cell === undefined || !editor.isEditable ? null : measureHandles(editor, cell)
      setHandles((before) => (sameJson(before, next) ? before : next))
    })
    measure.current = schedule
    // Maps the cell through changes above it, also while its menu is open. The binding replaces the whole document.
    const follow = (transactions: readonly Transaction[]) => {
      const [before, cell] = [doc, shown.current]
      doc = editor.state.doc
      if (cell === undefined || before === doc) return
      const mapped = transactions.some(isFromYjs)
        ? changedRange(before, doc)?.mapping.map(cell)
        : transactions.reduce((position, { mapping }) => mapping.map(position), cell)
      // The changed range may include the cell's own start, for example if only widths have changed.
      shown.current = mapped !== undefined && isCell(editor.state, mapped) ? mapped : cell
    }
    const onTransaction = ({ transaction, appendedTransactions }: EditorEvents['transaction']) => {
      follow([transaction, ...appendedTransactions])
      // Skips all work in a document without a current table.
      if (transaction.selectionSet || transaction.docChanged) hovered = undefined
      if (shown.current !== undefined || cellAtSelection(editor.state) !== undefined) schedule()
    }
    const onMove = (event: MouseEvent) => {
      if (event.buttons !== 0 || !(event.target instanceof Element)) return
      if (event.target.closest('[data-table-handles]')) return
      const next = cellOfElement(editor, event.target)
      if (next === hovered) return
      hovered = next
      schedule()
    }
    const scroller = editor.view.dom.closest('[data-scroller]')
    editor.on('transaction', onTransaction)
    scroller?.addEventListener('mouseover', onMove as EventListener)
    scroller?.addEventListener('scroll', schedule, { capture: true, passive: true })
    addEventListener('resize', schedule)
    // The caret may be in a table before this component is loaded.
    schedule()
    return () => {
      cancel()
      editor.off('transaction', onTransaction)
      scroller?.removeEventListener('mouseover', onMove as EventListener)
      scroller?.removeEventListener('scroll', schedule, { capture: true })
      removeEventListener('resize', schedule)
    }
  }, [editor, held])
  return { handles, cell: () => shown.current, measure: () => measure.current() }
}

type LineDrag = {
  editor: Editor
  axis: Lines['axis']
  /** Selects the rows or columns that are dragged. */
  onBegin: () => void
  onEnd: () => void
}

/**
 * Follows the pointer that has pressed the handle of a row or column, and moves the selected rows or columns, with a
 * line at the drop position. Peers may write meanwhile: the state is read again in each frame.
 */
function startLineDrag(press: PointerEvent, { editor, axis, onBegin, onEnd }: LineDrag): void {
  const line = createDropLine()
  trackPointer(press, {
    onBegin,
    onFrame(at) {
      scroll(editor, axis, at)
      line.show(targetAt(editor, axis, at)?.box ?? null)
    },
    onDrop(at) {
      const target = targetAt(editor, axis, at)
      if (target) runMove(editor, target.move)
      editor.view.focus()
    },
    onEnd() {
      line.remove()
      onEnd()
    },
  })
}

/** The move to the gap nearest to a position, and the line that marks it; undefined if the move has no effect. */
function targetAt(editor: Editor, axis: Lines['axis'], at: Point): { move: LineMove; box: DropBox } | undefined {
  const table = selectedTable(editor.state)
  const drawn = table && drawnTableOf(editor.view, table)
  const frame = drawn?.parentElement?.getBoundingClientRect()
  if (!drawn || !frame) return undefined
  const grid = drawn.getBoundingClientRect()
  const edges = axis === 'row' ? rowEdges(editor.view, table) : columnEdges(editor.view, table)
  const distance = (gap: number) => Math.abs((edges[gap] ?? Infinity) - (axis === 'row' ? at.y : at.x))
  const move = nearestMove(editor.state, axis, distance)
  const edge = edges[move?.gap ?? -1]
  if (!move || edge === undefined) return undefined
  const [left, right] = [Math.max(grid.left, frame.left), Math.min(grid.right, frame.right)]
  const box =
    axis === 'row'
      ? { left, top: edge, length: right - left }
      : { left: Math.min(Math.max(edge, left), right), top: grid.top, length: grid.height, isVertical: true }
  return { move, box }
}

function scroll(editor: Editor, axis: Lines['axis'], { x, y }: Point): void {
  const scroller = editor.view.dom.closest('[data-scroller]')
  const table = selectedTable(editor.state)
  const frame = table && drawnTableOf(editor.view, table)?.parentElement
  const [area, at] = axis === 'row' ? [scroller, y] : [frame, x]
  const box = area?.getBoundingClientRect()
  if (!area || !box) return
  if (axis === 'row') area.scrollTop += scrollSpeed(at, box.top, box.bottom)
  else area.scrollLeft += scrollSpeed(at, box.left, box.right)
}
