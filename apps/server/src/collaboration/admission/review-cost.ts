import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { isReviewMark, presentReviewIds, type ReviewIds } from '../../common/review-ids.ts'
import type { DecodedUpdate } from '../../store/updates/decode-update.ts'
import { rangesOf, structsIn } from '../../store/updates/id-ranges.ts'
import type { ListedItem, TrialIntegration } from '../../store/updates/trial-integration.ts'
import { addIntroducedIds } from './introduced-changes.ts'

/**
 * Limits on the review marks that one update may introduce and one document may contain. Ordinary use stays far below:
 * an agent's run suggests some thousand changes in a book, a pasted chapter has five hundred, a long document has three
 * hundred comments.
 */
export const reviewLimits = {
  /** Suggested changes or comment threads, each counted separately, in one update and in one document. */
  ids: 10_000,
  /** Review marks on one character. */
  marksAtOnePlace: 100,
  /** Review marks, summed over all pieces of one text. A piece is the text between two markers. */
  marksInText: 50_000,
} as const

/** New ids between two counts of the whole document, which take some milliseconds in a large one. */
const idsBetweenCounts = 500
/** New ids before the first count: few updates after opening a document introduce more. */
const idsBeforeFirstCount = 50

/**
 * Counts the comments and suggested changes in an open document. Every editor, the server's listing and each decision
 * process all marks of a document.
 */
export class ReviewCount {
  readonly #doc: Y.Doc
  /** Ids that may be in the document: those of the last count, and all ids added since. */
  #present: ReviewIds = { changes: new Set(), threads: new Set() }
  #isCounted = false

  constructor(doc: Y.Doc) {
    this.#doc = doc
  }

  /**
   * Adds the ids that an update introduces. Returns the reason, a sentence for the sender, if they exceed a limit,
   * otherwise undefined.
   */
  add(introduced: ReviewIds): string | undefined {
    const limit = this.#isCounted ? reviewLimits.ids + idsBetweenCounts : idsBeforeFirstCount
    const isFull = kinds.some((kind) => {
      const fresh = introduced[kind].difference(this.#present[kind])
      return fresh.size > 0 && this.#present[kind].size + fresh.size > limit
    })
    if (isFull) {
      this.#present = presentReviewIds(this.#doc.getXmlFragment(contentTypes.fragment))
      this.#isCounted = true
      const over = kinds.find((kind) => {
        // Content stored before the limit existed may still be changed and reduced.
        const fresh = introduced[kind].difference(this.#present[kind])
        return fresh.size > 0 && this.#present[kind].size + fresh.size > reviewLimits.ids
      })
      if (over) return `more than ${reviewLimits.ids} ${names[over]} in the document. ${hints[over]}`
    }
    for (const kind of kinds) for (const id of introduced[kind]) this.#present[kind].add(id)
    return undefined
  }
}

const kinds = ['changes', 'threads'] as const
const names = { changes: 'suggested changes', threads: 'comment threads' }
const hints = { changes: 'Accept or reject some first.', threads: 'Copy the text without its comments.' }

/**
 * The comments and suggested changes that one update introduces, and the texts in which it moves the boundaries of one.
 * Where marks overlap, editors process all marks on each piece of text.
 */
export class IntroducedReview {
  readonly ids: ReviewIds = { changes: new Set(), threads: new Set() }
  readonly #texts = new Set<Y.XmlText>()
  /** The number of items examined. */
  examined = 0

  /** Counts an item that will be in `parent` under `key`. Returns the reason as soon as there are too many ids. */
  note({ content }: Y.Item, parent: unknown, key: string | null): string | undefined {
    addIntroducedIds({ content, parentSub: key }, this.ids)
    if (content instanceof Y.ContentFormat && isReviewMark(content.key) && parent instanceof Y.XmlText) {
      this.#texts.add(parent)
    }
    const kind = kinds.find((each) => this.ids[each].size > reviewLimits.ids)
    return kind && `more than ${reviewLimits.ids} ${names[kind]} in one update. Send them in several updates.`
  }

  /** The reason if too many marks would overlap in a text after all items are integrated, otherwise undefined. */
  checkOverlaps({ ds }: DecodedUpdate, doc: Y.Doc, trial: TrialIntegration): string | undefined {
    this.#noteDeleted(ds, doc)
    for (const text of this.#texts) {
      const after = this.#count(trial.itemsOf(text), (item) => !item.deleted && !isDeleted(ds, item))
      if (after.deepest <= reviewLimits.marksAtOnePlace && after.all <= reviewLimits.marksInText) continue
      const before = this.#count(trial.itemsOf(text), (item) => !item.deleted && !item.isNew)
      // Content stored before the limit existed may still be changed and reduced.
      if (after.deepest > Math.max(before.deepest, reviewLimits.marksAtOnePlace)) {
        return `${after.deepest} comments and suggested changes on one character; at most ${reviewLimits.marksAtOnePlace}.`
      }
      if (after.all > Math.max(before.all, reviewLimits.marksInText)) {
        return `${after.all} marks of comments and suggested changes in one text; at most ${reviewLimits.marksInText}. Split it.`
      }
    }
    return undefined
  }

  /** Notes the texts in which marks are deleted. */
  #noteDeleted(ds: DecodedUpdate['ds'], doc: Y.Doc): void {
    for (const range of rangesOf(ds)) {
      for (const { struct } of structsIn(doc, range)) {
        this.examined += 1
        if (!(struct instanceof Y.Item) || struct.deleted) continue
        const { content, parent } = struct
        if (content instanceof Y.ContentFormat && isReviewMark(content.key) && parent instanceof Y.XmlText) {
          this.#texts.add(parent)
        }
      }
    }
  }

  #count(items: Iterable<ListedItem>, isThere: (item: ListedItem) => boolean): Overlaps {
    const open = new Set<string>()
    const found = { deepest: 0, all: 0 }
    let isCounted = false
    for (const item of items) {
      this.examined += 1
      if (!isThere(item)) continue
      const { content } = item
      if (content instanceof Y.ContentFormat) {
        // Format markers also split a text.
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

/** Overlapping review marks in a text: the maximum on one character, and the sum over all pieces. */
type Overlaps = { deepest: number; all: number }

function isDeleted(ds: DecodedUpdate['ds'], { id, length }: ListedItem): boolean {
  return Y.isDeleted(ds, new Y.ID(id.client, id.clock)) && Y.isDeleted(ds, new Y.ID(id.client, id.clock + length - 1))
}
