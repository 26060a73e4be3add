import type { Node } from 'prosemirror-model'
import {
  type BlockMatches,
  countMatches,
  createSearch,
  type Match,
  matchFrom,
  matchNumber,
  type Query,
  type Search,
} from './find-matches.ts'
import type { FindSummary } from './find-plugin.ts'

/** A running search: its matches, the active match, and the visible range of the document. */
export type Finding = {
  query: Query
  search: Search | null
  found: readonly BlockMatches[]
  active: Match | null
  seen: { from: number; to: number }
}

/** Starts a search at a position. */
export function beginSearch(doc: Node, query: Query, from: number, seen: Finding['seen']): Finding {
  const search = createSearch(query)
  const found = search?.(doc) ?? []
  return { query, search, found, active: matchFrom(found, from), seen }
}

/** The same search in a changed document; the active match is the one nearest to the last active match. */
export function searchAgain(finding: Finding, doc: Node): Finding {
  const found = finding.search?.(doc) ?? []
  const { active } = finding
  const isSame = active && matchNumber(found, active.number)
  if (isSame && isSame.from === active.from) return { ...finding, found, active: isSame }
  return { ...finding, found, active: active ? matchFrom(found, active.from) : matchFrom(found, 0) }
}

/** Moves to the next or previous match, wrapping around the document. */
export function stepSearch(finding: Finding, by: 1 | -1): Finding {
  const count = countMatches(finding.found)
  if (count === 0) return finding
  const number = finding.active ? (finding.active.number + by + count) % count : 0
  return { ...finding, active: matchNumber(finding.found, number) }
}

/** The summary of a search. */
export function summarize({ found, active }: Finding): FindSummary {
  return { count: countMatches(found), number: (active?.number ?? -1) + 1 }
}
