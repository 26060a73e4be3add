import { plainResult, readBlocks, readNumber } from './results.ts'
import type { Exchanged, Move, Turn } from './turn.ts'

/** The parts of the document that were read in this run, in order. */
export function pagesOf(turn: Turn): Exchanged[] {
  return turn.rounds.flat().filter(({ call }) => call.name === 'read_document')
}

/** The call that reads the next part; undefined once the whole document or `maxPages` parts of it have been read. */
export function nextPage(turn: Turn, maxPages: number): Move | undefined {
  if (!turn.offers('read_document')) return undefined
  const pages = pagesOf(turn)
  const last = pages.at(-1)
  if (!last) return readFrom({})
  if (last.result.isError || pages.length >= maxPages) return undefined
  const text = plainResult(last.result.text)
  const hint = /read_document \{"from": (\d+)(?:, "offset": (\d+))?\}/.exec(text)
  if (hint) return readFrom({ from: Number(hint[1]), ...(hint[2] === undefined ? {} : { offset: Number(hint[2]) }) })
  // Without a hint, the block numbers show whether anything is missing.
  const shown = readBlocks(text).at(-1)?.number
  const total = readNumber(pages[0]?.result.text ?? '', 'block')
  const from = Number(last.call.arguments['from'] ?? 0)
  if (shown === undefined || total === undefined || shown < from || shown + 1 >= total) return undefined
  return readFrom({ from: shown + 1 })
}

function readFrom(range: Record<string, number>): Move {
  return { text: '', calls: [{ name: 'read_document', arguments: range }] }
}
