import * as Y from 'yjs'
import { groupBy } from '../../common/group-by.ts'
import { numberOf } from '../numbers/block-numbers.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import { characterIds, newWriters } from '../numbers/character-ids.ts'
import type { CommitContext } from '../commit/commit.ts'
import { type CoordinateTable, nameWriters } from '../numbers/coordinates.ts'
import { type DocumentView, typeKey } from '../../document/document-view.ts'
import { LiveOrigin } from './live-call.ts'

/** Changes of others in the document that the model has not read. */
export type ChangesByOthers = {
  /** A tool call begins. Changes that arrived since a result that asks to read again are forgotten. */
  callStarted(): void
  /**
   * The result of the current call asks the model to read the document again, because the host has changed it: changes
   * up to the next call are not reported.
   */
  readAgainAsked(): void
  /**
   * A note of one line on blocks that others changed since the model read them, that they deleted, or that they added
   * next to a shown block; `undefined` if there are none. Each change is reported once.
   */
  report(): string | undefined
  /** Stops observing the document. May be called twice. */
  close(): void
}

type Followed = Pick<CommitContext, 'doc' | 'fragment' | 'reader' | 'table' | 'options'>

type Verb = 'changed' | 'added' | 'deleted'

/** A change to report: `place` names a block by its number, for an added block its neighbour. */
type ReportedChange = { verb: Verb; place: string; by: string; count: number }

const namedAtMost = 6

/**
 * Observes the changes of others in `fragment`. A transaction costs time for its changes; `report` costs time for the
 * changed blocks, and one pass over the document only if blocks were added or shown blocks deleted.
 */
export function createChangesByOthers(followed: Followed): ChangesByOthers {
  const { fragment, reader, table, options } = followed
  // A resumed session has missed the changes since it was interrupted.
  const pending: Pending = { touched: new Set(), added: new Set(), removed: new Set(), missed: table.keys() }
  let isAskedToRead = false
  const note = (events: Y.YEvent<Y.AbstractType<unknown>>[], { origin }: Y.Transaction): void => {
    const isOwn = origin === options.origin || (origin instanceof LiveOrigin && origin.of === options.origin)
    if (!isOwn) for (const event of events) noteEvent(event, pending)
  }
  const clear = (): void => {
    pending.touched.clear()
    pending.added.clear()
    pending.removed.clear()
    pending.missed = []
  }
  fragment.observeDeep(note)
  let isClosed = false
  return {
    callStarted() {
      if (isAskedToRead) clear()
      isAskedToRead = false
    },
    readAgainAsked() {
      isAskedToRead = true
    },
    report() {
      const { touched, added, removed, missed } = pending
      if (isAskedToRead || touched.size + added.size + removed.size + missed.length === 0) return undefined
      const read = reader.read()
      if (!read.ok) return undefined
      const reported = findReportedChanges(pending, read.view, followed)
      clear()
      return reported.length === 0 ? undefined : describe(reported)
    },
    close() {
      if (isClosed) return
      isClosed = true
      fragment.unobserveDeep(note)
    },
  }
}

/** Changed elements, added elements, the keys of removed elements, and the keys of blocks that may have changed. */
type Pending = {
  touched: Set<Y.XmlElement>
  added: Set<Y.XmlElement>
  removed: Set<string>
  missed: readonly string[]
}

function noteEvent(event: Y.YEvent<Y.AbstractType<unknown>>, pending: Pending): void {
  const { target } = event
  const element = target instanceof Y.XmlElement ? target : target.parent
  if (element instanceof Y.XmlElement) pending.touched.add(element)
  if (!(target instanceof Y.XmlFragment)) return
  const { changes } = event
  for (const { content } of changes.added) {
    if (content instanceof Y.ContentType && content.type instanceof Y.XmlElement) pending.added.add(content.type)
  }
  // Deleted types still have their content until the transaction has ended.
  const deleted: (Y.Item | null)[] = [...changes.deleted]
  for (let item = deleted.pop(); item !== undefined; item = deleted.pop()) {
    if (!(item?.content instanceof Y.ContentType)) continue
    const key = item.content.type instanceof Y.XmlElement ? typeKey(item.content.type) : undefined
    if (key === undefined) continue
    pending.removed.add(key)
    for (let child = item.content.type._start; child; child = child.right) deleted.push(child)
  }
}

function findReportedChanges(
  { touched, added, removed, missed }: Pending,
  view: DocumentView,
  followed: Followed,
): ReportedChange[] {
  const { table } = followed
  const blocksIn = createBlockFinder(view)
  const changed = new Set(missed.flatMap((key) => view.blockOfType(key) ?? []))
  const gone = new Set(removed)
  for (const type of touched) {
    const block = blockAround(type, blocksIn(type))
    if (block) changed.add(block)
    // A block that others suggested to delete no longer counts as a block.
    else if (type._item?.deleted === false) gone.add(typeKey(type) ?? '')
  }
  const inside = new Set<Block>()
  for (const blocks of new Set([...added].map(blocksIn))) {
    for (const [type, block] of blocks) if (isInside(type, added)) inside.add(block)
  }
  const inOrder = [...new Set([...changed, ...inside])].toSorted((a, b) => a.index - b.index)
  const isNew = (block: Block): boolean => inside.has(block) && numberOf(block, view, table) === undefined
  return [
    ...inOrder.flatMap((block) => reportChanged(block, view, followed)),
    ...reportAdded(inOrder.filter(isNew), view, followed),
    ...reportDeleted([...gone], view, table),
  ]
}

function reportChanged(block: Block, view: DocumentView, { table, options, doc }: Followed): ReportedChange[] {
  const number = numberOf(block, view, table)
  const entry = number === undefined ? undefined : table.get(number)
  if (!entry || !block.type || entry.text === blockText(block.node)) return []
  const writers = newWriters(entry.ids, characterIds(block.type)).filter((client) => client !== doc.clientID)
  return [
    { verb: 'changed', place: `[${number}]`, by: nameWriters(writers, options.authorOf) ?? 'another user', count: 1 },
  ]
}

function reportAdded(added: readonly Block[], view: DocumentView, { table, options, doc }: Followed): ReportedChange[] {
  const reported: ReportedChange[] = []
  const all = new Set(added)
  let previous: { index: number; place: string | undefined } | undefined
  for (const block of added) {
    const isNext = previous?.index === block.index - 1
    const place: string | undefined = isNext ? previous?.place : placeBeside(block, all, view, table)
    previous = { index: block.index, place }
    if (place === undefined) continue
    const writer = block.type?._item?.id.client
    const isKnown = writer !== undefined && writer !== doc.clientID
    const by = (isKnown ? nameWriters([writer], options.authorOf) : undefined) ?? 'another user'
    const last = reported.at(-1)
    if (last?.place === place && last.by === by) last.count++
    else reported.push({ verb: 'added', place, by, count: 1 })
  }
  return reported
}

/** The shown block after which, or otherwise before which, an added block is; `undefined` if neither was shown. */
function placeBeside({ index }: Block, added: ReadonlySet<Block>, view: DocumentView, table: CoordinateTable) {
  const numberAt = (at: number): number | undefined => {
    const beside = view.blocks[at]
    return beside && numberOf(beside, view, table)
  }
  const before = numberAt(index - 1)
  if (before !== undefined) return `after [${before}]`
  let end = index + 1
  for (let next = view.blocks[end]; next && added.has(next); next = view.blocks[end]) end++
  const after = numberAt(end)
  return after === undefined ? undefined : `before [${after}]`
}

/** The numbers of deleted blocks, unless the only block with the same text has the number now. */
function reportDeleted(keys: readonly string[], view: DocumentView, table: CoordinateTable): ReportedChange[] {
  const numbers = keys.flatMap((key) => table.numbersOfType(key))
  if (numbers.length === 0) return []
  const byText = groupBy(view.blocks, ({ node }) => blockText(node))
  const isElsewhere = (number: number): boolean => {
    const [block, ...others] = byText.get(table.get(number)?.text ?? '') ?? []
    return block !== undefined && others.length === 0 && numberOf(block, view, table) === number
  }
  return numbers
    .filter((number) => !isElsewhere(number))
    .toSorted((a, b) => a - b)
    .map((number) => ({ verb: 'deleted', place: `[${number}]`, by: 'another user', count: 1 }))
}

function describe(reported: readonly ReportedChange[]): string {
  const named = reported.slice(0, namedAtMost)
  const rest = reported.slice(namedAtMost).reduce((sum, { count }) => sum + count, 0)
  const parts = [...groupBy(named, ({ by }) => by)].map(([by, theirs]) => `${by} ${describeOf(theirs)}`)
  return `Meanwhile ${parts.join('; ')}${rest > 0 ? `, and ${rest} more` : ''}.`
}

function describeOf(reported: readonly ReportedChange[]): string {
  const phrases = [...groupBy(reported, ({ verb }) => verb)].map(([verb, each]) =>
    verb === 'added'
      ? `added ${each.map(({ count, place }) => `${count === 1 ? 'a block' : `${count} blocks`} ${place}`).join(', ')}`
      : `${verb} ${each.map(({ place }) => place).join(', ')}`,
  )
  return phrases.length < 2 ? phrases.join('') : `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1)}`
}

type BlocksByType = ReadonlyMap<Y.XmlElement, Block>

/** Returns a function that lists the blocks of the document's child around an element, each child once. */
function createBlockFinder(view: DocumentView): (type: Y.XmlElement) => BlocksByType {
  const listed = new Map<Y.XmlElement, BlocksByType>()
  const none: BlocksByType = new Map()
  return (type) => {
    const child = view.childOf(type)
    if (!child) return none
    const known = listed.get(child.type)
    if (known) return known
    const index = view.childAt(child.position)?.index ?? 0
    const blocks = new Map(
      view.blocksOf(index, index + 1).flatMap((block) => (block.type ? [[block.type, block]] : [])),
    )
    listed.set(child.type, blocks)
    return blocks
  }
}

/** The block that is or contains an element. */
function blockAround(type: Y.XmlElement, blocks: BlocksByType): Block | undefined {
  for (let at: unknown = type; at instanceof Y.XmlElement; at = at.parent) {
    const block = blocks.get(at)
    if (block) return block
  }
  return undefined
}

function isInside(type: Y.XmlElement, outer: ReadonlySet<Y.XmlElement>): boolean {
  for (let at: unknown = type; at instanceof Y.XmlElement; at = at.parent) if (outer.has(at)) return true
  return false
}
