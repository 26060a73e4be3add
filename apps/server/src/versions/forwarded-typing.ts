import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { IdMap } from '../history/id-map.ts'

/** `len` consecutive Yjs ids of one client. */
type Ids = { client: number; clock: number; len: number }

/** A text whose block was deleted, the ids of its content, and the block before it; none if it was first. */
export type GoneText = { ids: readonly Ids[]; after: { client: number; clock: number } | undefined }

/** A row of the log in which typed text is searched for. */
export type TypedRow = { seq: number; bytes: Uint8Array; actor: string }

/** Text that a user typed into an already deleted text; it belongs after the same block. */
export type ForwardedText = Pick<GoneText, 'after'> & { actor: string; text: string }

/**
 * Records all texts of a document before a change. Returns a function that, after the change, returns the deleted ones:
 * Yjs deletes a block including what others are still typing into it.
 */
export function watchTexts(content: Y.Doc): () => GoneText[] {
  const blocks = content.getXmlFragment(contentTypes.fragment).toArray()
  const texts = blocks.flatMap((block, index) => [...textsIn(block)].map((text) => ({ text, index, ids: idsIn(text) })))
  return () =>
    texts
      .filter(({ text }) => text._item?.deleted === true)
      .map(({ ids, index }) => {
        const before = blocks.slice(0, index).findLast((block) => block._item?.deleted === false)?._item?.id
        return { ids, after: before && { client: before.client, clock: before.clock } }
      })
}

// Without recursion: blocks may nest deeper than the stack.
function* textsIn(block: unknown): Generator<Y.XmlText, void, undefined> {
  const pending = [block]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node instanceof Y.XmlText) yield node
    else if (node instanceof Y.XmlFragment) for (const child of node.toArray().toReversed()) pending.push(child)
  }
}

// Includes the text's own id: what is typed into an empty text refers to no other.
function idsIn(text: Y.XmlText): Ids[] {
  const ids: Ids[] = text._item ? [{ client: text._item.id.client, clock: text._item.id.clock, len: 1 }] : []
  for (let item = text._start; item; item = item.right) {
    ids.push({ client: item.id.client, clock: item.id.clock, len: item.length })
  }
  return ids
}

/**
 * What users have typed into these texts, without what they deleted again, in the order of arrival. `rows` are all rows
 * since the texts were deleted; only text in rows after `seen` is returned.
 */
export function findForwardedTexts(
  gone: readonly GoneText[],
  rows: readonly TypedRow[],
  seen: number,
): ForwardedText[] {
  if (rows.length === 0) return []
  const places = new IdMap<GoneText>()
  for (const text of gone) for (const ids of text.ids) places.add(ids, text)
  const updates = rows.map(({ bytes, ...row }) => ({ ...Y.decodeUpdate(bytes), ...row }))
  const deletions = Y.mergeDeleteSets(updates.map(({ ds }) => ds))
  const isDeleted = (client: number, clock: number): boolean => Y.isDeleted(deletions, Y.createID(client, clock))
  const found = new Map<GoneText, Map<string, string[]>>()
  for (const { structs, actor, seq } of updates) {
    for (const struct of structs) {
      if (!(struct instanceof Y.Item)) continue
      const { client, clock } = struct.id
      const text = neighboursOf(struct).flatMap((id) => places.get(id.client, id.clock) ?? [])[0]
      if (!text) continue
      // A row may repeat the content of another row.
      if (!places.get(client, clock)) places.add({ client, clock, len: struct.length }, text)
      if (!(struct.content instanceof Y.ContentString) || seq <= seen) continue
      const typed = [...struct.content.str.split('').entries()].filter(([offset]) => !isDeleted(client, clock + offset))
      const byActor = found.get(text) ?? new Map<string, string[]>()
      found.set(text, byActor)
      byActor.set(actor, [...(byActor.get(actor) ?? []), ...typed.map(([, unit]) => unit)])
    }
  }
  return [...found].flatMap(([{ after }, byActor]) =>
    [...byActor].flatMap(([actor, units]) => {
      const text = units.join('')
      return text.trim() === '' ? [] : [{ after, actor, text }]
    }),
  )
}

// Any neighbour that an item refers to tells its position.
function neighboursOf({ origin, rightOrigin, parent }: Y.Item): { client: number; clock: number }[] {
  const ids = [origin, rightOrigin].flatMap((id) => id ?? [])
  return parent instanceof Y.ID ? [...ids, parent] : ids
}

/**
 * Puts a late text into a paragraph of its own after the block where it belongs, or at the end if that block was
 * deleted too.
 */
export function putForwardedText(content: Y.Doc, { after, text }: ForwardedText): void {
  const fragment = content.getXmlFragment(contentTypes.fragment)
  const at = fragment
    .toArray()
    .findIndex(({ _item: item }) => item?.id.client === after?.client && item?.id.clock === after?.clock)
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText(text)])
  fragment.insert(after === undefined ? 0 : at < 0 ? fragment.length : at + 1, [paragraph])
}
