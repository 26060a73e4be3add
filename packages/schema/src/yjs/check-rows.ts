import * as Y from 'yjs'
import { blockLimits } from '../attributes/table.ts'
import type { AddedItem, ParentOf } from './added-item.ts'

/**
 * Adds up the columns of table rows that get new or wider cells, including their existing cells; throws a `RangeError`
 * for the first row that is too wide. Cells that the same update deletes count too: `rowColumns` leaves room for that.
 */
export function createRowCheck(parentOf: ParentOf): (item: AddedItem) => void {
  const rows = new Map<Y.XmlElement, number>()
  const widen = (row: Y.XmlElement, by: number): void => {
    const columns = (rows.get(row) ?? columnsOf(row)) + by
    if (columns > blockLimits.rowColumns) {
      throw new RangeError(`a table row of more than ${blockLimits.rowColumns} columns`)
    }
    rows.set(row, columns)
  }
  return ({ parent, parentSub, content }) => {
    if (!(parent instanceof Y.XmlElement)) return
    if (isRow(parent) && parentSub === null && content instanceof Y.ContentType) return widen(parent, 1)
    const row = parentSub === 'colspan' ? parentOf(parent) : null
    const span: unknown = content instanceof Y.ContentAny ? content.arr.at(-1) : 1
    if (isRow(row) && typeof span === 'number' && span > 1) widen(row, span - 1)
  }
}

function isRow(type: unknown): type is Y.XmlElement {
  return type instanceof Y.XmlElement && type.nodeName === 'tableRow'
}

/** The columns of an existing row. */
function columnsOf(row: Y.XmlElement): number {
  let columns = 0
  for (let item = row._start; item !== null && columns <= blockLimits.rowColumns; item = item.right) {
    if (item.deleted) continue
    const cell: unknown = item.content instanceof Y.ContentType ? item.content.type : undefined
    const span: unknown = cell instanceof Y.XmlElement ? cell.getAttribute('colspan') : undefined
    columns += typeof span === 'number' ? span : 1
  }
  return columns
}
