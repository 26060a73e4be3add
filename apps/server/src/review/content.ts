import { contentTypes, createBindingMetadata, decideBlocks, decideChanges, writeFragment } from '@copydesk/schema'
import {
  applyTransform,
  createFragmentReader,
  type DocumentView,
  type FragmentReader,
  writeBlocks,
} from '@copydesk/tools'
import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { type Refusal, refuse } from './refusal.ts'

/** A content document as ProseMirror sees it at this moment; valid until the next change. */
export type Content = {
  ok: true
  node: Node
  view: DocumentView
  fragment: Y.XmlFragment
  reader: FragmentReader
}

// A replica lives as long as its writer keeps it; a second read of the same one costs only what has changed.
const readers = new WeakMap<Y.Doc, FragmentReader>()

/** Reads a replica of a content document. Refused if it holds something that the schema doesn't know. */
export function readContent(doc: Y.Doc): Content | Refusal {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  let reader = readers.get(doc)
  if (!reader) {
    reader = createFragmentReader(doc, fragment)
    readers.set(doc, reader)
  }
  const read = reader.read()
  if (!read.ok) return refuse('unavailable', read.message, 'Tell the operator: the document needs to be repaired.')
  return { ok: true, node: read.view.doc, view: read.view, fragment, reader }
}

/** Beyond so many blocks with a decision in them it is written block by block. */
const decidedAsOne = 50

/**
 * Writes the decision on these changes, with nothing awaited since `content` was read. Answers the document as it is
 * then.
 */
export function writeDecision(content: Content, ids: ReadonlySet<string>, decision: 'accept' | 'reject'): Node {
  const { node, fragment, reader } = content
  const decided = decideBlocks(node, ids, decision)
  if (!decided || decided.blocks.length + decided.removed.length <= decidedAsOne) {
    const transform = decideChanges(node, ids, decision)
    writeContent(content, transform)
    return transform.doc
  }
  fragment.doc?.transact(() => {
    if (!writeBlocks(fragment, decided, reader, node.childCount))
      applyTransform(fragment, decideChanges(node, ids, decision), reader)
  })
  writeRest(content, decided.doc)
  return decided.doc
}

/** Writes a transform that was built on `content`, with nothing awaited since it was read. */
export function writeContent(content: Content, transform: Transform): void {
  const { fragment, reader } = content
  if (transform.steps.length === 0) return
  fragment.doc?.transact(() => applyTransform(fragment, transform, reader))
  writeRest(content, transform.doc)
}

// A foreign client may have stored a mark under another name than y-prosemirror's, where a single step doesn't find it.
function writeRest({ fragment, reader }: Content, doc: Node): void {
  const read = reader.read()
  if (read.ok && read.view.doc.eq(doc)) return
  fragment.doc?.transact(() => writeFragment(fragment, doc, createBindingMetadata()))
}
