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
import { type Refusal, refuse } from '../common/errors.ts'

/** A content document as a ProseMirror node, at the time of reading; valid until the next change. */
export type Content = {
  ok: true
  node: Node
  view: DocumentView
  fragment: Y.XmlFragment
  reader: FragmentReader
}

// Cached as long as the writer keeps the replica; the cost of reading a replica again is proportional to its changes.
const readers = new WeakMap<Y.Doc, FragmentReader>()

/** Reads a replica of a content document. Refused if it contains something unknown to the schema. */
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

/** Above this number of blocks with a decision, the document is written block by block. */
const decidedAsOne = 50

/**
 * Writes the decision on these changes. Returns the resulting document. The caller must not await anything between
 * reading `content` and this call.
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

/** Writes a transform of `content`. The caller must not await anything between reading `content` and this call. */
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
