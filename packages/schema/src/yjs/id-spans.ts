import type { Schema } from 'prosemirror-model'
import * as Y from 'yjs'
import type { IdMap } from '../ids/id-map.ts'
import { noticeFor } from './nesting.ts'

/**
 * Text, or one leaf such as an image, between two ProseMirror positions, and its consecutive Yjs ids, which begin at
 * `clock`.
 */
export type IdSpan = { from: number; to: number; client: number; clock: number }

/**
 * Maps the positions of a fragment's document to Yjs ids, in document order, without building the document. `size` is
 * the size of that document's content: if the caller's document has another size, the fragment has changed since. Only
 * reads.
 */
export function readIdSpans(fragment: Y.XmlFragment, schema: Schema): { spans: IdSpan[]; size: number } {
  const spans: IdSpan[] = []
  const size = walk(fragment, { position: 0, depth: 1 }, schema, spans)
  return { spans, size }
}

/**
 * The values of the ids of spans, by positions, in the order of the spans. Adjoining ranges become one where `join`
 * returns the value of both, not `undefined`. Ids without a value are omitted.
 */
export function valuesOfSpans<T>(
  spans: readonly IdSpan[],
  ids: IdMap<T>,
  join: (value: T, next: T) => T | undefined,
): { from: number; to: number; value: T }[] {
  const ranges: { from: number; to: number; value: T }[] = []
  for (const { from, to, client, clock } of spans) {
    for (const { range, value } of ids.found({ client, clock, len: to - from })) {
      const start = from + range.clock - clock
      const last = ranges.at(-1)
      const joined = last?.to === start ? join(last.value, value) : undefined
      if (last && joined !== undefined) {
        last.to += range.len
        last.value = joined
      } else ranges.push({ from: start, to: start + range.len, value })
    }
  }
  return ranges
}

type Start = { position: number; depth: number }

function walk(parent: Y.XmlFragment, { position: start, depth }: Start, schema: Schema, spans: IdSpan[]): number {
  let position = start
  for (let item = parent._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue
    const { type } = item.content
    if (type instanceof Y.XmlText) position = walkText(type, position, spans)
    else if (!(type instanceof Y.XmlElement)) continue
    else if (schema.nodes[type.nodeName]?.isLeaf) {
      spans.push({ from: position, to: position + 1, client: item.id.client, clock: item.id.clock })
      position += 1
    } else {
      const notice = noticeFor(schema.nodes[type.nodeName], depth)
      const inside = { position: position + 1, depth: depth + 1 }
      position = (notice ? inside.position + notice.nodeSize : walk(type, inside, schema, spans)) + 1
    }
  }
  return position
}

function walkText(text: Y.XmlText, start: number, spans: IdSpan[]): number {
  let position = start
  for (let item = text._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue
    spans.push({ from: position, to: position + item.length, client: item.id.client, clock: item.id.clock })
    position += item.length
  }
  return position
}
