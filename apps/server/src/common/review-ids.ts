import { type NodeSuggestion, readSuggestions, readThreads } from '@copydesk/schema'
import * as Y from 'yjs'

/** The ids of threads and suggested changes that cover something in a document. */
export type ReviewIds = { threads: Set<string>; changes: Set<string> }

const changeMark = /^(insertion|deletion|formattingChange)(--.{8})?$/
const threadMark = /^comment(--.{8})?$/
const idPattern = /^[\w.:-]{1,64}$/

/**
 * Whether the value may be the id of a thread, a comment or a suggested change. Clients can write any id into the
 * content.
 */
function isReviewId(id: unknown): id is string {
  // The room's maps become plain objects, which already have keys like `constructor`.
  return typeof id === 'string' && idPattern.test(id) && !(id in Object.prototype)
}

/** The id of the suggested change that a formatting marker of Yjs opens, if it opens one. */
export function changeIdOf({ key, value }: Y.ContentFormat): string | undefined {
  return changeMark.test(key) ? idIn(value, 'id') : undefined
}

/** The id of the comment thread that a formatting marker of Yjs opens, if it opens one. */
export function threadIdOf({ key, value }: Y.ContentFormat): string | undefined {
  return threadMark.test(key) ? idIn(value, 'threadId') : undefined
}

/** The ids of the comment threads in a node's `threads` attribute. */
export function threadIdsOf(attribute: unknown): string[] {
  return readThreads(attribute).filter(isReviewId)
}

/** The ids of the suggested changes in a node's `suggestion` attribute. */
export function changeIdsOf(attribute: unknown): string[] {
  return readSuggestions(attribute).flatMap(({ id }) => (isReviewId(id) ? [id] : []))
}

/** The entries of a node's `suggestion` attribute, each with its stored form and the id of its change. */
export function changeEntriesOf(attribute: unknown): { id: string; entry: string; suggestion: NodeSuggestion }[] {
  return readSuggestions(attribute).flatMap((each) =>
    isReviewId(each.id) ? [{ id: each.id, entry: JSON.stringify(each), suggestion: each }] : [],
  )
}

/**
 * Whether a formatting marker of Yjs belongs to the review (a comment or a suggested change) rather than to formatting.
 */
export function isReviewMark(key: string): boolean {
  return changeMark.test(key) || threadMark.test(key)
}

/**
 * The review ids on visible text or nodes of a fragment. Reads the Yjs items directly, without building a ProseMirror
 * document; takes some milliseconds for a large document.
 */
export function presentReviewIds(fragment: Y.XmlFragment): ReviewIds {
  const ids: ReviewIds = { threads: new Set(), changes: new Set() }
  // Iterative: nested blocks may be deeper than the call stack.
  const pending: Y.XmlFragment[] = [fragment]
  for (let type = pending.pop(); type; type = pending.pop()) {
    for (let item = type._start; item; item = item.right) {
      if (!(item.content instanceof Y.ContentType) || item.deleted) continue
      const child: unknown = item.content.type
      if (child instanceof Y.XmlText) collectFromText(child, ids)
      else if (child instanceof Y.XmlElement) {
        for (const id of threadIdsOf(child.getAttribute('threads'))) ids.threads.add(id)
        for (const id of changeIdsOf(child.getAttribute('suggestion'))) ids.changes.add(id)
        pending.push(child)
      }
    }
  }
  return ids
}

// A marker may remain after its text is deleted: only markers that cover something count. Each marker is collected
// once, however many overlap.
function collectFromText(text: Y.XmlText, ids: ReviewIds): void {
  const open = new Map<string, Y.ContentFormat>()
  for (let item = text._start; item; item = item.right) {
    if (item.deleted) continue
    const { content } = item
    if (!(content instanceof Y.ContentFormat)) {
      for (const marker of open.values()) note(marker, ids)
      open.clear()
    } else if (content.value === null) open.delete(content.key)
    else if (isReviewMark(content.key)) open.set(content.key, content)
  }
}

function note(marker: Y.ContentFormat, ids: ReviewIds): void {
  const [change, thread] = [changeIdOf(marker), threadIdOf(marker)]
  if (change !== undefined) ids.changes.add(change)
  if (thread !== undefined) ids.threads.add(thread)
}

function idIn(value: unknown, key: 'id' | 'threadId'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const id: unknown = Reflect.get(value, key)
  return isReviewId(id) ? id : undefined
}
