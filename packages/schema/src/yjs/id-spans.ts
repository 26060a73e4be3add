import type { Schema } from 'prosemirror-model'
import * as Y from 'yjs'
import { noticeFor } from './nesting.ts'

/**
 * Text, or one leaf such as an image, between two ProseMirror positions, and its consecutive Yjs ids, which begin at
 * `clock`.
 */
export type IdSpan = { from: number; to: number; client: number; clock: number }

/**
 * Maps the positions of the document that a fragment shows to Yjs ids, in document order, without building the
 * document. `size` is the size of that document's content: if the caller's document has another size, the fragment has
 * changed since. Only reads.
 */
export function readIdSpans(fragment: Y.XmlFragment, schema: Schema): { spans: IdSpan[]; size: number } {
  const spans: IdSpan[] = []
  const size = walk(fragment, { position: 0, depth: 1 }, schema, spans)
  return { spans, size }
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
