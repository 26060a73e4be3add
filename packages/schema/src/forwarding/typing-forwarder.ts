import * as Y from 'yjs'
import { matchTexts } from './match-texts.ts'
import { createMoves, type Moves } from './text-moves.ts'
import { isNewIn, itemOf, itemsIn, newItems, readUnits, type Unit } from './text-units.ts'
import { typeAt } from './type-at.ts'

/**
 * Forwards typing of other users into texts that were replaced on this replica. Yjs can't rename or move an element, so
 * a paragraph that is dragged or becomes a heading is deleted and its characters are inserted again; text that another
 * user types into the old element before receiving that change would be deleted with it. The forwarder inserts such
 * text again, once, next to the copies of its neighbouring characters. Text that was not copied was deleted on purpose:
 * typing into it is deleted too.
 */
export type TypingForwarder = {
  /**
   * Records which texts a local transaction has replaced. Call it when the transaction has written everything, at the
   * latest in `afterTransaction`. With `isRevert`, text that was forwarded into what the transaction deletes is
   * forwarded again.
   */
  note(transaction: Y.Transaction, options?: { isRevert?: boolean }): void
  /** Whether there are old texts into which users may still be typing. */
  isWatching(): boolean
  /** Stops forwarding. May be called twice. */
  close(): void
}

/** How a forwarder works on its replica. */
export type ForwardingOptions = {
  /** The origin of forwarded text, which is written in a separate transaction. */
  origin: unknown
  /** Transactions with this origin are noted without a call of `note`. */
  noteOrigin?: unknown
  /** Finds only texts that were copied as a whole, quickly enough for the thread of an editor. */
  wholeOnly?: boolean
}

/** Starts to follow `doc`, in which `fragment` has the content. */
export function createTypingForwarder(
  doc: Y.Doc,
  fragment: Y.XmlFragment,
  { origin, noteOrigin, wholeOnly }: ForwardingOptions,
): TypingForwarder {
  const moves = createMoves()
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
      for (const type of [unit.type, ...unit.empties]) keepWhole(type)
    }
    if (isRevert) for (const unit of deleted) forwardAgain(unit, doc, moves)
  }
  // Before Yjs garbage-collects what arrived in a deleted block.
  const onTransaction = (transaction: Y.Transaction): void => {
    if (noteOrigin !== undefined && transaction.origin === noteOrigin) note(transaction)
    if (transaction.local || moves.size === 0) return
    const texts = textsTypedInto(transaction, moves)
    if (texts.size === 0) return
    doc.transact(() => {
      for (const text of texts) forwardNew(text, transaction, moves)
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
    },
  }
}

// Yjs garbage-collects deleted types at the end of the transaction; then a character that is typed there could no
// longer be traced to its position.
function keepWhole(type: Y.XmlElement | Y.XmlText): void {
  for (let item = type._item ?? undefined; item?.deleted; item = itemOf(item.parent)) item.keep = true
}

function textsTypedInto(transaction: Y.Transaction, moves: Moves): Set<Y.XmlText> {
  const texts = new Set<Y.XmlText>()
  for (const [client, clock] of transaction.afterState) {
    if (client === transaction.doc.clientID || clock <= (transaction.beforeState.get(client) ?? 0)) continue
    for (const { content, parent } of newItems(transaction, client)) {
      const isTyped = content instanceof Y.ContentString && parent instanceof Y.XmlText && itemOf(parent)?.deleted
      if (isTyped && (moves.has(parent) || moves.adopt(parent))) texts.add(parent)
    }
  }
  return texts
}

function forwardNew(text: Y.XmlText, transaction: Y.Transaction, moves: Moves): void {
  let tracked: unknown
  for (const item of itemsIn(text)) {
    if (!isNewIn(transaction, item)) continue
    if (item.content instanceof Y.ContentFormat && item.content.key === 'insertion') tracked = item.content.value
    if (item.id.client !== transaction.doc.clientID) forward(text, item, moves, tracked)
  }
}

// Forwarded text is no part of the reverted change, so the revert didn't restore it.
function forwardAgain({ type, pieces }: Unit, doc: Y.Doc, moves: Moves): void {
  for (const { client, clock } of pieces) {
    const item = Y.getItem(doc.store, Y.createID(client, clock))
    if (type instanceof Y.XmlText && moves.isForwarded(item.id)) forward(type, item, moves)
  }
}

function forward(text: Y.XmlText, item: Y.Item, moves: Moves, tracked?: unknown): void {
  if (!(item.content instanceof Y.ContentString) || moves.holds(text, item)) return
  const place = moves.placeFor(text, item.left)
  const typed = place && typeAt(place, item.content.str, tracked)
  if (typed) moves.addForwarded(text, item, typed)
}
