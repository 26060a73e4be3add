import * as Y from 'yjs'
import { matchTexts } from './match-texts.ts'
import { createMoves, type Moves } from './text-moves.ts'
import { isNewIn, itemOf, itemsIn, newItems, readUnits, type Unit } from './text-units.ts'
import { typeAt } from './type-at.ts'

/**
 * Forwards typing of other users into texts that a session has moved. Yjs can't rename or move an element, so a
 * paragraph that becomes a heading is deleted and its characters are inserted again; text that another user types into
 * the old element before receiving that change would be deleted with it. The forwarder inserts such text again, once,
 * next to the moved neighbouring characters. Text that was not moved was deleted on purpose: typing into it is deleted
 * too.
 */
export type TypingForwarder = {
  /**
   * Records which texts a transaction of the session has moved; call it inside the transaction, after the last write.
   */
  note(transaction: Y.Transaction): void
  /** Records the moves of a transaction that reverts the session's own changes, keeping previously forwarded text. */
  noteTakenBack(transaction: Y.Transaction): void
  /** Whether there are old texts into which users may still be typing. */
  isWatching(): boolean
  /** Stops forwarding. May be called twice. */
  close(): void
}

/** Starts to follow `doc`. Forwarded text is written with `origin`, in a separate transaction. */
export function createTypingForwarder(doc: Y.Doc, fragment: Y.XmlFragment, origin: object): TypingForwarder {
  const moves = createMoves()
  let isClosed = false
  const note = (transaction: Y.Transaction, isTakingBack: boolean): void => {
    const { retired, written } = readUnits(transaction, fragment)
    if (isClosed || retired.length === 0) return
    const matches = matchTexts(
      retired.map(({ text }) => text),
      written.map(({ text }) => text),
    )
    for (const [index, unit] of retired.entries()) {
      const runs = matches[index]
      if (!runs || runs.length === 0) continue
      moves.add(unit, runs, written)
      for (const type of [unit.type, ...unit.empties]) keepWhole(type)
    }
    if (!isTakingBack) return
    for (const unit of retired) bringBroughtAlong(unit, doc, moves)
  }
  const onTransaction = (transaction: Y.Transaction): void => {
    if (transaction.local || moves.size === 0) return
    const texts = findLateTexts(transaction, moves)
    if (texts.size === 0) return
    doc.transact(() => {
      for (const text of texts) bringLate(text, transaction, moves)
    }, origin)
  }
  doc.on('afterTransaction', onTransaction)
  return {
    note: (transaction) => note(transaction, false),
    noteTakenBack: (transaction) => note(transaction, true),
    isWatching: () => moves.size > 0 && !isClosed,
    close() {
      isClosed = true
      doc.off('afterTransaction', onTransaction)
      moves.clear()
    },
  }
}

// Yjs garbage-collects deleted types at the end of the transaction; then a late character could no longer be traced to
// its position.
function keepWhole(type: Y.XmlElement | Y.XmlText): void {
  for (let item = type._item ?? undefined; item?.deleted; item = itemOf(item.parent)) item.keep = true
}

function findLateTexts(transaction: Y.Transaction, moves: Moves): Set<Y.XmlText> {
  const texts = new Set<Y.XmlText>()
  for (const [client, clock] of transaction.afterState) {
    if (client === transaction.doc.clientID || clock <= (transaction.beforeState.get(client) ?? 0)) continue
    for (const { content, parent } of newItems(transaction, client)) {
      const isLate = content instanceof Y.ContentString && parent instanceof Y.XmlText && itemOf(parent)?.deleted
      if (isLate && (moves.has(parent) || moves.adopt(parent))) texts.add(parent)
    }
  }
  return texts
}

function bringLate(text: Y.XmlText, transaction: Y.Transaction, moves: Moves): void {
  let tracked: unknown
  for (const item of itemsIn(text)) {
    if (!isNewIn(transaction, item)) continue
    if (item.content instanceof Y.ContentFormat && item.content.key === 'insertion') tracked = item.content.value
    if (item.id.client !== transaction.doc.clientID) bring(text, item, moves, tracked)
  }
}

// Forwarded text is no part of the reverted change, so the revert didn't restore it.
function bringBroughtAlong({ type, pieces }: Unit, doc: Y.Doc, moves: Moves): void {
  for (const { client, clock } of pieces) {
    const item = Y.getItem(doc.store, Y.createID(client, clock))
    if (type instanceof Y.XmlText && moves.isBrought(item.id)) bring(type, item, moves)
  }
}

function bring(text: Y.XmlText, item: Y.Item, moves: Moves, tracked?: unknown): void {
  if (!(item.content instanceof Y.ContentString) || moves.holds(text, item)) return
  const place = moves.placeFor(text, item.left)
  const typed = place && typeAt(place, item.content.str, tracked)
  if (typed) moves.addBrought(text, item, typed)
}
