import { readFences } from '../../fence.ts'
import { changedArgumentsNote } from '../../loop/loop-messages.ts'

/** A block as a tool showed it: its number and its markdown, for a code block over several lines. */
export type ShownBlock = { number: number; text: string }

/**
 * The parsed result of a search: the blocks it showed, the number of matches it claims, and whether it left some out.
 */
export type SearchReading = { blocks: ShownBlock[]; claimed: number | undefined; isPartial: boolean }

const blockLine = /^\s*(?:[>*→•-]\s*)?\[(\d+)\] ?(.*)$/

const noteStart = changedArgumentsNote('', {}).split('\n', 1)[0] ?? ''

/** Removes the fences from the text of a tool result, and the note on a person's decision in front of it. */
export function plainResult(text: string): string {
  const parts = readFences(text)
  const own = text.startsWith(noteStart) ? parts.slice(2) : parts
  return own.map((part) => part.text).join('\n')
}

/** The arguments with which a call was executed, if a person changed them before approval. */
export function changedArguments(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith(noteStart)) return undefined
  const given = readFences(text)[1]?.text ?? ''
  try {
    const parsed: unknown = JSON.parse(given)
    return typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : undefined
  } catch {
    return undefined
  }
}

/** The first line of a result for people: without block numbers, which people don't see. */
export function readSentence(text: string): string {
  return withoutNumbers(plainResult(text).trim().split('\n')[0] ?? '').slice(0, 600)
}

function withoutNumbers(line: string): string {
  const numbers = String.raw`\[\d+\](?: \(\d+ times\))?`
  return line
    .replaceAll(
      new RegExp(`,? (?:in|of|at|to|from) (?:the )?blocks? ${numbers}(?:(?:,| to| and) ${numbers})*`, 'g'),
      '',
    )
    .replaceAll(
      new RegExp(`\\b([Bb])lock ${numbers}`, 'g'),
      (_, first: string) => `${first === 'B' ? 'The' : 'the'} block`,
    )
    .replaceAll(/^\[\d+\] /g, '')
}

/** The blocks in a result, each once, in document order. */
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

/** Parses a search result, independent of its wording. */
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

/**
 * One match of a text: its block, its capitalisation, whether it is a separate word, and whether deleting it would
 * leave two spaces.
 */
export type FoundPlace = { block: number; variant: string; isWord: boolean; isBetweenSpaces: boolean }

/** Every match of a text in the given blocks, in document order. */
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

// Link addresses and the backslashes of markdown are not part of the text that tools search.
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
  return withoutNumbers(line.replace(/^(?:error:?\s*)?\(?[a-z]+(?:_[a-z]+)*\)?:\s+/i, '')).slice(0, 200)
}

/** The number before or after a noun: `words: 12`, `12 words`. */
export function readNumber(text: string, noun: string): number | undefined {
  // The text of the document, including its title, is not part of the report about it.
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

/**
 * The selection as `read_selection` shows it: the text, its block (if it is within one) and the index of the occurrence
 * there.
 */
export type Selected = { text: string; block?: number; occurrence?: number }

/** Parses the result of `read_selection`; undefined if the selection isn't shown as a whole. */
export function readSelected(result: string): Selected | undefined {
  const pattern =
    /^Selected in blocks? \[(\d+)\]( to \[\d+\])?: "([\s\S]*?)"\nBlock \[\1\]: ([\s\S]*?)\nFormatting: .*\nBefore it: "([\s\S]*?)"\nAfter it: "/
  const match = pattern.exec(plainResult(result).trimStart())
  const [, block, more, text = '', blockText = '', before = ''] = match ?? []
  if (block === undefined || text === '') return undefined
  if (more !== undefined) return { text }
  const places: number[] = []
  for (let at = blockText.indexOf(text); at >= 0; at = blockText.indexOf(text, at + text.length)) places.push(at)
  const number = places.findIndex((at) => isBefore(blockText.slice(0, at), before))
  return places.length > 1 && number >= 0
    ? { text, block: Number(block), occurrence: number + 1 }
    : { text, block: Number(block) }
}

// Only the end of the preceding text is shown, and it may begin in an earlier block.
function isBefore(start: string, shown: string): boolean {
  return (
    start.endsWith(shown) || (shown.endsWith(start) && start !== '') || (start === '' && /^(?:|[\s\S]*\n)$/.test(shown))
  )
}
