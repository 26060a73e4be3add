import { type BindingMetadata, contentTypes, createBindingMetadata, readFragment, schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { failure, type ToolFailure } from '../result.ts'
import { createDocumentView, type DocumentView } from './document-view.ts'

/** Keeps a ProseMirror document up to date with a fragment at the cost of what changed. It never writes. */
export type FragmentReader = {
  readonly metadata: BindingMetadata
  /** The document as it is now, or why it can't be read. */
  read(): { ok: true; view: DocumentView } | ToolFailure
  /** Stops following; may be called twice. */
  close(): void
}

/**
 * Follows `fragment`: a change only drops the changed types and what holds them from the mapping; the next `read` reads
 * those anew.
 */
export function createFragmentReader(doc: Y.Doc, fragment: Y.XmlFragment): FragmentReader {
  const metadata = createBindingMetadata()
  let view: DocumentView | undefined
  let isClosed = false
  const drop = (events: Y.YEvent<Y.AbstractType<unknown>>[]): void => {
    view = undefined
    for (const event of events) dropWithParents(event.target, metadata)
  }
  const dropView = (): void => {
    view = undefined
  }
  const meta = doc.getMap(contentTypes.meta)
  fragment.observeDeep(drop)
  meta.observe(dropView)
  return {
    metadata,
    read() {
      if (view) return { ok: true, view }
      const result = readFragment(fragment, schema, metadata.mapping)
      if (!result.ok) return unreadable(result.problems)
      view = createDocumentView(result.doc, fragment, readFrontmatter(doc))
      return { ok: true, view }
    },
    close() {
      if (isClosed) return
      isClosed = true
      fragment.unobserveDeep(drop)
      meta.unobserve(dropView)
    },
  }
}

/** Drops a type and everything that holds it from the mapping. */
function dropWithParents(type: Y.AbstractType<unknown>, metadata: BindingMetadata): void {
  for (let current: Y.AbstractType<unknown> | null = type; current; current = parentOf(current)) {
    metadata.mapping.delete(current as Y.AbstractType<Node>)
  }
}

function parentOf(type: Y.AbstractType<unknown>): Y.AbstractType<unknown> | null {
  const parent = type._item?.parent
  return parent instanceof Y.AbstractType ? parent : null
}

/** The frontmatter in a document's `meta`. */
export function readFrontmatter(doc: Y.Doc): string | null {
  const value = doc.getMap(contentTypes.meta).get('frontmatter')
  return typeof value === 'string' ? value : null
}

function unreadable(problems: { path: number[]; name: string; message: string }[]): ToolFailure {
  const [first] = problems
  const where = first ? ` (${first.name} at ${first.path.join('.') || 'the top'}: ${first.message})` : ''
  return failure(
    'unavailable',
    `The document holds something that this version can't read${where}.`,
    'Nothing was changed. Trying again does not help; tell the person that the document needs to be repaired.',
    { problems: problems.slice(0, 20) },
  )
}
