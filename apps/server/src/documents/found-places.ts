import type { FoundPlace, TextRange } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { foldText, showableText } from '../store/fold-text.ts'
import type { Tables } from '../store/tables.ts'

const before = 60
const snippetAtMost = 200

/**
 * The places of a search's matches in the titles and texts of these documents; `needle` is the result of `foldText`.
 */
export async function findPlaces(
  db: Kysely<Tables>,
  documents: readonly { id: string; title: string }[],
  needle: string,
): Promise<Map<string, FoundPlace>> {
  const ids = documents.map(({ id }) => id)
  const at = sql<number>`instr(text, ${needle})`
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('document_snapshots')
          .select(['name', at.as('at')])
          .select(sql<string>`substr(shown_text, max(1, ${at} - ${before}), ${snippetAtMost + before})`.as('piece'))
          .where('name', 'in', ids)
          .where(at, '>', 0)
          .execute()
  const pieces = new Map(rows.map(({ name, ...row }) => [name, row]))
  return new Map(
    documents.map(({ id, title }) => {
      const found = pieces.get(id)
      const snippet = found && snippetOf(found.piece, found.at > before + 1, needle)
      return [id, { title: rangesOf(title, needle), ...(snippet ? { snippet } : {}) }]
    }),
  )
}

/**
 * An excerpt of a text on one line, beginning with a whole word, with the ranges of `needle` in it; undefined if the
 * text doesn't contain `needle`. `isCut`: the text begins before the excerpt.
 */
export function snippetOf(piece: string, isCut: boolean, needle: string): FoundPlace['snippet'] {
  const line = piece.replace(/\s/g, ' ')
  const [first] = rangesOf(line, needle)
  if (!first) return undefined
  const start = isCut ? Math.min(line.indexOf(' ') + 1, first.from) : 0
  const end = line.length - start <= snippetAtMost ? line.length : endOfWord(line, start + snippetAtMost, first.to)
  const text = `${isCut ? '…' : ''}${line.slice(start, end).trim()}`
  return { text, ranges: rangesOf(text, needle) }
}

function endOfWord(line: string, most: number, least: number): number {
  const end = line.lastIndexOf(' ', most)
  return end > least ? end : Math.max(most, least)
}

/** The ranges of a text whose `foldText` is `needle`. */
export function rangesOf(text: string, needle: string): TextRange[] {
  const { folded, starts } = foldWithPlaces(text)
  const ranges: TextRange[] = []
  for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + needle.length)) {
    const from = starts[at] ?? 0
    const next = starts.findIndex((start, index) => index >= at + needle.length && start > from)
    ranges.push({ from, to: next === -1 ? text.length : (starts[next] ?? text.length) })
  }
  return ranges
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** `foldText` of a short text, and for each code unit of it the position of its source character. */
function foldWithPlaces(text: string): { folded: string; starts: readonly number[] } {
  const folded = foldText(text)
  if (showableText(text) === text) return { folded, starts: Array.from(folded, (_, index) => index) }
  let together = ''
  const starts: number[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const each = foldText(segment)
    together += each
    for (let unit = 0; unit < each.length; unit++) starts.push(index)
  }
  return { folded: together, starts }
}
