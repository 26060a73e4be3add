import * as Y from 'yjs'
import { changeIdOf } from '../../common/review-ids.ts'
import { type KnownText, scanText } from './written-in-text.ts'
import { findWrittenOnNodes } from './written-on-nodes.ts'

/**
 * Finds the suggested changes that a transaction writes into, by everything that a decision on them uses: new text
 * inside their marks; their marks on text that didn't have them; text that loses them or is deleted under them; formats
 * of inserted or reformatted text; nodes that carry them and are added, removed or get another attribute; and entries
 * that are new, changed, moved or removed. Rewriting the same marks in the same position doesn't count; editors rewrite
 * them around plain text typed between them. The cost of continued typing is independent of the text's length. Other
 * changes cost one pass over the touched texts, if these contain suggested changes.
 */
export class WrittenChanges {
  #known = new WeakMap<Y.XmlText, KnownText>()
  #examined = 0

  /** How many items the last `find` examined. */
  get examined(): number {
    return this.#examined
  }

  /** Whether a text is known to have no mark of a suggested change. */
  readonly isPlain = (text: Y.XmlText): boolean => this.#known.get(text)?.isPlain === true

  /** Drops all knowledge after a change that was not passed to `find`. */
  forget(): void {
    this.#known = new WeakMap()
  }

  /**
   * The ids of the changes. `items` are the items that the transaction added. Must be called before Yjs
   * garbage-collects the items that the transaction deleted.
   */
  find(transaction: Y.Transaction, items: readonly Y.Item[]): string[] {
    this.#examined = 0
    const { texts, nodes } = findTouched(transaction, items)
    const ids = findWrittenOnNodes(nodes, transaction)
    for (const [text, added] of texts) for (const id of this.#findIn(text, added, transaction)) ids.add(id)
    return [...ids]
  }

  #findIn(text: Y.XmlText, added: readonly Y.Item[], transaction: Y.Transaction): Iterable<string> {
    const known = this.#known.get(text)
    if (known?.isPlain === true && !added.some(opensChange)) return []
    const [only] = added
    if (known?.end && only && added.length === 1 && appendsTo(only, known.end, transaction)) {
      known.end = only.lastId
      return known.ids
    }
    const { ids, examined, ...seen } = scanText(text, transaction)
    this.#examined += examined
    this.#known.set(text, seen.known)
    return ids
  }
}

/**
 * The texts that a transaction touched, with the items it added to them, and the nodes with the attributes that it set
 * or removed.
 */
type Touched = { texts: Map<Y.XmlText, Y.Item[]>; nodes: Map<Y.XmlElement, Set<string>> }

function findTouched(transaction: Y.Transaction, items: readonly Y.Item[]): Touched {
  const touched: Touched = { texts: new Map(), nodes: new Map() }
  for (const [type, keys] of transaction.changed) {
    if (type instanceof Y.XmlText && keys.has(null)) touched.texts.set(type, [])
  }
  for (const item of items) addTouched(touched, item)?.push(item)
  // Yjs doesn't report content as changed when its parent is deleted.
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (struct instanceof Y.Item) addTouched(touched, struct)
  })
  return touched
}

// Adds the item's text or attribute to `touched`. Returns the list of items added to its text, if it is in a text.
function addTouched({ texts, nodes }: Touched, { parent, parentSub }: Y.Item): Y.Item[] | undefined {
  if (parent instanceof Y.XmlElement && parentSub !== null) {
    const names = nodes.get(parent) ?? new Set()
    nodes.set(parent, names.add(parentSub))
  }
  if (!(parent instanceof Y.XmlText) || parentSub !== null) return undefined
  const added = texts.get(parent) ?? []
  texts.set(parent, added)
  return added
}

function opensChange({ content }: Y.Item): boolean {
  return content instanceof Y.ContentFormat && content.value !== null && changeIdOf(content) !== undefined
}

function appendsTo({ content, left }: Y.Item, end: Y.ID, { deleteSet }: Y.Transaction): boolean {
  return (
    content instanceof Y.ContentString &&
    deleteSet.clients.size === 0 &&
    left !== null &&
    Y.compareIDs(left.lastId, end)
  )
}
