import * as Y from 'yjs'

/** A character of a Y.XmlText. */
export type Place = { text: Y.XmlText; id: Y.ID }

/** Which character of an old block became which character, by `nameOf`, and which block became which. */
export type Watched = { places: Map<string, Place>; blocks: Map<Y.XmlElement, Y.XmlElement> }

/** The key of a character in `Watched`. */
export function nameOf({ client, clock }: Y.ID): string {
  return `${client}:${clock}`
}

// A user who changes more than this in one transaction is unlikely to hit a block in which a peer is typing.
const mostCharacters = 50_000

/**
 * Finds text that a transaction deleted and inserted again. Merged cells, another block type, a list around a block,
 * two joined blocks: in Yjs the old text is deleted and the same words are inserted. Undefined when the transaction
 * replaced nothing in this way.
 */
export function readReplaced(transaction: Y.Transaction): Watched | undefined {
  const gone = goneTexts(transaction)
  if (gone.length === 0) return undefined
  const runs = newRuns(transaction)
  const watched: Watched = { places: new Map(), blocks: new Map() }
  for (const text of gone) {
    const places = runOf(text, (item) => Y.isDeleted(transaction.deleteSet, item.id))
    const words = places.words
    const run = runs.find((each) => each.words === words) ?? runs.find((each) => each.words.includes(words))
    if (words === '' || !run) continue
    const start = run.words.indexOf(words)
    const found = run.places.slice(start, start + words.length)
    places.places.forEach(({ id }, index) => found[index] && watched.places.set(nameOf(id), found[index]))
    // The same words may occur again as the replacement of another deleted text.
    run.words = run.words.slice(0, start) + '\0'.repeat(words.length) + run.words.slice(start + words.length)
    const [before, after] = [text.parent, found[0]?.text.parent]
    if (before instanceof Y.XmlElement && after instanceof Y.XmlElement) watched.blocks.set(before, after)
  }
  return watched.blocks.size > 0 ? watched : undefined
}

type Run = { words: string; places: Place[] }

function goneTexts(transaction: Y.Transaction): Y.XmlText[] {
  const gone: Y.XmlText[] = []
  let length = 0
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentType)) return
    const { type } = struct.content
    if (!(type instanceof Y.XmlText) || isNew(transaction, struct)) return
    gone.push(type)
    for (let item = type._start; item !== null; item = item.right) length += item.length
  })
  return length > mostCharacters ? [] : gone
}

function newRuns(transaction: Y.Transaction): Run[] {
  const { doc, beforeState, afterState } = transaction
  const texts = new Set<Y.XmlText>()
  for (const [client, after] of afterState) {
    const before = beforeState.get(client) ?? 0
    if (before === after) continue
    const structs = doc.store.clients.get(client) ?? []
    for (let index = structs.length - 1; index >= 0; index -= 1) {
      const struct = structs[index]
      if (!struct || struct.id.clock + struct.length <= before) break
      if (!(struct instanceof Y.Item) || struct.deleted || !(struct.content instanceof Y.ContentString)) continue
      if (struct.parent instanceof Y.XmlText && struct.parent._item?.deleted !== true) texts.add(struct.parent)
    }
  }
  return [...texts].map((text) => runOf(text, (item) => !item.deleted && isNew(transaction, item)))
}

function runOf(text: Y.XmlText, isMeant: (item: Y.Item) => boolean): Run {
  const run: Run = { words: '', places: [] }
  for (let item = text._start; item !== null; item = item.right) {
    if (!(item.content instanceof Y.ContentString) || !isMeant(item)) continue
    run.words += item.content.str
    for (let offset = 0; offset < item.length; offset += 1)
      run.places.push({ text, id: Y.createID(item.id.client, item.id.clock + offset) })
  }
  return run
}

function isNew({ beforeState }: Y.Transaction, { id }: Y.Item): boolean {
  return id.clock >= (beforeState.get(id.client) ?? 0)
}
