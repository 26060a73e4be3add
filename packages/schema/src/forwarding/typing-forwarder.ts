import * as Y from 'yjs'
import { createForwardedTexts, type ForwardedTexts } from './forwarded-texts.ts'
import { matchTexts } from './match-texts.ts'
import { createMoves, type Moves } from './text-moves.ts'
import { isNewIn, itemOf, itemsIn, newItems, readUnits, type Unit } from './text-units.ts'
import { deleteAt, typeAt } from './type-at.ts'

/**
 * Forwards the typing of other users in texts that were replaced on this replica. Yjs can't rename or move an element,
 * so a paragraph that is dragged or becomes a heading is deleted and its characters are inserted again; text that
 * another user types into the old element before receiving that change would be deleted with it. The forwarder inserts
 * such text again, once, next to the copies of its neighbouring characters. Text that was not copied was deleted on
 * purpose: typing into it is deleted too.
 */
export type TypingForwarder = {
  /**
   * Records the texts that a local transaction has replaced. Call it when all changes of the transaction are written,
   * at the latest in `afterTransaction`. With `isRevert`, text that was forwarded into the deleted content is forwarded
   * again.
   */
  note(transaction: Y.Transaction, options?: { isRevert?: boolean }): void
  /** Whether there are old texts into which users may still be typing. */
  isWatching(): boolean
  /** Stops forwarding. May be called twice. */
  close(): void
}

export type ForwardingOptions = {
  /** The origin of forwarded text, which is written in a separate transaction. */
  origin: unknown
  /** Transactions with this origin are noted without a call of `note`. */
  noteOrigin?: unknown
  /** Finds only texts that were copied as a whole, quickly enough for the thread of an editor. */
  wholeOnly?: boolean
}

/** Starts to observe `doc`, whose content is `fragment`. */
export function createTypingForwarder(
  doc: Y.Doc,
  fragment: Y.XmlFragment,
  { origin, noteOrigin, wholeOnly }: ForwardingOptions,
): TypingForwarder {
  const moves = createMoves()
  const forwarded = createForwardedTexts()
  let isClosed = false
  const note: TypingForwarder['note'] = (transaction, { isRevert = false } = {}) => {
    if (isClosed) return
    const { deleted, written } = readUnits(transaction, fragment)
    const [old, now] = [deleted, written].map((units) => units.map(({ text }) => text))
    const matches = matchTexts(old ?? [], now ?? [], { wholeOnly })
    for (const [index, unit] of deleted.entries()) {
      const runs = matches[index]
      if (!runs || runs.length === 0) continue
      moves.add(unit, runs, written)
      for (const ids of unit.pieces) {
        for (const { range, id } of moves.copiesOf(unit.type, ids)) forwarded.addCopy(range, id)
      }
      for (const type of [unit.type, ...unit.empties]) keepWhole(type)
    }
    if (isRevert) for (const unit of deleted) forwardAgain(unit, doc, moves, forwarded)
  }
  // Runs before Yjs garbage-collects the content that arrived in a deleted block.
  const onTransaction = (transaction: Y.Transaction): void => {
    if (noteOrigin !== undefined && transaction.origin === noteOrigin) note(transaction)
    if (transaction.local || moves.size === 0) return
    const { texts, behind } = readTyping(transaction, moves, forwarded)
    if (texts.size === 0 && behind.length === 0) return
    doc.transact(() => {
      for (const text of texts) forwardNew(text, transaction, moves, forwarded)
      for (const item of behind) moveTypedBefore(item, forwarded)
    }, origin)
  }
  doc.on('afterTransaction', onTransaction)
  return {
    note,
    isWatching: () => moves.size > 0 && !isClosed,
    close() {
      isClosed = true
      doc.off('afterTransaction', onTransaction)
      moves.clear()
      forwarded.clear()
    },
  }
}

// Yjs garbage-collects deleted types at the end of the transaction; the position of a character typed there could then
// no longer be determined.
function keepWhole(type: Y.XmlElement | Y.XmlText): void {
  for (let item = type._item ?? undefined; item?.deleted; item = itemOf(item.parent)) item.keep = true
}

/**
 * The old texts that a transaction typed into, and the items behind which Yjs placed text that was typed before them.
 */
function readTyping(transaction: Y.Transaction, moves: Moves, forwarded: ForwardedTexts) {
  const texts = new Set<Y.XmlText>()
  const behind: Y.Item[] = []
  for (const [client, clock] of transaction.afterState) {
    if (client === transaction.doc.clientID || clock <= (transaction.beforeState.get(client) ?? 0)) continue
    for (const item of newItems(transaction, client)) {
      const { content, parent } = item
      if (!(content instanceof Y.ContentString && parent instanceof Y.XmlText)) continue
      if (!itemOf(parent)?.deleted) {
        if (forwarded.typedBefore(item)) behind.push(item)
      } else if (moves.has(parent) || moves.adopt(parent)) {
        keepWhole(parent)
        texts.add(parent)
      }
    }
  }
  return { texts, behind }
}

function forwardNew(text: Y.XmlText, transaction: Y.Transaction, moves: Moves, forwarded: ForwardedTexts): void {
  let tracked: unknown
  for (const item of itemsIn(text)) {
    if (!isNewIn(transaction, item)) continue
    if (item.content instanceof Y.ContentFormat && item.content.key === 'insertion') tracked = item.content.value
    if (item.id.client !== transaction.doc.clientID) forward(text, item, moves, forwarded, tracked)
  }
}

// Forwarded text is not part of the reverted change, so the revert didn't restore it.
function forwardAgain({ type, pieces }: Unit, doc: Y.Doc, moves: Moves, forwarded: ForwardedTexts): void {
  for (const { client, clock } of pieces) {
    const item = Y.getItem(doc.store, Y.createID(client, clock))
    if (type instanceof Y.XmlText && forwarded.typingOf(item.id)) forward(type, item, moves, forwarded)
  }
}

function forward(text: Y.XmlText, item: Y.Item, moves: Moves, forwarded: ForwardedTexts, tracked?: unknown): void {
  if (!(item.content instanceof Y.ContentString) || moves.holds(text, item)) return
  const before = forwarded.typedBefore(item)
  const place = before ? moves.placeFor(before.text, before.last) : moves.placeFor(text, item.left?.lastId)
  const typed = place && typeAt(forwarded.placeAfter(place, item), item.content.str, tracked)
  if (!typed) return
  moves.addLater(text, item, typed)
  forwarded.add(typed, forwarded.typingOf(item.id) ?? { typist: item.id.client, tracked })
}

/** Moves the text that was typed before an item to its left. */
function moveTypedBefore(item: Y.Item, forwarded: ForwardedTexts): void {
  const before = forwarded.typedBefore(item)
  const { parent } = item
  if (!before || before.pieces.length === 0 || !(parent instanceof Y.XmlText)) return
  const string = before.pieces.map((piece) => piece.string).join('')
  const typed = typeAt({ text: parent, id: item.id, side: 'before' }, string, before.tracked)
  if (!typed) return
  for (const { ids } of before.pieces) deleteAt(before.text, ids)
  forwarded.add(typed, before)
}
