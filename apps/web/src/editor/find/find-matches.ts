import type { Node } from 'prosemirror-model'

/** A search query. */
export type Query = { text: string; matchCase: boolean; wholeWord: boolean }

type Span = readonly [number, number]

/**
 * The matches in one text block, or in the caption of an image: the position of its content, or that of the image, and
 * start and end of each match in the text.
 */
export type BlockMatches = { start: number; block: Node; spans: readonly Span[] }

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
      const start = startOfText(node, position)
      if (start === undefined) return true
      const spans = read(node)
      if (spans.length > 0) found.push({ start, block: node, spans })
      return false
    })
    return found
  }
}

/** The `start` of a node in `BlockMatches`; undefined for a node that has no text itself. */
export function startOfText(node: Node, position: number): number | undefined {
  if (node.type.name === 'image') return position
  return node.isTextblock ? position + 1 : undefined
}

function findSpans(block: Node, expression: RegExp): BlockMatches['spans'] {
  const text = block.isLeaf ? captionOf(block) : block.textBetween(0, block.content.size, undefined, '\ufffc')
  return [...text.matchAll(expression)].map(({ index, 0: match }) => [index, index + match.length] as const)
}

/** The caption of an image; empty if it has none. */
export function captionOf({ attrs: { title } }: Node): string {
  return typeof title === 'string' ? title : ''
}

/**
 * A match with its positions in the document and its number, counted from 0. In a caption the positions are those of
 * the image, and `caption` is its place in the caption.
 */
export type Match = { from: number; to: number; number: number; caption?: Span }

function matchAt({ start, block }: BlockMatches, span: Span, number: number): Match {
  if (block.isLeaf) return { from: start, to: start + block.nodeSize, number, caption: span }
  return { from: start + span[0], to: start + span[1], number }
}

export function countMatches(found: readonly BlockMatches[]): number {
  return found.reduce((count, { spans }) => count + spans.length, 0)
}

/** The match with this number. */
export function matchNumber(found: readonly BlockMatches[], number: number): Match | null {
  let before = 0
  for (const matches of found) {
    const span = matches.spans[number - before]
    if (span) return matchAt(matches, span, number)
    before += matches.spans.length
  }
  return null
}

/** The first match that begins at or after a position, else the first of the document. */
export function matchFrom(found: readonly BlockMatches[], position: number): Match | null {
  let before = 0
  for (const matches of found) {
    const { spans } = matches
    const index = spans.findIndex((span) => matchAt(matches, span, 0).from >= position)
    const span = spans[index]
    if (span) return matchAt(matches, span, before + index)
    before += spans.length
  }
  return matchNumber(found, 0)
}

/** The matches that overlap a range of the document. */
export function matchesBetween(found: readonly BlockMatches[], from: number, to: number): Match[] {
  const matches: Match[] = []
  let before = 0
  for (const inBlock of found) {
    const { start, block, spans } = inBlock
    if (start > to) break
    if (start + block.content.size >= from) {
      spans.forEach((span, index) => matches.push(matchAt(inBlock, span, before + index)))
    }
    before += spans.length
  }
  return matches
}
