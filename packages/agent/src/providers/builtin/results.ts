import { readFences } from '../../fence.ts'

/** A block as a tool showed it: its number and its markdown, for a code block over several lines. */
export type ShownBlock = { number: number; text: string }

/**
 * What can be learned from the result of a search: the blocks it showed, how many matches it claims, and whether it
 * left some out.
 */
export type SearchReading = { blocks: ShownBlock[]; claimed: number | undefined; isPartial: boolean }

const blockLine = /^\s*(?:[>*→•-]\s*)?\[(\d+)\] ?(.*)$/

/** Takes the text of a tool result out of its fences. */
export function plainResult(text: string): string {
  return readFences(text)
    .map((part) => part.text)
    .join('\n')
}

/** The blocks in a result, each once, in the order of the document. */
export function readBlocks(text: string): ShownBlock[] {
  const blocks = new Map<number, ShownBlock>()
  let open: ShownBlock | undefined
  for (const line of plainResult(text).split('\n')) {
    const match = blockLine.exec(line)
    if (match) {
      open = { number: Number(match[1]), text: match[2] ?? '' }
      if (!blocks.has(open.number)) blocks.set(open.number, open)
    } else if (open && line.trim() !== '' && !isRemark(line)) {
      open.text += `\n${line}`
    } else if (line.trim() === '') {
      open = undefined
    }
  }
  return [...blocks.values()].sort((a, b) => a.number - b.number)
}

/** Reads a search result in whatever words it is told. */
export function readSearch(text: string): SearchReading {
  const remarks = plainResult(text)
    .split('\n')
    .filter((line) => !blockLine.test(line))
    .join('\n')
  const claim = /(\d+)\s+(?:[\w-]+\s+){0,2}?(?:match(?:es)?|occurrences?|results?|hits?)\b/i.exec(remarks)?.[1]
  const none =
    /\b(?:no|0|nothing|none)\b[^.\n]{0,40}\b(?:match(?:es)?|occurrences?|results?|found)\b|nothing found|not found/i
  const blocks = readBlocks(text)
  const claimed = claim === undefined ? (none.test(remarks) && blocks.length === 0 ? 0 : undefined) : Number(claim)
  return { blocks, claimed, isPartial: /\b(?:and )?\d+ more\b/i.test(remarks) }
}

/** One place where a text stands: in which block, in which capitals, whether as a word of its own, and whether
 * it would leave two spaces behind if it went. */
export type FoundPlace = { block: number; variant: string; isWord: boolean; isBetweenSpaces: boolean }

/** Every place of a text in the given blocks, in document order. */
export function findPlaces(blocks: readonly ShownBlock[], text: string, anyCase: boolean): FoundPlace[] {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const places: FoundPlace[] = []
  for (const block of blocks) {
    const visible = hideMarkup(block.text)
    for (const match of visible.matchAll(new RegExp(escaped, anyCase ? 'giu' : 'gu'))) {
      const variant = match[0]
      const before = visible.slice(0, match.index).match(/.$/u)?.[0] ?? ''
      const after = visible.slice(match.index + variant.length).match(/^./u)?.[0] ?? ''
      const isWord = !joins(before, variant) && !joins(variant, after)
      const isBetweenSpaces =
        /(?:^|\s)[*_~`]*$/.test(visible.slice(0, match.index)) &&
        /^[*_~`]*[ ]/.test(visible.slice(match.index + variant.length))
      places.push({ block: block.number, variant, isWord, isBetweenSpaces })
    }
  }
  return places
}

// Addresses of links and the backslashes of markdown are not part of the text that tools search.
function hideMarkup(markdown: string): string {
  return markdown.replaceAll(/\]\([^)\s]*\)/g, ']').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** The text of a block without the marker of its heading, list item or quotation. */
export function withoutMarker(text: string): string {
  return hideMarkup(text).replace(/^\s*(?:#{1,6}|[-*+](?: \[[ x]\])?|\d+[.)]|>)\s+/, '')
}

/** The first line of a failed result, without its code, for people. */
export function readError(text: string): string {
  const line = plainResult(text).trim().split('\n')[0] ?? ''
  return line.replace(/^(?:error:?\s*)?\(?[a-z]+(?:_[a-z]+)*\)?:\s+/i, '').slice(0, 200)
}

/** The number that stands before or after a noun: `words: 12`, `12 words`. */
export function readNumber(text: string, noun: string): number | undefined {
  // What the document itself says, its title included, is no report about it.
  const plain = plainResult(text)
    .split('\n')
    .filter((line) => !blockLine.test(line) && !/^title:/i.test(line))
    .join('\n')
  // Within one line only: in "blocks: 4, words: 19" on two lines the 4 doesn't belong to the words.
  const labelled = new RegExp(`\\b${noun}s?[ \\t]*[:=|][ \\t]*([\\d,.]*\\d)`, 'i').exec(plain)
  const match = labelled ?? new RegExp(`([\\d,.]*\\d)[ \\t]+${noun}s?\\b`, 'i').exec(plain)
  return match?.[1] === undefined ? undefined : Number(match[1].replaceAll(/[,.]/g, ''))
}

function joins(left: string, right: string): boolean {
  return /[\p{L}\p{N}]$/u.test(left) && /^[\p{L}\p{N}]/u.test(right)
}

// Lines that a tool adds around blocks, as opposed to the further lines of a code block.
function isRemark(line: string): boolean {
  return /^(?:…|\.\.\.|\(|next:|continue|read on|go on|more:)/i.test(line.trim())
}
