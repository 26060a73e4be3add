import { localizable } from '../common/localizable.ts'
import { RE2JS, RE2JSException } from 're2js'
import { failure, type ToolFailure } from '../common/result.ts'
import { lowerCase } from './folded.ts'
import { normalize } from './normalize.ts'
import { requiredLiteral } from './required-literal.ts'

/**
 * Finds the matches of a query: `search` returns those in one text as `[from, to)` pairs in order, none empty.
 * `literal` occurs, in any case and encoding, in every text that has a match.
 */
export type Searcher = { literal: string; search(text: string): readonly [from: number, to: number][] }

/**
 * Creates a searcher for plain text or for a regular expression. Expressions run in RE2's linear time, so none can
 * hang; an expression that RE2 refuses is `invalid_input`.
 */
export function createSearcher(
  query: string,
  isRegex: boolean,
  matchCase: boolean,
): { ok: true; searcher: Searcher } | ToolFailure {
  if (!isRegex) return { ok: true, searcher: plainSearcher(query, matchCase) }
  try {
    const pattern = RE2JS.compile(query, RE2JS.MULTILINE | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE))
    return { ok: true, searcher: patternSearcher(pattern, requiredLiteral(query), matchCase) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return failure(
      'invalid_input',
      localizable`The pattern can't be used: ${error.message}.`,
      'query: a regular expression in RE2 syntax, without look-around and back-references; or leave isRegex out to search for the text itself.',
    )
  }
}

// RE2 finds the positions of matches with a slow automaton. A text without matches is skipped before: it lacks a
// literal that every match contains, or RE2's fast automaton, which reports no positions, finds no match in it.
function patternSearcher(pattern: RE2JS, literal: string, matchCase: boolean): Searcher {
  const needle = matchCase ? literal : lowerCase(literal)
  const search = (text: string): readonly [number, number][] => {
    if (needle !== '' && lacks(text, needle, matchCase)) return none
    return pattern.test(text) ? matchAll(pattern, text) : none
  }
  return { literal, search }
}

function lacks(text: string, needle: string, matchCase: boolean): boolean {
  if (matchCase) return !text.includes(needle)
  // Composition may hide letters that the pattern would match.
  const normalized = normalize(text)
  return normalized.isAligned && !lowerCase(normalized.text).includes(needle)
}

function matchAll(pattern: RE2JS, text: string): [number, number][] {
  const matcher = pattern.matcher(text)
  const places: [number, number][] = []
  while (matcher.find()) if (matcher.end() > matcher.start()) places.push([matcher.start(), matcher.end()])
  return places
}

const none: readonly [number, number][] = []

// Folding never changes the length of the normalised text, so offsets in both are the same.
function plainSearcher(query: string, matchCase: boolean): Searcher {
  const normal = normalize(query).text
  const wanted = matchCase ? normal : lowerCase(normal)
  const search = (text: string): readonly [number, number][] => {
    const normalized = normalize(text)
    const folded = matchCase ? normalized.text : lowerCase(normalized.text)
    const places: [number, number][] = []
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
      places.push([normalized.start(at), normalized.start(at + wanted.length)])
    }
    return places
  }
  return { literal: query, search: wanted === '' ? () => none : search }
}
