import { schema } from '@copydesk/schema'
import * as Y from 'yjs'
import { changeEntriesOf } from '../../common/review-ids.ts'

type Entry = ReturnType<typeof changeEntriesOf>[number]

/**
 * The suggested changes that a transaction has written into on nodes: entries that are new, changed, removed or
 * reordered, and entries of a node with a suggested insertion or change, if another attribute of the node is set.
 * `nodes` maps the nodes to the attributes that the transaction set or removed.
 */
export function findWrittenOnNodes(
  nodes: ReadonlyMap<Y.XmlElement, ReadonlySet<string>>,
  transaction: Y.Transaction,
): Set<string> {
  const ids = new Set<string>()
  for (const [element, names] of nodes) {
    const [before, after] = [entriesIn(itemBefore(element, 'suggestion', transaction)), entriesIn(itemAfter(element))]
    if (before.length === 0 && after.length === 0) continue
    addDifferences(before, after, ids)
    const turned = [...names].filter((name) => isAttributeChanged(element, name, transaction))
    if (turned.length === 0 || isTracked(element, before, after, transaction)) continue
    for (const { id, suggestion } of after) if (suggestion.operation !== 'delete') ids.add(id)
  }
  return ids
}

function addDifferences(before: readonly Entry[], after: readonly Entry[], ids: Set<string>): void {
  const [known, left] = [new Set(before.map(({ entry }) => entry)), new Set(after.map(({ entry }) => entry))]
  for (const { id, entry } of after) if (!known.has(entry)) ids.add(id)
  for (const { id, entry } of before) if (!left.has(entry)) ids.add(id)
  // Changes of one node form a chain: the value that one of them restores depends on its index.
  const keptAfter = after.filter(({ entry }) => known.has(entry))
  before
    .filter(({ entry }) => left.has(entry))
    .forEach(({ id, entry }, index) => {
      if (keptAfter[index]?.entry !== entry) ids.add(id)
    })
}

/** Whether an attribute that decisions use has another value. */
function isAttributeChanged(element: Y.XmlElement, name: string, transaction: Y.Transaction): boolean {
  if (name === 'suggestion' || name === 'threads') return false
  return !isSame(valueOf(itemBefore(element, name, transaction)), valueOf(itemAfter(element, name)))
}

/**
 * Whether a suggestion was added that records the node's correct previous value, or was removed with that value
 * restored: it is then independent of the other entries.
 */
function isTracked(
  element: Y.XmlElement,
  before: readonly Entry[],
  after: readonly Entry[],
  transaction: Y.Transaction,
): boolean {
  const [last, newest] = [before.at(-1), after.at(-1)]
  const isAmong = ({ entry }: Entry, entries: readonly Entry[]): boolean => entries.some((each) => each.entry === entry)
  const was = (name: string): unknown => valueOf(itemBefore(element, name, transaction))
  if (newest && !isAmong(newest, before) && hasCorrectPrevious(newest, element, was)) return true
  return (
    last !== undefined &&
    !isAmong(last, after) &&
    hasCorrectPrevious(last, element, (name) => valueOf(itemAfter(element, name)))
  )
}

function hasCorrectPrevious(
  { suggestion }: Entry,
  element: Y.XmlElement,
  valueNamed: (name: string) => unknown,
): boolean {
  if (suggestion.operation !== 'change') return false
  const { type, attributes } = suggestion.previous
  const known = schema.nodes[element.nodeName]?.spec.attrs ?? {}
  const valueOrDefault = (name: string): unknown => valueNamed(name) ?? known[name]?.default
  return (
    type === element.nodeName &&
    Object.entries(attributes).every(([name, recorded]) => isSame(recorded ?? null, valueOrDefault(name) ?? null))
  )
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function itemAfter(element: Y.XmlElement, name = 'suggestion'): Y.Item | undefined {
  const item = element._map.get(name)
  return item?.deleted === false ? item : undefined
}

function itemBefore(element: Y.XmlElement, name: string, { beforeState, deleteSet }: Y.Transaction) {
  let item: Y.Item | null | undefined = element._map.get(name)
  while (item && item.id.clock >= (beforeState.get(item.id.client) ?? 0)) item = item.left
  return item && (!item.deleted || Y.isDeleted(deleteSet, item.id)) ? item : undefined
}

function valueOf(item: Y.Item | undefined): unknown {
  const value: unknown = item?.content instanceof Y.ContentAny ? item.content.arr.at(-1) : undefined
  return value
}

function entriesIn(item: Y.Item | undefined): Entry[] {
  return changeEntriesOf(valueOf(item))
}
