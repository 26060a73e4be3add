import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { nameOf, type Place, readReplaced, type Watched } from './replaced-text.ts'

const kept = 20

/**
 * Yjs can't move a block: a move inserts a copy and deletes the original, and text that peers typed into the original
 * before receiving the move would be lost. This puts such text into the copy, behind the character that it was typed
 * behind. Local edits that replace text by the same words are detected automatically; `watch` registers other pairs of
 * old and new blocks, while both exist; `close` stops.
 */
export type ForwardedText = {
  watch(before: readonly Y.XmlElement[], after: readonly Y.XmlElement[]): void
  close(): void
}

/**
 * Watches a document for text that arrives in blocks that were moved locally. Remembers their items for as long as undo
 * may need them.
 */
export function createForwardedText(doc: Y.Doc): ForwardedText {
  const moves: Watched[] = []
  const add = (watched: Watched) => {
    moves.unshift(watched)
    moves.length = Math.min(moves.length, kept)
  }
  const onTransaction = (transaction: Y.Transaction) => {
    const replaced = transaction.origin === ySyncPluginKey ? readReplaced(transaction) : undefined
    if (replaced) add(replaced)
    if (transaction.local || moves.length === 0) return
    const late = lateItems(transaction).flatMap((item) => {
      const move = moves.find((candidate) => blockOf(item, candidate) !== undefined)
      return move ? [{ item, move, text: (item.content as Y.ContentString).str }] : []
    })
    if (late.length > 0) doc.transact(() => late.forEach(({ item, move, text }) => put(item, move, text)), 'late text')
  }
  // Before Yjs garbage-collects what arrived in a deleted block.
  doc.on('afterTransaction', onTransaction)
  return {
    watch: (before, after) => add(pair(before, after)),
    close: () => doc.off('afterTransaction', onTransaction),
  }
}

function pair(before: readonly Y.XmlElement[], after: readonly Y.XmlElement[]): Watched {
  const watched: Watched = { places: new Map(), blocks: new Map() }
  before.forEach((block, index) => {
    const copy = after[index]
    if (copy) pairBlocks(block, copy, watched)
  })
  return watched
}

function pairBlocks(block: Y.XmlElement, copy: Y.XmlElement, watched: Watched): void {
  watched.blocks.set(block, copy)
  const from = characters(block)
  const to = characters(copy)
  // Pairs the characters as they are now: both blocks may change later.
  if (from.length === to.length) {
    from.forEach(({ id }, index) => watched.places.set(nameOf(id), to[index] as Place))
  }
  const inner = elements(block)
  const copies = elements(copy)
  inner.forEach((element, index) => {
    const other = copies[index]
    if (other) pairBlocks(element, other, watched)
  })
}

/** The characters directly in a block, in order. */
function characters(block: Y.XmlElement): Place[] {
  return block
    .toArray()
    .filter((child) => child instanceof Y.XmlText)
    .flatMap((text) => {
      const places: Place[] = []
      for (let item = text._start; item !== null; item = item.right) {
        if (item.deleted || !(item.content instanceof Y.ContentString)) continue
        for (let offset = 0; offset < item.length; offset += 1) {
          places.push({ text, id: Y.createID(item.id.client, item.id.clock + offset) })
        }
      }
      return places
    })
}

function elements(block: Y.XmlElement): Y.XmlElement[] {
  return block.toArray().filter((child) => child instanceof Y.XmlElement)
}

/** The pieces of text that a transaction inserted into already deleted parents. */
function lateItems({ doc, beforeState, afterState }: Y.Transaction): Y.Item[] {
  const late: Y.Item[] = []
  for (const [client, after] of afterState) {
    const before = beforeState.get(client) ?? 0
    if (before === after) continue
    const structs = doc.store.clients.get(client) ?? []
    for (let index = structs.length - 1; index >= 0; index -= 1) {
      const struct = structs[index]
      if (!struct || struct.id.clock + struct.length <= before) break
      if (struct instanceof Y.Item && struct.deleted && struct.content instanceof Y.ContentString) late.unshift(struct)
    }
  }
  return late
}

function blockOf(item: Y.Item, { blocks }: Watched): Y.XmlElement | undefined {
  const text = item.parent
  const block = text instanceof Y.XmlText ? text.parent : null
  return block instanceof Y.XmlElement ? blocks.get(block) : undefined
}

function put(item: Y.Item, watched: Watched, written: string): void {
  const place = placeFor(item, watched)
  if (!place) return
  place.text.insert(place.index, written)
  // What is typed behind this text later is late, too.
  const ids = charactersOf(place.text).slice(place.index, place.index + written.length)
  ids.forEach((id, offset) => {
    watched.places.set(nameOf(Y.createID(item.id.client, item.id.clock + offset)), { text: place.text, id })
  })
}

function placeFor(item: Y.Item, watched: Watched): { text: Y.XmlText; index: number } | null {
  const before = item.origin && watched.places.get(nameOf(item.origin))
  if (before) return find(before, 1)
  const after = item.rightOrigin && watched.places.get(nameOf(item.rightOrigin))
  if (after) return find(after, 0)
  const block = blockOf(item, watched)
  if (!block || block._item?.deleted === true) return null
  const first = block.get(0)
  if (first instanceof Y.XmlText) return { text: first, index: 0 }
  const text = new Y.XmlText()
  block.insert(0, [text])
  return { text, index: 0 }
}

function find({ text, id }: Place, behind: 0 | 1): { text: Y.XmlText; index: number } | null {
  if (text._item?.deleted === true) return null
  let index = 0
  for (let item = text._start; item !== null; item = item.right) {
    const isHere = item.id.client === id.client && id.clock >= item.id.clock && id.clock < item.id.clock + item.length
    if (isHere) return { text, index: item.deleted ? index : index + id.clock - item.id.clock + behind }
    if (!item.deleted && item.countable) index += item.length
  }
  return null
}

function charactersOf(text: Y.XmlText): Y.ID[] {
  const ids: Y.ID[] = []
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !item.countable) continue
    for (let offset = 0; offset < item.length; offset += 1) ids.push(Y.createID(item.id.client, item.id.clock + offset))
  }
  return ids
}
