import { localizable } from '../common/localizable.ts'
import {
  type BindingMetadata,
  contentTypes,
  createBindingMetadata,
  readBlock,
  readFragment,
  schema,
} from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { failure, type ToolFailure } from '../common/result.ts'
import { elementsOf } from './blocks.ts'
import { createDocumentView, type DocumentView } from './document-view.ts'
import { Outline } from './outline.ts'

/** Keeps a ProseMirror document up to date with a fragment; the cost depends on the changes. It never writes. */
export type FragmentReader = {
  readonly metadata: BindingMetadata
  /** The children of the fragment; the list is cached until a child is added or removed. */
  children(): readonly Y.XmlElement[]
  /** The position where each child of the document begins, followed by its end; empty if the document can't be read. */
  starts(): readonly number[]
  /** A view of a document that matches the fragment, during or after writing it. */
  viewOf(document: Node): DocumentView
  /** The current document, or a failure if it can't be read. */
  read(): { ok: true; view: DocumentView } | ToolFailure
  /** Stops observing the fragment; may be called twice. */
  close(): void
}

/**
 * Observes `fragment`: a change only drops the changed types and their ancestors from the mapping and records the
 * affected blocks; the next `read` re-reads them. `request` is passed to the views.
 */
export function createFragmentReader(doc: Y.Doc, fragment: Y.XmlFragment, request?: string): FragmentReader {
  const metadata = createBindingMetadata()
  const outline = new Outline()
  const parts = createParts(fragment, metadata)
  let view: DocumentView | undefined
  let isClosed = false
  const drop = (events: Y.YEvent<Y.AbstractType<unknown>>[]): void => {
    view = undefined
    for (const event of events) parts.note(event.target)
  }
  const dropView = (): void => {
    view = undefined
  }
  const viewOf = (document: Node): DocumentView =>
    createDocumentView(document, {
      types: parts.elements(),
      ydoc: doc,
      frontmatter: readFrontmatter(doc),
      outline,
      request,
    })
  const meta = doc.getMap(contentTypes.meta)
  fragment.observeDeep(drop)
  meta.observe(dropView)
  const read = (): ReturnType<FragmentReader['read']> => {
    if (view) return { ok: true, view }
    const known = parts.refresh()
    if (known) {
      view = viewOf(known)
      return { ok: true, view }
    }
    const result = readFragment(fragment, schema, metadata.mapping)
    if (!result.ok) return unreadable(result.problems)
    parts.keep(result.doc)
    view = viewOf(result.doc)
    return { ok: true, view }
  }
  return {
    metadata,
    children: () => parts.elements(),
    starts() {
      const now = read()
      return now.ok ? now.view.starts : []
    },
    viewOf,
    read,
    close() {
      if (isClosed) return
      isClosed = true
      fragment.unobserveDeep(drop)
      meta.unobserve(dropView)
    },
  }
}

/** The children of the last document that was read, and which of them have changed since. */
type Parts = {
  note(changed: Y.AbstractType<unknown>): void
  /**
   * The document with only the changed children re-read; `undefined` if children were added or removed, or one can't be
   * read.
   */
  refresh(): Node | undefined
  keep(doc: Node): void
  /** The children of the fragment. */
  elements(): readonly Y.XmlElement[]
}

function createParts(fragment: Y.XmlFragment, metadata: BindingMetadata): Parts {
  let last: Node | undefined
  let elements: readonly Y.XmlElement[] | undefined
  let places: Map<Y.XmlElement, number> | undefined
  const changed = new Set<Y.XmlElement>()
  const list = (): readonly Y.XmlElement[] => {
    // During a transaction no event has reported yet which children were added or removed.
    const changing: ReadonlyMap<unknown, unknown> | undefined = fragment.doc?._transaction?.changed
    if (!elements || changing?.has(fragment)) elements = elementsOf(fragment)
    return elements
  }
  return {
    note(target) {
      let child: Y.AbstractType<unknown> | null = null
      for (let type: Y.AbstractType<unknown> | null = target; type; type = parentOf(type)) {
        metadata.mapping.delete(type as Y.AbstractType<Node>)
        if (type !== fragment) child = type
      }
      if (child instanceof Y.XmlElement) changed.add(child)
      else last = elements = undefined
    },
    refresh() {
      if (!last) return undefined
      places ??= new Map(list().map((child, index) => [child, index]))
      let { content } = last
      for (const child of changed) {
        const place = places.get(child)
        const node = place === undefined ? undefined : readBlock(child, schema, metadata.mapping)
        if (place === undefined || !node) return undefined
        content = content.replaceChild(place, node)
      }
      changed.clear()
      last = last.copy(content)
      metadata.mapping.set(fragment, last)
      return last
    },
    keep(doc) {
      last = fragment.length === doc.childCount ? doc : undefined
      places = undefined
      changed.clear()
    },
    elements: list,
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
    localizable`The document holds something that this version can't read${where}.`,
    'Nothing was changed. Trying again does not help; tell the person that the document needs to be repaired.',
    { problems: problems.slice(0, 20) },
  )
}
