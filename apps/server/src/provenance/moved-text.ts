import * as Y from 'yjs'
import { applyUpdates } from '../store/updates/verbatim-doc.ts'
import type { Copy } from './log-rows.ts'

type IdRange = { client: number; clock: number; len: number }
type TextNode = { text: string; pieces: IdRange[] }

/** Whether an update can move text: it creates and deletes at least one Yjs type. */
export function mayMoveText(bytes: Uint8Array): boolean {
  const { structs, ds } = Y.decodeUpdate(bytes)
  return (
    ds.clients.size > 0 && structs.some((struct) => struct instanceof Y.Item && struct.content instanceof Y.ContentType)
  )
}

/**
 * Applies an update and returns the ids of text that it moved: Yjs has no move, so whole text nodes are deleted and
 * inserted again under new ids. A text node counts as moved if the same update deleted one with the same text.
 */
export function applyMove(doc: Y.Doc, bytes: Uint8Array): Copy[] {
  const deleted = new Map<string, TextNode[]>()
  for (const node of textNodes(doc, deletedRanges(bytes))) {
    deleted.set(node.text, [...(deleted.get(node.text) ?? []), node])
  }
  applyUpdates(doc, [bytes])
  return textNodes(doc, insertedRanges(bytes)).flatMap((node) => {
    const original = deleted.get(node.text)?.shift()
    return original ? pairPieces(original.pieces, node.pieces) : []
  })
}

function deletedRanges(bytes: Uint8Array): IdRange[] {
  const { ds } = Y.decodeUpdate(bytes)
  return [...ds.clients].flatMap(([client, items]) => items.map(({ clock, len }) => ({ client, clock, len })))
}

function insertedRanges(bytes: Uint8Array): IdRange[] {
  const { from, to } = Y.parseUpdateMeta(bytes)
  return [...to].map(([client, end]) => {
    const clock = from.get(client) ?? 0
    return { client, clock, len: end - clock }
  })
}

/** The non-empty text nodes of the document among these ids, with the ids of their text in order. */
function textNodes(doc: Y.Doc, ranges: readonly IdRange[]): TextNode[] {
  return ranges.flatMap(({ client, clock, len }) => {
    const structs = doc.store.clients.get(client) ?? []
    if (clock >= Y.getState(doc.store, client)) return []
    const nodes: TextNode[] = []
    for (let index = Y.findIndexSS(structs, clock); index < structs.length; index++) {
      const struct = structs[index]
      if (!struct || struct.id.clock >= clock + len) break
      if (!(struct instanceof Y.Item) || struct.deleted || !(struct.content instanceof Y.ContentType)) continue
      if (!(struct.content.type instanceof Y.XmlText)) continue
      const node = readText(struct.content.type)
      if (node.text !== '') nodes.push(node)
    }
    return nodes
  })
}

function readText(type: Y.XmlText): TextNode {
  const node: TextNode = { text: '', pieces: [] }
  for (let item = type._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue
    node.text += item.content.str
    node.pieces.push({ client: item.id.client, clock: item.id.clock, len: item.length })
  }
  return node
}

/** Splits two lists of ranges of the same total length into pairs of ranges of equal length. */
function pairPieces(originals: readonly IdRange[], moved: readonly IdRange[]): Copy[] {
  const copies: Copy[] = []
  let [at, skipped] = [0, 0]
  for (const { client, clock, len } of moved) {
    let done = 0
    while (done < len) {
      const original = originals[at]
      if (!original) return copies
      const length = Math.min(len - done, original.len - skipped)
      copies.push([original.client, original.clock + skipped, client, clock + done, length])
      done += length
      skipped += length
      if (skipped === original.len) [at, skipped] = [at + 1, 0]
    }
  }
  return copies
}
