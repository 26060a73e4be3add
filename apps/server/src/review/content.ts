import { contentTypes, createBindingMetadata, writeFragment } from '@copydesk/schema'
import { applyTransform, createFragmentReader, type DocumentView, type FragmentReader } from '@copydesk/tools'
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

/** Writes a transform that was built on `content`, with nothing awaited since it was read. */
export function writeContent({ fragment, reader }: Content, transform: Transform): void {
  if (transform.steps.length === 0) return
  fragment.doc?.transact(() => applyTransform(fragment, transform, reader))
  const read = reader.read()
  if (read.ok && read.view.doc.eq(transform.doc)) return
  // A foreign client may have stored a mark under another name than y-prosemirror's, where a single step doesn't find it.
  fragment.doc?.transact(() => writeFragment(fragment, transform.doc, createBindingMetadata()))
}
