import { Fragment, type Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { failure, type ToolFailure } from '../../common/result.ts'
import { type Block, holdsChanges } from '../../document/blocks.ts'
import { isList } from '../blocks/reshape-blocks.ts'
import { hasHead, type TableAt } from './table-at.ts'
import { readCell } from './table-cells.ts'

const separators = [' | ', '\t', ': ', ' – ', ' — ', ' - ', '; ']

/** The result of converting a list to a table, or a table to a list: the position before the new node. */
export type Converted = { ok: true; pos: number; old: Node }

/**
 * Converts the list around a block into a table with a row for each item. Items below an item become its further cells;
 * otherwise the text is split at a separator that all items have. `heads` are the texts of the head.
 */
export function listToTable(transform: Transform, block: Block, heads: readonly string[]): Converted | ToolFailure {
  const list = listAround(transform.doc, block)
  if (!list)
    return failure('invalid_operation', 'That block is in no list.', 'block: the number of any item of the list.')
  const rows = list.node.children.map((item) => cellsOfItem(item))
  if (holdsChanges(list.node)) return undecided()
  if (!isComplete(rows)) {
    return failure(
      'invalid_operation',
      'The list holds more than lines of text.',
      'Take out code, images and lists of a third level first.',
    )
  }
  const cells = divide(rows, heads.length)
  const width = Math.max(heads.length, 1, ...cells.map((row) => row.length))
  const { schema } = list.node.type
  const cell = (type: string, paragraph?: Node): Node => schema.node(type, null, paragraph ?? schema.node('paragraph'))
  const head = Array.from({ length: width }, (_, column) => {
    return cell('tableHeader', schema.node('paragraph', null, readCell(heads[column] ?? '')))
  })
  const body = cells.map((row, index) => {
    const { threads } = list.node.child(index).attrs
    return schema.node(
      'tableRow',
      { threads },
      Array.from({ length: width }, (_, column) => cell('tableCell', row[column])),
    )
  })
  transform.replaceWith(
    list.pos,
    list.pos + list.node.nodeSize,
    schema.node('table', null, [schema.node('tableRow', null, head), ...body]),
  )
  return { ok: true, pos: list.pos, old: list.node }
}

function listAround(doc: Node, block: Block): { node: Node; pos: number } | undefined {
  const $pos = doc.resolve(block.pos)
  for (let depth = 1; depth <= $pos.depth; depth++) {
    if (isList($pos.node(depth))) return { node: $pos.node(depth), pos: $pos.before(depth) }
  }
  return undefined
}

function isComplete(rows: readonly (Node[] | undefined)[]): rows is Node[][] {
  return rows.every((row) => row !== undefined)
}

// The paragraphs of an item and of the items below it; `undefined` if the item has other content.
function cellsOfItem(item: Node, depth = 0): Node[] | undefined {
  const cells: Node[] = []
  for (const child of item.children) {
    if (child.type.name === 'paragraph') cells.push(child)
    else if (!isList(child) || depth > 0) return undefined
    else {
      for (const below of child.children) {
        const inner = cellsOfItem(below, depth + 1)
        if (inner?.length !== 1) return undefined
        cells.push(...inner)
      }
    }
  }
  const [first] = cells
  if (item.type.name === 'taskItem' && first) {
    const box = item.type.schema.text(item.attrs.checked === true ? '[x] ' : '[ ] ')
    cells[0] = first.copy(Fragment.from(box).append(first.content))
  }
  return cells
}

function divide(rows: readonly Node[][], width: number): Node[][] {
  const areLines = rows.every((row) => row.length === 1)
  const filled = rows.filter(([line]) => line && line.content.size > 0)
  const separator =
    areLines && width !== 1
      ? separators.find((each) => filled.every(([line]) => textOf(line).includes(each)))
      : undefined
  if (separator === undefined) return rows.map((row) => [...row])
  // Without given heads, the text after the first colon is one cell.
  const most = width > 0 ? width : separator === ': ' ? 2 : Infinity
  return rows.map(([line]) => (line ? divideLine(line, separator, most) : []))
}

// One character for each position, so that offsets in the text are offsets in the content.
function textOf(line: Node | undefined): string {
  return line?.textBetween(0, line.content.size, undefined, '\uFFFC') ?? ''
}

function divideLine(line: Node, separator: string, most: number): Node[] {
  const text = textOf(line)
  const parts: Node[] = []
  let from = 0
  for (let at = text.indexOf(separator); at >= 0 && parts.length + 1 < most; at = text.indexOf(separator, from)) {
    parts.push(line.cut(from, at))
    from = at + separator.length
  }
  return [...parts, line.cut(from)]
}

/** Converts a table to a list: an item for each row below the head, with its further cells and their heads below it. */
export function tableToList(transform: Transform, at: TableAt): Converted | ToolFailure {
  const { table, pos } = at
  if (holdsChanges(table)) return undecided()
  const { schema } = table.type
  const isHeaded = hasHead(at) && at.rows.length > 1
  const items = table.children.slice(isHeaded ? 1 : 0).map((row) => {
    const lines = row.children.map((cell) => lineOf(cell))
    const [first, ...more] = lines
    const below = more.flatMap((content, index) => {
      const head = isHeaded ? (at.heads[index + 1] ?? '') : ''
      const label = head === '' ? Fragment.empty : Fragment.from(schema.text(`${head}: `))
      const paragraph = schema.node('paragraph', null, label.append(content))
      return content.size === 0 ? [] : [schema.node('listItem', null, paragraph)]
    })
    const own = schema.node('paragraph', null, first ?? Fragment.empty)
    const { threads } = row.attrs
    return schema.node(
      'listItem',
      { threads },
      below.length === 0 ? [own] : [own, schema.node('bulletList', null, below)],
    )
  })
  transform.replaceWith(pos, pos + table.nodeSize, schema.node('bulletList', null, items))
  return { ok: true, pos, old: table }
}

function lineOf(cell: Node): Fragment {
  let line = Fragment.empty
  cell.descendants((node) => {
    if (!node.isTextblock) return true
    const gap = line.size > 0 && node.content.size > 0 ? Fragment.from(node.type.schema.text(' ')) : Fragment.empty
    line = line.append(gap).append(node.content)
    return false
  })
  return line
}

function undecided(): ToolFailure {
  return failure(
    'invalid_operation',
    'There are open suggested changes in it.',
    'Ask the person to decide on them first; read_changes shows them.',
  )
}
