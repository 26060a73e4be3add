import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { IdMap } from '../history/id-map.ts'

/** Yjs ids in a row of one client. */
type Ids = { client: number; clock: number; len: number }

/**
 * A text whose block has gone, the ids of what stood in it, and the block behind which it stood; none for the first.
 */
export type GoneText = { ids: readonly Ids[]; after: { client: number; clock: number } | undefined }

/** A row of the log, as far as what was typed is looked for in it. */
export type TypedRow = { seq: number; bytes: Uint8Array; actor: string }

/** What somebody typed into a text that had gone by then: it belongs behind the same block. */
export type ForwardedText = Pick<GoneText, 'after'> & { actor: string; text: string }

/**
 * Notes all texts of a document before it is changed. Answers what tells, after that, which of them have gone: Yjs
 * deletes a block with all that others are still typing into it.
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

// Its own id too: what is typed into an empty text names nothing else.
function idsIn(text: Y.XmlText): Ids[] {
  const ids: Ids[] = text._item ? [{ client: text._item.id.client, clock: text._item.id.clock, len: 1 }] : []
  for (let item = text._start; item; item = item.right) {
    ids.push({ client: item.id.client, clock: item.id.clock, len: item.length })
  }
  return ids
}

/**
 * What people have typed into one of these texts, without what they deleted again, in the order in which it came.
 * `rows` are all that came after the texts had gone; told is only what stands in those after `seen`.
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
      // A row may repeat what another has brought.
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

// Whichever of its neighbours an item names says where it stands.
function neighboursOf({ origin, rightOrigin, parent }: Y.Item): { client: number; clock: number }[] {
  const ids = [origin, rightOrigin].flatMap((id) => id ?? [])
  return parent instanceof Y.ID ? [...ids, parent] : ids
}

/**
 * Puts a late text into a paragraph of its own behind the block where it belongs, or at the end if that has gone too.
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
