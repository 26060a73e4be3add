import { type Entry, entry } from './command.ts'
import { find, onEach, readPages } from './find.ts'
import { countOf, helpText, quote } from './messages.ts'
import { ask, change, once, type Plan, type Steps, stop } from './plan.ts'
import { findPlaces, readBlocks, readSelected, withoutMarker } from './results.ts'
import type { Target } from './terms.ts'

const part = '(section|heading|part|chapter)'

/** Commands that point at something or answer a question. */
export const lookCommands: readonly Entry[] = [
  entry(
    'highlight',
    ['highlight {passage}( (in|with) (?<color>yellow|green|blue|pink|orange))?'],
    ({ target, word }) => {
      const color = word('color') === '' ? {} : { color: word('color') }
      return onEach('highlight_text', target, `highlighted ${quote(target.find)}`, () => color)
    },
  ),
  entry(
    'point',
    [
      `((scroll|go|jump|navigate)( (down|up|back))? to|(take|bring) me to|(?<select>select))( (the )?${part}( (about|on|called|named))?)? {passage}( ${part})?`,
    ],
    ({ target, word }) => point(target, word('select') === '' ? {} : { select: true }),
  ),
  entry('help', ['((help|\\?|what can you do|who are you|how do you work|commands|hello|hi|hey)\\b.*)?'], () =>
    stop(helpText),
  ),
  entry('undo', ['(undo|take (it|that) back|revert)\\b.*'], () => {
    return { unsure: 'Press Undo at the answer that changed it: what people wrote since stays.' }
  }),
  entry(
    'outline',
    [
      '(summari[sz]e|outline|tl;?dr|overview)\\b.*',
      "((give|show|tell) (me |us )?(an? |the )?(outline|summary|overview)|what( is|'s) (this|the) (document|text|page)? ?about).*",
    ],
    () => outline(),
  ),
  entry('count-words', ['(how (many words|long)\\b|word ?count\\b|count (the )?words?\\b).*'], () =>
    once('get_document_info', {}, (result) => {
      const words = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(result)?.[1] ?? 0)
      return `The document has ${countOf(words, 'word')}.`
    }),
  ),
  entry('read', ['(read|show)( me)?( (the|this|whole|entire))*( (document|text|page|it|all))?'], () =>
    once(
      'read_document',
      {},
      (result) => listed(readBlocks(result), 20, ({ text }) => text) || 'The document is empty.',
    ),
  ),
  entry(
    'find',
    [
      '(?<count>how (many times|often) (does|do|is|has)|count( the)?( occurrences of| how often)?) {plain}( (occurs?|appears?|used|come up|there))?',
      '(find|search( for)?|look for|locate|where (is|are|does it say)|show me) {plain}',
    ],
    ({ text: query, word }) =>
      once('search_document', { query }, (result) => {
        const blocks = readBlocks(result).filter((block) => findPlaces([block], query, true).length > 0)
        const total = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
        if (total === 0) return `${quote(query)} does not occur in the document.`
        const head = `${quote(query)} occurs ${countOf(total, 'time')}`
        if (word('count') !== '' || blocks.length === 0) return `${head}.`
        return `${head}:\n${listed(blocks, 10, ({ text }) => `- ${quote(text)}`)}`
      }),
  ),
]

function* outline(): Plan {
  const { blocks, header } = yield* readPages(4)
  const headings = blocks.flatMap(({ text }) => {
    const [, marks, title] = /^(#{1,6}) +(.+)$/.exec(text) ?? []
    return marks ? [`${'  '.repeat(marks.length - 1)}- ${title}`] : []
  })
  const [size] = /^\d+ blocks?, \d+ words?$/m.exec(header) ?? []
  if (!size || size.endsWith(' 0 words')) return 'The document is empty.'
  return [`${size}, ${countOf(headings.length, 'heading')}`, ...headings.slice(0, 40)].join('\n')
}

// Shows a heading with the words of a target, or else the first place.
function* point(target: Target, select: object): Plan {
  const block = target.isSelection ? readSelected(yield* ask('read_selection'))?.block : yield* blockOf(target)
  if (block === undefined) return `I can not tell where ${quote(target.find)} is.`
  const line = `${'select' in select ? 'selected the block with' : 'showed you'} ${quote(target.find)}`
  return yield* change([{ name: 'scroll_to', arguments: { block, ...select } }], line)
}

function* blockOf(target: Target): Steps<number | undefined> {
  const { blocks, hits } = yield* find(target)
  const wanted = target.find.toLowerCase()
  const heading = blocks.find(({ text }) => text.startsWith('#') && withoutMarker(text).toLowerCase() === wanted)
  return heading?.number ?? hits.at(-1)?.block
}

function listed<T>(all: readonly T[], most: number, toLine: (each: T) => string): string {
  const more = all.length > most ? [`…and ${countOf(all.length - most, 'more block')}`] : []
  return [...all.slice(0, most).map(toLine), ...more].join('\n')
}
