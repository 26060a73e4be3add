import type { Selection } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import {
  caretAt,
  type CaretPosition,
  findQuote,
  flatTextOf,
  type LiveSelection,
  type Range,
  resolveSelection,
} from '@copydesk/tools'
import * as Y from 'yjs'
import { type Refusal, refuse } from '../common/errors.ts'
import type { Content } from './content.ts'

/** A reference to a range of the text: a selection, which takes precedence, or a quote that occurs once. */
export type Pointer = { quote?: string | undefined; selection?: LiveSelection | undefined }

const countedOccurrences = 1000

/**
 * The range to which `pointer` refers. Refused as `not_found` if it doesn't exist, as `ambiguous` if the quote occurs
 * several times and no selection decides. If the text of a selection was deleted, the quote is used, if there is one. A
 * caret without a selection has no text; selected cells are several `ranges`, which `range` spans.
 */
export function findPlace(
  content: Content,
  pointer: Pointer,
): { ok: true; range: Range; ranges: readonly Range[] } | Refusal {
  const found = findSelected(content, pointer)
  return found.ok ? { ranges: [found.range], ...found } : found
}

function findSelected(
  content: Content,
  { quote, selection }: Pointer,
): { ok: true; range: Range; ranges?: readonly Range[] } | Refusal {
  const selected = selection && resolveSelection(selection, content.fragment, content.reader)
  if (selected && selected.from < selected.to) return { ok: true, range: selected, ranges: selected.ranges }
  // An image has no text that could be quoted.
  if (quote) return findOnly(content, quote)
  if (selected) return { ok: true, range: selected }
  return refuse('not_found', 'What was selected is no longer in the document.', 'Select the text again.')
}

function findOnly(content: Content, quote: string): { ok: true; range: Range } | Refusal {
  const places = occurrencesOf(content, quote)
  const [first] = places
  if (places.length > 1) {
    const count = places.length < countedOccurrences ? String(places.length) : `at least ${countedOccurrences}`
    return refuse(
      'ambiguous',
      localizable`This text occurs ${count} times in the document.`,
      'Quote more of the text around it, or send a selection that says which one is meant.',
    )
  }
  if (first) return { ok: true, range: first }
  // The quote may occur with other quotation marks, dashes or spaces.
  const similar = findQuote(content.node, { quote, prefix: '', suffix: '' })
  if (similar) return { ok: true, range: similar }
  return refuse('not_found', 'This text is not in the document.', 'Quote it exactly as it is in one paragraph.')
}

function occurrencesOf({ node }: Content, quote: string): Range[] {
  const flat = flatTextOf(node)
  const places: Range[] = []
  for (let at = flat.text.indexOf(quote); at >= 0; at = flat.text.indexOf(quote, at + quote.length)) {
    const range = flat.positionsOf({ from: at, to: at + quote.length })
    if (range) places.push(range)
    if (places.length >= countedOccurrences) break
  }
  return places
}

/** A range as a wire-format selection. `content` must be the current document. */
export function toSelection({ view, fragment, reader }: Content, { from, to }: Range): Selection {
  const { anchor } = caretAt(from, view, fragment, reader)
  const { head } = caretAt(to, view, fragment, reader)
  return encodeSelection({ anchor, head })
}

/** Two relative positions as JSON, as stored in awareness, as a wire-format selection. */
export function encodeSelection({ anchor, head }: CaretPosition): Selection {
  const encode = (position: unknown): string =>
    Buffer.from(Y.encodeRelativePosition(Y.createRelativePositionFromJSON(position))).toString('base64')
  return { anchor: encode(anchor), head: encode(head) }
}
