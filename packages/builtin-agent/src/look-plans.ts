import { find, onEach, readPages } from './find.ts'
import { countOf, helpText, quote } from './messages.ts'
import { ask, change, once, type Plan, type Plans, stop } from './plan.ts'
import { findPlaces, readBlocks, withoutMarker } from './results.ts'
import type { Target } from './terms.ts'

/** Plans that point at something or answer a question. */
export const lookPlans: Plans = {
  highlight({ target, word }) {
    const color = word('color') === '' ? {} : { color: word('color') }
    return onEach('highlight_text', target, `highlighted ${quote(target.find)}`, () => color)
  },
  point: ({ target, word }) => point(target, word('select') === '' ? {} : { select: true }),
  help: () => stop(helpText),
  outline,
  countWords: () =>
    once('get_document_info', {}, (result) => {
      const words = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(result)?.[1] ?? 0)
      return `The document has ${countOf(words, 'word')}.`
    }),
  read: () =>
    once('read_document', {}, (result) => {
      const lines = readBlocks(result).map(({ text }) => text)
      return listed(lines, 20) || 'The document is empty.'
    }),
  find: ({ target: { find: query }, word }) =>
    once('search_document', { query }, (result) => {
      const blocks = readBlocks(result).filter((block) => findPlaces([block], query, true).length > 0)
      const total = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
      if (total === 0) return `${quote(query)} does not occur in the document.`
      const lines = blocks.map(({ text }) => `- ${quote(text)}`)
      const head = `${quote(query)} occurs ${countOf(total, 'time')}`
      return word('count') !== '' || lines.length === 0 ? `${head}.` : `${head}:\n${listed(lines, 10)}`
    }),
}

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
  const found = target.isSelection ? undefined : yield* find(target)
  const wanted = target.find.toLowerCase()
  const heading = found?.blocks.find(({ text }) => text.startsWith('#') && withoutMarker(text).toLowerCase() === wanted)
  const shown = heading?.number ?? found?.hits.at(-1)?.block
  const selected = found ? '' : yield* ask('read_selection')
  const block = found ? shown : Number(/^Selected in blocks? \[(\d+)\]/.exec(selected.trimStart())?.[1] ?? NaN)
  if (block === undefined || Number.isNaN(block)) return `I can not tell where ${quote(target.find)} is.`
  const line = `${'select' in select ? 'selected the block with' : 'showed you'} ${quote(target.find)}`
  return yield* change('scroll_to', [{ block, ...select }], line)
}

function listed(lines: readonly string[], most: number): string {
  const more = lines.length > most ? [`…and ${countOf(lines.length - most, 'more block')}`] : []
  return [...lines.slice(0, most), ...more].join('\n')
}
