import type { Command } from './command.ts'
import { findForCommand, isFound } from './find-places.ts'
import type { Hit } from './find-places.ts'
import { tellLimit } from './report.ts'
import { readError, readSearch, readSelected, withoutMarker } from './results.ts'
import { callOf, resultOf } from './turn.ts'
import type { Exchanged, Move, Turn } from './turn.ts'
import { quote } from './builtin-messages.ts'

// More highlights than this aren't useful.
const maxHighlights = 20

/** Highlights every match of a text, or the selection, for all users. */
export function planHighlight({ target, color }: Extract<Command, { kind: 'highlight' }>, turn: Turn): Move {
  if (!turn.offers('highlight_text')) return { text: 'I can not highlight anything here.' }
  const made = turn.rounds.flat().filter(({ call }) => call.name === 'highlight_text')
  if (made.length > 0) return { text: tellHighlights(made, target.find) }
  const inColor = color === undefined ? {} : { color }
  if (target.isSelection) return callOf('highlight_text', { selection: true, ...inColor })
  const found = findForCommand(target, turn)
  if (!isFound(found)) return found
  const calls = found.hits
    .toReversed()
    .slice(0, maxHighlights)
    .map((hit) => ({ name: 'highlight_text', arguments: { ...placeOf(hit), ...inColor } }))
  if (calls.length === 0) return { text: `${quote(target.find)} stands only in a request to me.` }
  return { text: '', calls }
}

function tellHighlights(made: readonly Exchanged[], find: string): string {
  const failed = made.filter(({ result }) => result.isError)
  const done = made.length - failed.length
  const lines = done === 0 ? [] : [`- highlighted ${quote(find)}${done > 1 ? ` (${done}×)` : ''}`]
  const [first] = failed
  if (first) lines.push(`- Not highlighted: ${readError(first.result.text)}`)
  return [...lines, ...tellLimit(made, maxHighlights, 'highlight')].join('\n')
}

/** Scrolls the person's view to a text, preferably a heading with these words, and selects its block on request. */
export function planPoint({ target, select }: Extract<Command, { kind: 'point' }>, turn: Turn): Move {
  if (!turn.offers('scroll_to')) return { text: 'I can not move your view here.' }
  const done = resultOf(turn, 'scroll_to')
  if (done?.result.isError) return { text: `- I could not show it: ${readError(done.result.text)}` }
  if (done) return { text: `- ${select ? 'selected the block with' : 'showed you'} ${quote(target.find)}` }
  const block = target.isSelection ? selectedBlock(turn) : foundBlock(target, turn)
  if (typeof block !== 'number') return block
  return callOf('scroll_to', { block, ...(select ? { select } : {}) })
}

function selectedBlock(turn: Turn): Move | number {
  const read = resultOf(turn, 'read_selection')
  if (!read) return callOf('read_selection', {})
  if (read.result.isError) return { text: `- I could not show it: ${readError(read.result.text)}` }
  return readSelected(read.result.text)?.block ?? { text: 'I can not tell where the selection is.' }
}

function foundBlock(target: Extract<Command, { kind: 'point' }>['target'], turn: Turn): Move | number {
  const found = findForCommand(target, turn)
  if (!isFound(found)) return found
  const search = resultOf(turn, 'search_document')
  const blocks = search ? readSearch(search.result.text).blocks : []
  const wanted = target.find.toLowerCase()
  const heading = blocks.find(({ text }) => /^#{1,6} /.test(text) && withoutMarker(text).toLowerCase() === wanted)
  const shown = heading?.number ?? found.hits.at(-1)?.shownIn
  return shown ?? { text: `I can not tell where ${quote(target.find)} is.` }
}

/** A match in the form of the arguments of the reviewing and pointing tools. */
export function placeOf({ variant, occurrence, block }: Hit): Record<string, unknown> {
  return { search: variant, occurrence, ...(block === undefined ? {} : { block }) }
}
