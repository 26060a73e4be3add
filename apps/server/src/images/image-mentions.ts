import * as Y from 'yjs'
import { decodeUpdate, type Struct } from '../store/decode-update.ts'

/** Ids of a log, from (`client`, `clock`) on, whose content names a stored image. */
export type ImageMention = { name: string; client: number; clock: number; length: number }

/** What a row of a log does: images that it names, and earlier mentions that it deletes. */
export type MentionsInRow = { seq: number; added: ImageMention[]; removed: ImageMention[] }

/** Client of a mention that nothing deletes, since what it stands in can't be told. */
export const untold = -1

// The name that `Images` gives. An address may have anything before it: another document's id, another origin.
const names = /[0-9a-f]{32}\.(?:png|jpg|gif|webp|avif)/g

/**
 * Which images rows of a log name, and which mentions they delete, in their order; `open` are those of earlier rows
 * that nobody has deleted. An image counts as named where its name stands in an attribute, a text, or anything else
 * that a row brings. Rows that do neither are left out.
 */
export function findMentions(
  rows: readonly { seq: number; bytes: Uint8Array }[],
  open: readonly ImageMention[],
): MentionsInRow[] {
  const alive = new Map(Map.groupBy(open, ({ client }) => client))
  return rows.flatMap(({ seq, bytes }) => {
    const named = namesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
    // Most rows are keystrokes in documents without images.
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
    each.map((name) => ({ name, client: untold, clock: seq, length: 0 }))
  try {
    const { structs, ds } = decodeUpdate(bytes)
    const found = named.length > 0 ? structs.flatMap(mentionsIn) : []
    const places = new Set(found.map(({ name }) => name))
    return {
      added: [...found, ...keepAll(named.filter((name) => !places.has(name)))],
      deleted: ds.clients,
    }
  } catch {
    // A row that can't be read shows nothing, but whoever mends it may need the image.
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
