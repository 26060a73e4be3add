import { contentTypes, readFragment, schema } from '@copydesk/schema'
import type { IdRange } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import type { Copy } from '../provenance/log-rows.ts'
import { structsIn, toDeleteSet } from '../store/updates/id-ranges.ts'
import type { Difference } from './effect-set.ts'
import { type ReplayedLog, parentItem } from './replayed-log.ts'

/**
 * The update that removes a difference, and the copies of ids in it. Without an update the document needs no change.
 */
export type UndoPatch = { update: Uint8Array | undefined; copies: Copy[] }

/**
 * How much of the structure to be removed is kept. `needed`: blocks with content of other authors; `whole`: also all
 * blocks inside those, and the last child of every other block; `all`: every block. The first variant that fits the
 * schema is used, because editors delete content that violates the schema, together with its text.
 */
const structures = ['needed', 'whole', 'all'] as const
type Structure = (typeof structures)[number]

/**
 * Makes the update that removes a difference, and applies it to the replayed document. `undefined` if every such update
 * results in a document that violates the schema.
 */
export function makeUndoPatch(replayed: ReplayedLog, difference: Difference): UndoPatch | undefined {
  for (const structure of structures) {
    const done = apply(replayed.doc, difference, structure)
    if (done.update === undefined || isValid(replayed.doc)) return done
    replayed.rebuild()
    // If the document was already invalid, no structure is kept for the schema's sake.
    if (!isValid(replayed.doc)) return apply(replayed.doc, difference, 'needed')
  }
  return undefined
}

function isValid(doc: Y.Doc): boolean {
  return readFragment(doc.getXmlFragment(contentTypes.fragment), schema).ok
}

function apply(doc: Y.Doc, { missing, unwanted }: Difference, structure: Structure): UndoPatch {
  const insertions = toDeleteSet(unwanted)
  const kept = new Set<Y.Item>()
  const updates: Uint8Array[] = []
  const collect = (update: Uint8Array): void => void updates.push(update)
  doc.on('update', collect)
  doc.transact((transaction) => {
    keepBlocks(transaction, toDeleteSet(missing), insertions, structure, kept)
    // Undo changes only the document's content, not receipts or other types.
    const scope = [doc.getXmlFragment(contentTypes.fragment), doc.getMap(contentTypes.meta)]
    const manager = new Y.UndoManager(scope, { deleteFilter: (item) => !isKept(item, kept) })
    for (const deletions of fromOutside(doc, missing)) {
      manager.undoStack.push({ deletions: toDeleteSet(deletions), insertions, meta: new Map() })
      manager.undo()
    }
    manager.destroy()
  })
  doc.off('update', collect)
  return {
    update: updates.length === 0 ? undefined : Y.mergeUpdates(updates),
    copies: missing.flatMap((range) => copiesOf(doc, range)),
  }
}

/**
 * Ranges to restore, blocks before their content: Yjs follows a deleted block to its copy, but doesn't know whether the
 * copy will still be made. Content of a block that stays deleted isn't included.
 */
function* fromOutside(doc: Y.Doc, missing: readonly IdRange[]): Generator<IdRange[]> {
  // The first round only deletes: nothing may be restored into a block that is about to be deleted.
  yield []
  let left = Infinity
  for (;;) {
    // When Yjs splits a text item while it restores another item, it skips the rest, which follows in the next round.
    const waiting = missing.flatMap((range) => [...structsIn(doc, range)]).filter(({ struct }) => isWaiting(struct))
    const length = waiting.reduce((sum, { range }) => sum + range.len, 0)
    const ready = waiting.filter(({ struct }) => struct instanceof Y.Item && isParentThere(doc, struct))
    if (ready.length === 0 || length >= left) return
    left = length
    yield ready.map(({ range }) => range)
  }
}

function isWaiting(struct: Y.Item | Y.GC): boolean {
  return struct instanceof Y.Item && struct.redone === null
}

function isParentThere(doc: Y.Doc, item: Y.Item): boolean {
  let parent: Y.Item | Y.GC | null = parentItem(item)
  while (parent instanceof Y.Item && parent.redone) parent = Y.getItem(doc.store, parent.redone)
  return parent === null || !parent.deleted
}

/** A kept block keeps its attributes: a heading without a level is invalid. */
function isKept(item: Y.Item, kept: ReadonlySet<Y.Item>): boolean {
  if (kept.has(item)) return true
  const block = item.parentSub === null ? null : parentItem(item)
  return block !== null && kept.has(block)
}

function copiesOf(doc: Y.Doc, range: IdRange): Copy[] {
  return [...structsIn(doc, range)].flatMap(({ struct, range: { client, clock, len } }): Copy[] => {
    if (!(struct instanceof Y.Item) || struct.redone === null) return []
    return [[client, clock, struct.redone.client, struct.redone.clock + clock - struct.id.clock, len]]
  })
}

type IdSet = ReturnType<typeof Y.createDeleteSet>

/**
 * Collects the blocks that must be kept although their ids are unwanted. Splits structs at the boundaries of the sets.
 */
function keepBlocks(
  transaction: Y.Transaction,
  deletions: IdSet,
  insertions: IdSet,
  structure: Structure,
  kept: Set<Y.Item>,
): void {
  const reverted: Y.Item[] = []
  const isReverted = (item: Y.Item): boolean => Y.isDeleted(insertions, item.id)
  Y.iterateDeletedStructs(transaction, insertions, (struct) => {
    if (struct instanceof Y.Item && !struct.deleted && struct.content instanceof Y.ContentType) reverted.push(struct)
  })
  Y.iterateDeletedStructs(transaction, deletions, (struct) => {
    if (!(struct instanceof Y.Item) || !isContent(struct)) return
    for (let block = parentItem(struct); block; block = parentItem(block)) if (isReverted(block)) kept.add(block)
  })
  for (const item of reverted) if (structure === 'all' || hasContentOfOthers(item, isReverted)) kept.add(item)
  if (structure !== 'whole') return
  for (const item of reverted) {
    for (let block = parentItem(item); block; block = parentItem(block)) if (kept.has(block)) kept.add(item)
    const block = parentItem(item)
    if (block && !isReverted(block) && !block.deleted && isLast(item, isReverted)) kept.add(item)
  }
}

/** Whether this block has remaining content of other authors. */
function hasContentOfOthers(item: Y.Item, isReverted: (item: Y.Item) => boolean): boolean {
  // Iterative: nested blocks may be deeper than the call stack.
  const pending: Y.Item[] = [item]
  for (let holder = pending.pop(); holder; holder = pending.pop()) {
    if (!(holder.content instanceof Y.ContentType)) continue
    for (let child = holder.content.type._start; child; child = child.right) {
      if (child.deleted) continue
      if (!isReverted(child) && isContent(child)) return true
      pending.push(child)
    }
  }
  return false
}

/** Text, embeds and blocks; not formatting, attributes or the empty Yjs text of a block. */
function isContent({ content, parentSub }: Y.Item): boolean {
  if (parentSub !== null) return false
  if (content instanceof Y.ContentType) return content.type instanceof Y.XmlElement
  return content instanceof Y.ContentString || content instanceof Y.ContentEmbed
}

function isLast(item: Y.Item, isReverted: (item: Y.Item) => boolean): boolean {
  const parent = parentItem(item)?.content
  if (!(parent instanceof Y.ContentType)) return false
  for (let child = parent.type._start; child; child = child.right) {
    if (!child.deleted && child !== item && !isReverted(child)) return false
  }
  return true
}
