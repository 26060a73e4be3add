import * as Y from 'yjs'
import { changeEntriesOf, changeIdOf } from '../review/review-ids.ts'

/** Beyond any tool's reach, as in `findIntroducedChanges`. */
const idsInUpdate = 10_000

type Opened = { id: string; mark: string }

/**
 * What is known of a text: whether it holds no mark of a suggested change, where the newest text in it ends, and the ids that this stands
 * under. It holds until something else in the text changes.
 */
type Known = { isPlain: boolean; end: Y.ID | undefined; ids: readonly string[] }

/**
 * Finds out what a transaction has brought under which suggested changes: new text inside of their marks, their marks on text that didn't
 * have them, new nodes that carry them, nodes that get or change an entry of theirs. Marks that are only written anew where they stood
 * already, as an editor does around something plain that is typed between them, bring nothing. Going on where one has just written costs
 * the same however long the text is; anything else costs one look at the texts that it touches, if these hold suggested changes at all.
 */
export class WrittenChanges {
  #known = new WeakMap<Y.XmlText, Known>()
  #looked = 0

  /** How many items the last `find` has looked at. */
  get looked(): number {
    return this.#looked
  }

  /** Whether a text is known to hold no mark of a suggested change. */
  readonly isPlain = (text: Y.XmlText): boolean => this.#known.get(text)?.isPlain === true

  /** Something has changed that wasn't shown to `find`. */
  forget(): void {
    this.#known = new WeakMap()
  }

  /** The ids, at most ten thousand; `items` are those that the transaction added. Ask before Yjs collects what it has deleted. */
  find(transaction: Y.Transaction, items: readonly Y.Item[]): string[] {
    this.#looked = 0
    const ids = new Set<string>()
    const texts = new Map<Y.XmlText, Y.Item[]>()
    for (const [type, keys] of transaction.changed) {
      if (type instanceof Y.XmlText && keys.has(null)) texts.set(type, [])
    }
    for (const item of items) {
      const { parent, parentSub } = item
      if (parentSub === 'suggestion') addEntries(ids, item, transaction)
      else if (parentSub === null && parent instanceof Y.XmlText) {
        const added = texts.get(parent)
        if (added) added.push(item)
        else texts.set(parent, [item])
      }
    }
    for (const [text, added] of texts) {
      for (const id of this.#findIn(text, added, transaction)) ids.add(id)
      if (ids.size >= idsInUpdate) break
    }
    return [...ids].slice(0, idsInUpdate)
  }

  #findIn(text: Y.XmlText, added: readonly Y.Item[], transaction: Y.Transaction): Iterable<string> {
    const known = this.#known.get(text)
    if (known?.isPlain === true && !added.some(({ content }) => openedBy(content))) return []
    const [only] = added
    if (known?.end && only && added.length === 1 && goesOn(only, known.end, transaction)) {
      known.end = only.lastId
      return known.ids
    }
    const { ids, looked, ...seen } = lookThrough(text, transaction)
    this.#looked += looked
    this.#known.set(text, seen.known)
    return ids
  }
}

function goesOn({ content, left }: Y.Item, end: Y.ID, { deleteSet }: Y.Transaction): boolean {
  return (
    content instanceof Y.ContentString &&
    deleteSet.clients.size === 0 &&
    left !== null &&
    Y.compareIDs(left.lastId, end)
  )
}

/** Reads a text as it was before the transaction and as it is after it. */
function lookThrough(
  text: Y.XmlText,
  { beforeState, deleteSet }: Y.Transaction,
): { ids: Set<string>; known: Known; looked: number } {
  const [before, after] = [new Map<string, Opened>(), new Map<string, Opened>()]
  const ids = new Set<string>()
  const known: Known = { isPlain: true, end: undefined, ids: [] }
  // Between two markers all old text is alike, and all new text.
  const seen = { old: false, new: false }
  let looked = 0
  for (let item = text._start; item; item = item.right) {
    looked += 1
    const age = item.id.clock < (beforeState.get(item.id.client) ?? 0) ? 'old' : 'new'
    const { content, deleted } = item
    if (content instanceof Y.ContentFormat) {
      const opened = openedBy(content)
      if (age === 'old' && (!deleted || Y.isDeleted(deleteSet, item.id))) set(before, content.key, opened)
      if (!deleted) set(after, content.key, opened)
      if (!deleted && opened) known.isPlain = false
      seen.old = seen.new = false
    } else if (!deleted && content instanceof Y.ContentString) {
      if (age === 'new') Object.assign(known, { end: item.lastId, ids: idsIn(after) })
      if (seen[age]) continue
      seen[age] = true
      for (const { id, mark } of after.values()) if (age === 'new' || !isAmong(before, mark)) ids.add(id)
    }
  }
  return { ids, known, looked }
}

function set(open: Map<string, Opened>, key: string, opened: Opened | undefined): void {
  if (opened) open.set(key, opened)
  else open.delete(key)
}

function idsIn(open: ReadonlyMap<string, Opened>): string[] {
  return [...open.values()].map(({ id }) => id)
}

// Another editor may have stored the same mark under another name.
function isAmong(open: ReadonlyMap<string, Opened>, wanted: string): boolean {
  for (const { mark } of open.values()) if (mark === wanted) return true
  return false
}

function openedBy(content: Y.Item['content']): Opened | undefined {
  if (!(content instanceof Y.ContentFormat)) return undefined
  const id = changeIdOf(content)
  return id === undefined
    ? undefined
    : { id, mark: `${content.key.split('--', 1)[0]} ${JSON.stringify(content.value)}` }
}

function addEntries(ids: Set<string>, item: Y.Item, { beforeState, deleteSet }: Y.Transaction): void {
  let left = item.left
  while (left && left.id.clock >= (beforeState.get(left.id.client) ?? 0)) left = left.left
  const stood = left && (!left.deleted || Y.isDeleted(deleteSet, left.id)) ? entriesIn(left) : []
  const known = new Set(stood.map(({ entry }) => entry))
  for (const { id, entry } of entriesIn(item)) if (!known.has(entry)) ids.add(id)
}

function entriesIn({ content }: Y.Item): { id: string; entry: string }[] {
  return content instanceof Y.ContentAny ? changeEntriesOf(content.arr.at(-1)) : []
}
