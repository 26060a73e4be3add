import * as Y from 'yjs'
import { decodeUpdate, type Struct } from '../store/updates/decode-update.ts'

/** A range of Yjs ids in a log, starting at (`client`, `clock`), whose content names a stored image. */
export type ImageMention = { name: string; client: number; clock: number; length: number }

/** The image mentions that a row of a log adds, and the earlier ones that it deletes. */
export type MentionsInRow = { seq: number; added: ImageMention[]; removed: ImageMention[] }

/** The client of a mention that is never deleted, because the item that contains it is unknown. */
export const unknownItemClient = -1

// The file names that `Images` generates. The address before the name is ignored: it may be that of another document or
// origin.
const names = /[0-9a-f]{32}\.(?:png|jpg|gif|webp|avif)/g

/**
 * The image mentions that rows of a log add and delete, in order; `open` are the undeleted mentions of earlier rows. A
 * mention is an image's name in an attribute, a text, or any other content of a row. Rows without mentions or deletions
 * are omitted.
 */
export function findMentions(
  rows: readonly { seq: number; bytes: Uint8Array }[],
  open: readonly ImageMention[],
): MentionsInRow[] {
  const alive = new Map(Map.groupBy(open, ({ client }) => client))
  return rows.flatMap(({ seq, bytes }) => {
    const named = namesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
    // The common case: typing in documents without images.
    if (named.length === 0 && alive.size === 0) return []
    const { added, deleted } = read(seq, bytes, named)
    for (const mention of added) alive.set(mention.client, [...(alive.get(mention.client) ?? []), mention])
    const removed: ImageMention[] = []
    for (const [client, ranges] of deleted) {
      const { gone = [], left = [] } = Object.groupBy(alive.get(client) ?? [], ({ clock, length }) =>
        ranges.some((range) => range.clock <= clock && clock + length <= range.clock + range.len) ? 'gone' : 'left',
      )
      removed.push(...gone)
      if (left.length > 0) alive.set(client, left)
      else alive.delete(client)
    }
    return added.length > 0 || removed.length > 0 ? [{ seq, added, removed }] : []
  })
}

function read(
  seq: number,
  bytes: Uint8Array,
  named: readonly string[],
): { added: ImageMention[]; deleted: ReadonlyMap<number, readonly { clock: number; len: number }[]> } {
  const keepAll = (each: readonly string[]): ImageMention[] =>
    each.map((name) => ({ name, client: unknownItemClient, clock: seq, length: 0 }))
  try {
    const { structs, ds } = decodeUpdate(bytes)
    const found = named.length > 0 ? structs.flatMap(mentionsIn) : []
    const places = new Set(found.map(({ name }) => name))
    return {
      added: [...found, ...keepAll(named.filter((name) => !places.has(name)))],
      deleted: ds.clients,
    }
  } catch {
    // A row that can't be decoded shows no image, but a repair of the row may need the image.
    return { added: keepAll(named), deleted: new Map() }
  }
}

function mentionsIn(struct: Struct): ImageMention[] {
  if (!(struct instanceof Y.Item)) return []
  const { content, length } = struct
  const { client, clock } = struct.id
  const at = (value: unknown, offset: number, of: number): ImageMention[] =>
    namesIn(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).map((name) => ({
      name,
      client,
      clock: clock + offset,
      length: of,
    }))
  if (content instanceof Y.ContentAny) return content.arr.flatMap((value, index) => at(value, index, 1))
  if (content instanceof Y.ContentString) return at(content.str, 0, length)
  if (content instanceof Y.ContentEmbed) return at(content.embed, 0, length)
  if (content instanceof Y.ContentFormat) return at(content.value, 0, length)
  return []
}

function namesIn(text: string): string[] {
  return [...new Set(text.match(names))]
}
