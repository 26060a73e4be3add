import { readSuggestions, readThreads } from '@copydesk/schema'
import * as Y from 'yjs'

/** The ids of threads and suggested changes that stand on something in a document. */
export type ReviewIds = { threads: Set<string>; changes: Set<string> }

const changeMark = /^(insertion|deletion|formattingChange)(--.{8})?$/
const threadMark = /^comment(--.{8})?$/
const idPattern = /^[\w.:-]{1,64}$/

/** Whether this may be the id of a thread, a comment or a suggested change. Clients write ids into the content as they like. */
function isReviewId(id: unknown): id is string {
  // The room's maps become plain objects, where `constructor` and the like are taken.
  return typeof id === 'string' && idPattern.test(id) && !(id in Object.prototype)
}

/** The id of the suggested change that a formatting marker of Yjs opens, if it opens one. */
export function changeIdOf({ key, value }: Y.ContentFormat): string | undefined {
  return changeMark.test(key) ? idIn(value, 'id') : undefined
}

/** The ids of the suggested changes in a node's `suggestion` attribute. */
export function changeIdsOf(attribute: unknown): string[] {
  return readSuggestions(attribute).flatMap(({ id }) => (isReviewId(id) ? [id] : []))
}

/** The entries of a node's `suggestion` attribute, each as it is written, with the id of its change. */
export function changeEntriesOf(attribute: unknown): { id: string; entry: string }[] {
  return readSuggestions(attribute).flatMap((each) =>
    isReviewId(each.id) ? [{ id: each.id, entry: JSON.stringify(each) }] : [],
  )
}

/**
 * What stands on visible text or on nodes of a fragment. Reads the Yjs items directly: some milliseconds for a large document, and no
 * ProseMirror document is built.
 */
export function presentReviewIds(fragment: Y.XmlFragment): ReviewIds {
  const ids: ReviewIds = { threads: new Set(), changes: new Set() }
  collect(fragment, ids)
  return ids
}

function collect(type: Y.XmlFragment, ids: ReviewIds): void {
  for (let item = type._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue
    const child: unknown = item.content.type
    if (child instanceof Y.XmlText) collectFromText(child, ids)
    else if (child instanceof Y.XmlElement) {
      for (const id of readThreads(child.getAttribute('threads'))) if (isReviewId(id)) ids.threads.add(id)
      for (const id of changeIdsOf(child.getAttribute('suggestion'))) ids.changes.add(id)
      collect(child, ids)
    }
  }
}

// A marker may be left behind where its text is gone: only what covers something counts.
function collectFromText(text: Y.XmlText, ids: ReviewIds): void {
  const open = new Map<string, Y.ContentFormat>()
  let isNoted = true
  for (let item = text._start; item; item = item.right) {
    if (item.deleted) continue
    const { content } = item
    if (content instanceof Y.ContentFormat) {
      if (content.value === null) open.delete(content.key)
      else if (changeMark.test(content.key) || threadMark.test(content.key)) open.set(content.key, content)
      isNoted = false
    } else if (!isNoted) {
      note(open.values(), ids)
      isNoted = true
    }
  }
}

function note(markers: Iterable<Y.ContentFormat>, ids: ReviewIds): void {
  for (const marker of markers) {
    const change = changeIdOf(marker)
    const thread = threadMark.test(marker.key) ? idIn(marker.value, 'threadId') : undefined
    if (change !== undefined) ids.changes.add(change)
    if (thread !== undefined) ids.threads.add(thread)
  }
}

function idIn(value: unknown, key: 'id' | 'threadId'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const id: unknown = Reflect.get(value, key)
  return isReviewId(id) ? id : undefined
}
