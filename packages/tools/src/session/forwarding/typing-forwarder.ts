import * as Y from 'yjs'
import { matchTexts } from './match-texts.ts'
import { createMoves, type Moves } from './text-moves.ts'
import { isNewIn, itemOf, itemsIn, newItems, readUnits, type Unit } from './text-units.ts'
import { typeAt } from './type-at.ts'

/**
 * Brings along what others type into texts that a session has moved. Yjs can't rename or move an element, so a paragraph that becomes a
 * heading is deleted and its characters are written anew; what somebody types into the old one before they have seen that would be
 * deleted with it. It is typed anew, once, where the characters beside it went. Text that went nowhere was deleted on purpose: what
 * is typed in there goes with it.
 */
export type TypingForwarder = {
  /** Notes which texts a transaction of the session has moved; to be called inside it, after the last write. */
  note(transaction: Y.Transaction): void
  /** Notes what a transaction has moved that takes the session's own changes back, keeping what was brought along before. */
  noteTakenBack(transaction: Y.Transaction): void
  /** Whether there are old texts into which somebody may still be typing. */
  isWatching(): boolean
  /** Stops bringing text along. May be called twice. */
  close(): void
}

/** Starts to follow `doc`. What is brought along is written under `origin`, in a transaction of its own. */
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

// Yjs takes what is deleted apart when the transaction ends, and with it the way from a late character to where it was typed.
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

// What was brought along is no part of the change that is taken back, so it isn't in what that restored.
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
