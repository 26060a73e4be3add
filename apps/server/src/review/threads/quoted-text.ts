import type { Selection } from '@copydesk/protocol'
import { anchorOf, contextOf, findThreadRanges, type QuoteInContext, type Range } from '@copydesk/tools'
import type * as Y from 'yjs'
import { type Content, readContent } from '../content.ts'
import { toSelection } from '../place.ts'

const longestQuote = 2000

/**
 * The quote and context that a thread stores of its text, in one range or several in order: enough to show it and to
 * find it again.
 */
export function quoteOf({ node }: Content, ...ranges: readonly Range[]): QuoteInContext {
  const contexts = ranges.map(({ from, to }) => contextOf(node, from, to))
  const quote = contexts.map((context) => context.quote).join('\n')
  return {
    quote: quote.slice(0, longestQuote).toWellFormed(),
    prefix: contexts[0]?.prefix ?? '',
    suffix: contexts.at(-1)?.suffix ?? '',
  }
}

/**
 * Extends a caret without a selection to the block around it. Such a caret also remains when the selected text has just
 * been deleted.
 */
export function withText({ node }: Content, range: Range): Range {
  const $from = node.resolve(range.from)
  return range.from < range.to || !$from.parent.isTextblock ? range : { from: $from.start(), to: $from.end() }
}

/** The text block around the mention with this request id; `undefined` if there is none. */
export function blockOfMention({ node }: Content, requestId: string): Range | undefined {
  let found: Range | undefined
  node.descendants((child, pos, parent) => {
    if (found) return false
    if (child.type.name !== 'mention' || child.attrs.requestId !== requestId || !parent) return true
    const from = node.resolve(pos).start()
    found = { from, to: from + parent.content.size }
    return false
  })
  return found
}

/** The range of a thread in a content document, as a selection; `undefined` if it has none, or without the document. */
export function selectionOf(doc: Y.Doc | undefined, thread: string): Selection | undefined {
  const content = doc && readContent(doc)
  if (!content?.ok) return undefined
  const range = anchorOf(findThreadRanges(content.node).get(thread) ?? [])
  return range && toSelection(content, range)
}
