import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { isReviewMark, presentReviewIds, type ReviewIds } from '../review/review-ids.ts'
import type { DecodedUpdate } from '../store/decode-update.ts'
import type { ListedItem, TrialIntegration } from '../store/trial-integration.ts'
import { addIntroducedIds } from './introduced-changes.ts'

/**
 * How much review one update may bring and one document may hold. People stay far below: an agent's run suggests some
 * thousand changes in a book, a chapter is pasted with five hundred, a long document has three hundred comments.
 */
export const reviewLimits = {
  /** Suggested changes, and comment threads, that one update names, and that stand in one document. */
  ids: 10_000,
  /** Marks of the review on one character. */
  marksAtOnePlace: 100,
  /** Marks of the review on all pieces of one text: a piece goes from one marker to the next. */
  marksInText: 50_000,
} as const

/** So many ids go by between two counts of all that a document holds, which takes some milliseconds for a large one. */
const idsBetweenCounts = 500
/** Before the first count: whoever writes in an open document for the first time hardly suggests more. */
const idsBeforeFirstCount = 50

/**
 * How many comments and suggested changes stand in an open document. Every editor, the server's listing and each
 * decision work through all marks of a document.
 */
export class ReviewCount {
  readonly #doc: Y.Doc
  /** Ids that may stand in the document: those of the last count, and all that have come since. */
  #here: ReviewIds = { changes: new Set(), threads: new Set() }
  #isCounted = false

  constructor(doc: Y.Doc) {
    this.#doc = doc
  }

  /** Why the ids that an update brings may not come into the document, a sentence for its sender, or undefined. */
  add(brought: ReviewIds): string | undefined {
    const limit = this.#isCounted ? reviewLimits.ids + idsBetweenCounts : idsBeforeFirstCount
    const isFull = kinds.some((kind) => {
      const fresh = brought[kind].difference(this.#here[kind])
      return fresh.size > 0 && this.#here[kind].size + fresh.size > limit
    })
    if (isFull) {
      this.#here = presentReviewIds(this.#doc.getXmlFragment(contentTypes.fragment))
      this.#isCounted = true
      const over = kinds.find((kind) => {
        // What was stored before there was a limit may be changed, and made less.
        const fresh = brought[kind].difference(this.#here[kind])
        return fresh.size > 0 && this.#here[kind].size + fresh.size > reviewLimits.ids
      })
      if (over) return `more than ${reviewLimits.ids} ${names[over]} in the document. ${hints[over]}`
    }
    for (const kind of kinds) for (const id of brought[kind]) this.#here[kind].add(id)
    return undefined
  }
}

const kinds = ['changes', 'threads'] as const
const names = { changes: 'suggested changes', threads: 'comment threads' }
const hints = { changes: 'Accept or reject some first.', threads: 'Copy the text without its comments.' }

/**
 * The comments and suggested changes that one update brings, and the texts in which it changes where one begins or
 * ends. Where marks overlap, editors work for each piece of text through all that lie on it.
 */
export class BroughtReview {
  readonly ids: ReviewIds = { changes: new Set(), threads: new Set() }
  readonly #texts = new Set<Y.XmlText>()
  /** How many items were looked at. */
  looked = 0

  /** Counts an item, which will be in `parent` under `key`. Says why there are too many as soon as that is so. */
  note({ content }: Y.Item, parent: unknown, key: string | null): string | undefined {
    addIntroducedIds({ content, parentSub: key }, this.ids)
    if (content instanceof Y.ContentFormat && isReviewMark(content.key) && parent instanceof Y.XmlText) {
      this.#texts.add(parent)
    }
    const kind = kinds.find((each) => this.ids[each].size > reviewLimits.ids)
    return kind && `more than ${reviewLimits.ids} ${names[kind]} in one update. Send them in several updates.`
  }

  /** Why the marks would lie on one another too often in a text once all items are in their places. */
  checkOverlaps({ ds }: DecodedUpdate, doc: Y.Doc, trial: TrialIntegration): string | undefined {
    this.#noteDeleted(ds, doc)
    for (const text of this.#texts) {
      const after = this.#count(trial.itemsOf(text), (item) => !item.deleted && !isDeleted(ds, item))
      if (after.deepest <= reviewLimits.marksAtOnePlace && after.all <= reviewLimits.marksInText) continue
      const before = this.#count(trial.itemsOf(text), (item) => !item.deleted && !item.isNew)
      // What was stored before there was a limit may be changed, and made less.
      if (after.deepest > Math.max(before.deepest, reviewLimits.marksAtOnePlace)) {
        return `${after.deepest} comments and suggested changes on one character; at most ${reviewLimits.marksAtOnePlace}.`
      }
      if (after.all > Math.max(before.all, reviewLimits.marksInText)) {
        return `${after.all} marks of comments and suggested changes in one text; at most ${reviewLimits.marksInText}. Part it.`
      }
    }
    return undefined
  }

  /** Notes the texts in which marks are deleted. */
  #noteDeleted(ds: DecodedUpdate['ds'], { store }: Y.Doc): void {
    for (const [client, ranges] of ds.clients) {
      const structs = store.clients.get(client) ?? []
      const state = Y.getState(store, client)
      for (const { clock, len } of ranges) {
        if (clock >= state) continue
        for (let at = Y.findIndexSS(structs, clock); at < structs.length; at++) {
          const struct = structs[at]
          if (!struct || struct.id.clock >= clock + len) break
          this.looked += 1
          if (!(struct instanceof Y.Item) || struct.deleted) continue
          const { content, parent } = struct
          if (content instanceof Y.ContentFormat && isReviewMark(content.key) && parent instanceof Y.XmlText) {
            this.#texts.add(parent)
          }
        }
      }
    }
  }

  #count(items: Iterable<ListedItem>, isThere: (item: ListedItem) => boolean): Overlaps {
    const open = new Set<string>()
    const found = { deepest: 0, all: 0 }
    let isCounted = false
    for (const item of items) {
      this.looked += 1
      if (!isThere(item)) continue
      const { content } = item
      if (content instanceof Y.ContentFormat) {
        // Formats part a text, too.
        isCounted = false
        if (content.value === null) open.delete(content.key)
        else if (isReviewMark(content.key)) open.add(content.key)
      } else if (!isCounted) {
        isCounted = true
        found.deepest = Math.max(found.deepest, open.size)
        found.all += open.size
      }
    }
    return found
  }
}

/** What lies on a text: on the character with the most marks of the review, and on all of its pieces. */
type Overlaps = { deepest: number; all: number }

function isDeleted(ds: DecodedUpdate['ds'], { id, length }: ListedItem): boolean {
  return Y.isDeleted(ds, new Y.ID(id.client, id.clock)) && Y.isDeleted(ds, new Y.ID(id.client, id.clock + length - 1))
}
