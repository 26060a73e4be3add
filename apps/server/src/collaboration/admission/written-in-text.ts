import * as Y from 'yjs'
import { changeIdOf, isReviewMark } from '../../common/review-ids.ts'

/**
 * Known facts about a text: whether it has no mark of a suggested change, the end of its newest text, and the ids of
 * the suggested changes on that text. Valid until something else in the text changes.
 */
export type KnownText = { isPlain: boolean; end: Y.ID | undefined; ids: readonly string[] }

/**
 * A mark of a suggested change: its value as one string and, for a change of format, the format and its previous value.
 */
type Opened = { id: string; mark: string; inserts: boolean; format: { name: string; previous: string } | undefined }

/** The marks that are open at a position, by key: those of suggested changes, and formats as JSON. */
type Open = { changes: Map<string, Opened>; formats: Map<string, string> }

/**
 * The suggested changes that a transaction has written into in a text, found by comparing the text before and after the
 * transaction. `examined`: the number of items examined.
 */
export function scanText(
  text: Y.XmlText,
  transaction: Y.Transaction,
): { ids: Set<string>; known: KnownText; examined: number } {
  const { beforeState, deleteSet } = transaction
  const [before, after] = [newOpen(), newOpen()]
  const ids = new Set<string>()
  const known: KnownText = { isPlain: true, end: undefined, ids: [] }
  // All text of one kind between two markers has the same marks, so each kind is examined once. Kept text needs no
  // comparison before the first added or removed marker.
  const seen = { kept: true, removed: false, new: false }
  let examined = 0
  let isSame = true
  for (let item = text._start; item; item = item.right) {
    const { content, deleted, id } = item
    examined += 1
    const isOld = id.clock < (beforeState.get(id.client) ?? 0)
    const was = isOld && (!deleted || Y.isDeleted(deleteSet, id))
    if (content instanceof Y.ContentFormat) {
      if (was) set(before, content)
      if (!deleted) set(after, content)
      if (!deleted && content.value !== null && changeIdOf(content) !== undefined) known.isPlain = false
      if (was === deleted) isSame = false
      Object.assign(seen, { kept: isSame, removed: false, new: false })
    } else if (content instanceof Y.ContentString && (was || !deleted)) {
      const kind = deleted ? 'removed' : isOld ? 'kept' : 'new'
      if (kind === 'new') Object.assign(known, { end: item.lastId, ids: idsIn(after) })
      if (seen[kind]) continue
      seen[kind] = true
      if (kind === 'kept') addDifferences(before, after, ids)
      else for (const changed of idsIn(kind === 'new' ? after : before)) ids.add(changed)
    }
  }
  return { ids, known, examined }
}

function newOpen(): Open {
  return { changes: new Map(), formats: new Map() }
}

function set({ changes, formats }: Open, content: Y.ContentFormat): void {
  const { key, value } = content
  const opened = value === null ? undefined : openedBy(content)
  if (opened) changes.set(key, opened)
  else changes.delete(key)
  if (isReviewMark(key)) return
  if (value === null) formats.delete(key)
  else formats.set(key, JSON.stringify(value))
}

function openedBy(content: Y.ContentFormat): Opened | undefined {
  const id = changeIdOf(content)
  if (id === undefined) return undefined
  const value = content.value as unknown as Record<string, unknown>
  const name = content.key.split('--', 1)[0] ?? ''
  const format =
    name === 'formattingChange'
      ? { name: String(value.mark), previous: typeof value.previous === 'string' ? value.previous : '' }
      : undefined
  return { id, mark: `${name} ${JSON.stringify(value)}`, inserts: name === 'insertion', format }
}

function idsIn({ changes }: Open): string[] {
  return [...changes.values()].map(({ id }) => id)
}

/** Adds the differences for kept text. Another editor may have stored the same mark under another name. */
function addDifferences(before: Open, after: Open, ids: Set<string>): void {
  const [marksBefore, marksAfter] = [marksIn(before), marksIn(after)]
  for (const [mark, { id }] of marksAfter) if (!marksBefore.has(mark)) ids.add(id)
  for (const [mark, { id }] of marksBefore) if (!marksAfter.has(mark)) ids.add(id)
  const turned = formatsThatDiffer(before, after)
  if (turned.size === 0) return
  // A change of format is independent of the remaining ones if it was added and records the correct previous value, or
  // was removed and that value was restored.
  const tracked = new Set<string>()
  for (const [mark, { format }] of marksAfter) {
    if (format && !marksBefore.has(mark) && hasCorrectPrevious(format, before)) tracked.add(format.name)
  }
  for (const [mark, { format }] of marksBefore) {
    if (format && !marksAfter.has(mark) && hasCorrectPrevious(format, after)) tracked.add(format.name)
  }
  for (const { id, inserts, format } of marksAfter.values()) {
    if (inserts && [...turned].some((name) => !tracked.has(name))) ids.add(id)
    if (format && turned.has(format.name)) ids.add(id)
  }
}

function marksIn({ changes }: Open): Map<string, Opened> {
  return new Map([...changes.values()].map((opened) => [opened.mark, opened]))
}

function formatsThatDiffer(before: Open, after: Open): Set<string> {
  const names = new Set([...before.formats.keys(), ...after.formats.keys()])
  return new Set([...names].filter((name) => before.formats.get(name) !== after.formats.get(name)))
}

function hasCorrectPrevious({ name, previous }: { name: string; previous: string }, { formats }: Open): boolean {
  const was = formats.get(name)
  return was === undefined ? previous === '' : previous === was
}
