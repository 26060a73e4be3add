import type { Node } from 'prosemirror-model'

/** A search query. */
export type Query = { text: string; matchCase: boolean; wholeWord: boolean }

/** The matches in one text block: the position of its content, and start and end of each match, relative to that. */
export type BlockMatches = { start: number; block: Node; spans: readonly (readonly [number, number])[] }

/** Searches successive documents for the same query; unchanged blocks are searched only once. */
export type Search = (doc: Node) => BlockMatches[]

/** Prepares a search; null if the query is empty. Matches don't span blocks, mentions, formulas or line breaks. */
export function createSearch({ text, matchCase, wholeWord }: Query): Search | null {
  if (text === '') return null
  const words = text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  const pattern = wholeWord ? String.raw`(?<![\p{L}\p{N}_])${words}(?![\p{L}\p{N}_])` : words
  const expression = new RegExp(pattern, matchCase ? 'gu' : 'giu')
  const known = new WeakMap<Node, BlockMatches['spans']>()
  const read = (block: Node) => {
    const spans = known.get(block) ?? findSpans(block, expression)
    known.set(block, spans)
    return spans
  }
  return (doc) => {
    const found: BlockMatches[] = []
    doc.descendants((node, position) => {
      if (!node.isTextblock) return true
      const spans = read(node)
      if (spans.length > 0) found.push({ start: position + 1, block: node, spans })
      return false
    })
    return found
  }
}

function findSpans(block: Node, expression: RegExp): BlockMatches['spans'] {
  const text = block.textBetween(0, block.content.size, undefined, '\ufffc')
  return [...text.matchAll(expression)].map(({ index, 0: match }) => [index, index + match.length] as const)
}

/** A match with its positions in the document and its number, counted from 0. */
export type Match = { from: number; to: number; number: number }

/** How many matches there are. */
export function countMatches(found: readonly BlockMatches[]): number {
  return found.reduce((count, { spans }) => count + spans.length, 0)
}

/** The match with this number. */
export function matchNumber(found: readonly BlockMatches[], number: number): Match | null {
  let before = 0
  for (const { start, spans } of found) {
    const span = spans[number - before]
    if (span) return { from: start + span[0], to: start + span[1], number }
    before += spans.length
  }
  return null
}

/** The first match that begins at or after a position, else the first of the document. */
export function matchFrom(found: readonly BlockMatches[], position: number): Match | null {
  let before = 0
  for (const { start, spans } of found) {
    const index = spans.findIndex(([from]) => start + from >= position)
    const span = spans[index]
    if (span) return { from: start + span[0], to: start + span[1], number: before + index }
    before += spans.length
  }
  return matchNumber(found, 0)
}

/** The matches that touch a range of the document. */
export function matchesBetween(found: readonly BlockMatches[], from: number, to: number): Match[] {
  const matches: Match[] = []
  let before = 0
  for (const { start, block, spans } of found) {
    if (start > to) break
    if (start + block.content.size >= from) {
      spans.forEach((span, index) => {
        matches.push({ from: start + span[0], to: start + span[1], number: before + index })
      })
    }
    before += spans.length
  }
  return matches
}
