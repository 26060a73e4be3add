import * as Y from 'yjs'
import { schema } from '../extensions.ts'
import type { IdRange } from '../ids/id-map.ts'

/** Consecutive characters of one text type, in document order; `start` is where a piece begins in their text. */
type Piece = IdRange & { start: number }

/**
 * A text that a transaction deleted or wrote, or a text block without text; `type` is the Y.XmlText, for a block
 * without text its element. `empties` are the texts without characters inside such a block.
 */
export type Unit = { type: Y.XmlText | Y.XmlElement; text: string; pieces: Piece[]; empties: Y.XmlText[] }

/**
 * The texts that a transaction has deleted completely, and the characters that it has written, both in document order;
 * `written` is empty if nothing was deleted. One pass over the transaction and one over the document, only if texts
 * were deleted. Must be called before Yjs garbage-collects.
 */
export function readUnits(transaction: Y.Transaction, fragment: Y.XmlFragment): { deleted: Unit[]; written: Unit[] } {
  const gone = new Set<Y.Item>()
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (struct instanceof Y.Item) gone.add(struct)
  })
  const deleted = new Map<Y.Item, Unit>()
  for (const item of gone) {
    const unit = isNewIn(transaction, item) ? undefined : unitOf(item, (each) => gone.has(each))
    if (unit) deleted.set(item, unit)
  }
  if (deleted.size === 0) return { deleted: [], written: [] }
  const written = new Map<Y.Item, Unit>()
  for (const item of newItems(transaction, transaction.doc.clientID)) {
    const place = item.content instanceof Y.ContentString ? itemOf(item.parent) : item
    if (!place || item.deleted || place.deleted || written.has(place)) continue
    const unit = unitOf(place, (each) => !each.deleted && isNewIn(transaction, each))
    if (unit) written.set(place, unit)
  }
  return { deleted: inOrder(fragment, deleted), written: inOrder(fragment, written) }
}

/** The items that a transaction added from a client, in the order of their clocks. */
export function* newItems({ doc, beforeState }: Y.Transaction, client: number): Generator<Y.Item> {
  const structs = doc.store.clients.get(client) ?? []
  const from = beforeState.get(client) ?? 0
  if (from >= Y.getState(doc.store, client)) return
  for (let index = Y.findIndexSS(structs, from); index < structs.length; index++) {
    const struct = structs[index]
    if (struct instanceof Y.Item) yield struct
  }
}

/** Whether a transaction added this item. */
export function isNewIn({ beforeState }: Y.Transaction, { id }: Y.Item): boolean {
  return id.clock >= (beforeState.get(id.client) ?? 0)
}

/** The item that contains a type; undefined for a root type. */
export function itemOf(type: Y.Item['parent']): Y.Item | undefined {
  return (type instanceof Y.AbstractType && type._item) || undefined
}

/** The ids of an item's content. */
export function idsOf({ id, length }: Y.Item): IdRange {
  return { client: id.client, clock: id.clock, len: length }
}

/** The direct items of a type, including deleted ones. */
export function* itemsIn(type: { _start: Y.Item | null }): Generator<Y.Item> {
  for (let item = type._start; item !== null; item = item.right) yield item
}

function unitOf({ content }: Y.Item, counts: (item: Y.Item) => boolean): Unit | undefined {
  if (!(content instanceof Y.ContentType)) return undefined
  const { type } = content
  if (type instanceof Y.XmlText) {
    const unit = textUnit(type, counts)
    return unit.text === '' ? undefined : unit
  }
  if (!(type instanceof Y.XmlElement) || schema.nodes[type.nodeName]?.isTextblock !== true) return undefined
  const empties: Y.XmlText[] = []
  for (const child of itemsIn(type)) {
    const text = child.content instanceof Y.ContentType && counts(child) ? child.content.type : undefined
    if (!(text instanceof Y.XmlText)) continue
    if (textUnit(text, counts).text !== '') return undefined
    empties.push(text)
  }
  return { type, text: '', pieces: [], empties }
}

function textUnit(type: Y.XmlText, counts: (item: Y.Item) => boolean): Unit {
  const unit: Unit = { type, text: '', pieces: [], empties: [] }
  for (const item of itemsIn(type)) {
    if (!(item.content instanceof Y.ContentString) || !counts(item)) continue
    unit.pieces.push({ ...idsOf(item), start: unit.text.length })
    unit.text += item.content.str
  }
  return unit
}

// Without recursion: blocks may nest deeper than the stack.
function inOrder(fragment: Y.XmlFragment, units: ReadonlyMap<Y.Item, Unit>): Unit[] {
  const holders = new Set<Y.Item>()
  for (const item of units.keys()) {
    for (let each: Y.Item | undefined = item; each && !holders.has(each); each = itemOf(each.parent)) holders.add(each)
  }
  const ordered: Unit[] = []
  const pending = [fragment._start]
  while (pending.length > 0) {
    const item = pending.pop()
    if (!item) continue
    pending.push(item.right)
    if (!holders.has(item)) continue
    const unit = units.get(item)
    if (unit) ordered.push(unit)
    if (item.content instanceof Y.ContentType) pending.push(item.content.type._start)
  }
  return ordered
}
