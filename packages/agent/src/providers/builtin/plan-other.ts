import type { Command, List, Place } from './command.ts'
import { nextPage, pagesOf } from './pages.ts'
import { reportChanges } from './report.ts'
import { readBlocks, readError, readNumber, readSearch, findPlaces, plainResult } from './results.ts'
import { callOf, resultOf } from './turn.ts'
import type { Exchanged, Move, Turn } from './turn.ts'
import { countOf, quote } from './builtin-messages.ts'

const maxPages = 4

/** Inserts text at an end of the document or next to a text, and reports it. */
export function planInsert(command: Extract<Command, { kind: 'insert' }>, turn: Turn): Move {
  if (!turn.offers('insert_text')) return { text: 'I can not add text here, so I have changed nothing.' }
  const done = resultOf(turn, 'insert_text')
  if (!done) {
    const as = command.as ? { as: command.as } : {}
    return callOf('insert_text', { position: positionOf(command.place), content: spaced(command), ...as })
  }
  if (done.result.isError) return { text: `- Not added: ${readError(done.result.text)}` }
  const line = `added ${quote(command.content)} ${nameOf(command.place)}`
  return { text: reportChanges([done], turn, () => ({ line })).join('\n') }
}

function positionOf(place: Place): Record<string, unknown> {
  switch (place.kind) {
    case 'absolute':
      return { type: 'absolute', location: place.location }
    case 'selection':
      return { type: 'selection' }
    case 'relative':
      return { type: 'relative', anchor: place.anchor, placement: place.placement, ...place.which }
  }
}

function nameOf(place: Place): string {
  if (place.kind === 'relative') return `${place.placement} ${quote(place.anchor)}`
  return place.kind === 'absolute' ? `at the ${place.location}` : 'where you are'
}

/** Replaces a text by a list: inserts the list after the text, and deletes the text only once the list exists. */
export function planList(command: List, turn: Turn): Move {
  if (!turn.offers('insert_text') || !turn.offers('edit_document')) {
    return { text: 'I can not change the text here, so I have changed nothing.' }
  }
  const inserted = resultOf(turn, 'insert_text')
  if (!inserted) {
    const position = { type: 'relative', anchor: command.text, placement: 'after', occurrence: 'first' }
    return callOf('insert_text', { position, content: command.content, as: 'block' })
  }
  if (inserted.result.isError) return { text: `- Not made a list: ${readError(inserted.result.text)}` }
  const removed = resultOf(turn, 'edit_document')
  if (!removed) return callOf('edit_document', { find: command.text, replace: '', occurrence: 'first' })
  if (removed.result.isError)
    return { text: `- added the list, but the text before it stays: ${readError(removed.result.text)}` }
  return { text: `- made ${quote(command.text)} a list` }
}

/** Reports counts in one line and the headings. Says that this is no summary: writing one requires a model. */
export function planOutline(turn: Turn): Move {
  const pages = pagesOf(turn)
  const next = nextPage(turn, maxPages)
  if (next) return next
  const first = pages[0]
  if (!first || first.result.isError) return cannotRead(first)
  const blocks = pages.flatMap((page) => readBlocks(page.result.text))
  const headings = blocks.flatMap((block) => {
    const match = /^(#{1,6}) +(.+)$/.exec(block.text)
    return match ? [`${'  '.repeat(Math.max(0, (match[1]?.length ?? 1) - 1))}- ${match[2]}`] : []
  })
  const words = readNumber(first.result.text, 'word') ?? countWords(blocks.map((block) => block.text))
  const counts = [
    countOf(readNumber(first.result.text, 'block') ?? blocks.length, 'block'),
    countOf(words, 'word'),
    countOf(headings.length, 'heading'),
  ].join(', ')
  if (blocks.length === 0 || words === 0) return { text: 'The document is empty.' }
  return { text: [counts, ...headings.slice(0, 40)].join('\n') }
}

/** Reports the number of words. */
export function planCountWords(turn: Turn): Move {
  const asked = resultOf(turn, 'get_document_info')
  if (!asked && turn.offers('get_document_info')) return callOf('get_document_info', {})
  const words = asked && !asked.result.isError ? readNumber(asked.result.text, 'word') : undefined
  if (words !== undefined) return { text: `The document has ${countOf(words, 'word')}.` }
  const pages = pagesOf(turn)
  const next = nextPage(turn, maxPages)
  if (next) return next
  if (!pages[0] || pages[0].result.isError) return cannotRead(pages[0])
  const texts = pages.flatMap((page) => readBlocks(page.result.text)).map((block) => block.text)
  const counted = readNumber(pages[0].result.text, 'word') ?? countWords(texts)
  return { text: `The document has ${countOf(counted, 'word')}.` }
}

/** Reports where a text occurs, or how often. */
export function planFind(command: Extract<Command, { kind: 'find' }>, turn: Turn): Move {
  if (!turn.offers('search_document')) return { text: 'I can not search here.' }
  const found = resultOf(turn, 'search_document')
  if (!found) return callOf('search_document', { query: command.query })
  if (found.result.isError) return { text: `- I could not search: ${readError(found.result.text)}` }
  const reading = readSearch(found.result.text)
  const places = findPlaces(reading.blocks, command.query, true)
  const total = Math.max(reading.claimed ?? 0, places.length)
  if (total === 0) return { text: `${quote(command.query)} does not occur in the document.` }
  const head = `${quote(command.query)} occurs ${countOf(total, 'time')}`
  if (command.counting) return { text: `${head}.` }
  const numbers = [...new Set(places.map((place) => place.block))]
  const shown = reading.blocks.filter((block) => numbers.includes(block.number)).slice(0, 10)
  const lines = shown.map((block) => `- ${quote(block.text)}`)
  const more = numbers.length > shown.length ? [`…and ${countOf(numbers.length - shown.length, 'more block')}`] : []
  return { text: [`${head}:`, ...lines, ...more].join('\n') }
}

/** Reports the text of the document or of some of its blocks. */
export function planRead(command: Extract<Command, { kind: 'read' }>, turn: Turn): Move {
  const read = resultOf(turn, 'read_document')
  if (!read && !turn.offers('read_document')) return { text: 'I can not read here.' }
  const range = command.from === undefined ? {} : { from: command.from, to: command.to ?? command.from }
  if (!read) return callOf('read_document', range)
  if (read.result.isError) return cannotRead(read)
  const blocks = readBlocks(read.result.text)
  const lines = blocks.slice(0, 20).map((block) => block.text)
  if (blocks.length > 20) lines.push(`…and ${countOf(blocks.length - 20, 'more block')}`)
  return { text: lines.join('\n') || plainResult(read.result.text) || 'The document is empty.' }
}

// A phrase next to a word needs a space between them; block markdown and scripts without spaces don't.
function spaced({ content, place }: Extract<Command, { kind: 'insert' }>): string {
  if (place.kind !== 'relative' || /^(?:#{1,6} |[-*] |\d+\. |> |```|\|)|\n/.test(content)) return content
  const [left, right] = place.placement === 'after' ? [place.anchor, content] : [content, place.anchor]
  const isTight = /[\s([{«“‘/-]$/.test(left) || /^[\s.,;:!?)\]}»”’/-]/.test(right)
  if (isTight || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(content)) return content
  return place.placement === 'after' ? ` ${content}` : `${content} `
}

function cannotRead(read: Exchanged | undefined): Move {
  return { text: read ? `- I could not read the document: ${readError(read.result.text)}` : 'I can not read here.' }
}

function countWords(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu)?.length ?? 0), 0)
}
