import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { isReviewMark, presentReviewIds, type ReviewIds } from '../review/review-ids.ts'
import { addIntroducedIds, findIntroducedIds } from './introduced-changes.ts'

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
 * Says why the review that an update brings costs too much, for one document that is open. Every editor, the server's
 * listing and each decision work through all marks of a document, and where marks overlap, for each piece of text
 * through all that lie on it.
 */
export class ReviewCost {
  /** Ids that may stand in the document: those of the last count, and all that have come since. */
  #here: ReviewIds = { changes: new Set(), threads: new Set() }
  #isCounted = false

  /**
   * Why a transaction is to be refused, a sentence for whoever sent it, or undefined. `items` are those that it added.
   * Costs nothing where no mark of the review comes or goes. Ask before Yjs collects what was deleted.
   */
  check(transaction: Y.Transaction, items: readonly Y.Item[]): string | undefined {
    const brought = findIntroducedIds(items)
    return tooManyAtOnce(brought) ?? checkOverlaps(transaction, items) ?? this.#checkDocument(transaction, brought)
  }

  #checkDocument(transaction: Y.Transaction, brought: ReviewIds): string | undefined {
    const fresh = without(brought, this.#here)
    for (const kind of kinds) for (const id of fresh[kind]) this.#here[kind].add(id)
    const limit = this.#isCounted ? reviewLimits.ids + idsBetweenCounts : idsBeforeFirstCount
    if (kinds.every((kind) => fresh[kind].size === 0 || this.#here[kind].size <= limit)) return undefined
    const fragment = transaction.doc.getXmlFragment(contentTypes.fragment)
    // Nobody has told which of them stood in the document when it was opened.
    const added = this.#isCounted
      ? fresh
      : without(
          fresh,
          presentReviewIds(fragment, (item) => wasThere(item, transaction)),
        )
    this.#here = presentReviewIds(fragment)
    this.#isCounted = true
    // What was stored before there was a limit may be changed, and made less.
    const over = kinds.find((kind) => this.#here[kind].size > reviewLimits.ids && added[kind].size > 0)
    if (over === undefined) return undefined
    for (const kind of kinds) for (const id of added[kind]) this.#here[kind].delete(id)
    return tooManyInDocument(over)
  }
}

const kinds = ['changes', 'threads'] as const
const names = { changes: 'suggested changes', threads: 'comment threads' }
const hints = { changes: 'Accept or reject some first.', threads: 'Copy the text without its comments.' }

function without(ids: ReviewIds, others: ReviewIds): ReviewIds {
  const left = (kind: keyof ReviewIds): Set<string> => new Set([...ids[kind]].filter((id) => !others[kind].has(id)))
  return { changes: left('changes'), threads: left('threads') }
}

/**
 * Counts what an update brings while it is being read, before any of it is applied: asked for one struct after the
 * other it answers why the update is to be refused, as soon as that is so.
 */
export function createBroughtCount(): (struct: Y.Item | Y.GC | Y.Skip) => string | undefined {
  const brought: ReviewIds = { changes: new Set(), threads: new Set() }
  return (struct) => {
    if (struct instanceof Y.Item) addIntroducedIds(struct, brought)
    return tooManyAtOnce(brought)
  }
}

function tooManyAtOnce(brought: ReviewIds): string | undefined {
  const kind = kinds.find((each) => brought[each].size > reviewLimits.ids)
  return kind && `more than ${reviewLimits.ids} ${names[kind]} in one update. Send them in several updates.`
}

function tooManyInDocument(kind: keyof ReviewIds): string {
  return `more than ${reviewLimits.ids} ${names[kind]} in the document. ${hints[kind]}`
}

/** What lies on a text: on the character with the most marks of the review, and on all of its pieces. */
type Overlaps = { deepest: number; all: number }

function checkOverlaps(transaction: Y.Transaction, items: readonly Y.Item[]): string | undefined {
  for (const text of findRemarked(transaction, items)) {
    const after = countOverlaps(text, ({ deleted }) => !deleted)
    if (after.deepest <= reviewLimits.marksAtOnePlace && after.all <= reviewLimits.marksInText) continue
    const before = countOverlaps(text, (item) => wasThere(item, transaction))
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

/** The texts in which a mark of the review begins or ends elsewhere than before. */
function findRemarked(transaction: Y.Transaction, items: readonly Y.Item[]): Set<Y.XmlText> {
  const texts = new Set<Y.XmlText>()
  const note = ({ parent, content }: Y.Item): void => {
    if (content instanceof Y.ContentFormat && parent instanceof Y.XmlText && isReviewMark(content.key))
      texts.add(parent)
  }
  for (const item of items) note(item)
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (struct instanceof Y.Item) note(struct)
  })
  return texts
}

function countOverlaps(text: Y.XmlText, isThere: (item: Y.Item) => boolean): Overlaps {
  const open = new Set<string>()
  const found = { deepest: 0, all: 0 }
  let isCounted = false
  for (let item = text._start; item; item = item.right) {
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

function wasThere({ id, deleted }: Y.Item, { beforeState, deleteSet }: Y.Transaction): boolean {
  return id.clock < (beforeState.get(id.client) ?? 0) && (!deleted || Y.isDeleted(deleteSet, id))
}
