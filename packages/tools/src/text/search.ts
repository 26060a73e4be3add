import type { Node } from 'prosemirror-model'
import { RE2JS, RE2JSException } from 're2js'
import { failure, type ToolFailure } from '../result.ts'
import { foldedTextOf, lowerCase, normalizedTextOf } from './folded.ts'
import { normalize } from './normalize.ts'
import { requiredLiteral } from './required-literal.ts'

/**
 * Finds the places of a query in one text: `[from, to)` pairs in order, none empty. `owner`, the node whose text it is,
 * makes further searches of the same text faster.
 */
export type Searcher = (text: string, owner?: Node) => readonly [from: number, to: number][]

/**
 * Makes a searcher for plain text or for a regular expression. Expressions run in RE2's linear time, so none can hang;
 * one that RE2 refuses is `invalid_input`.
 */
export function createSearcher(
  query: string,
  isRegex: boolean,
  matchCase: boolean,
): { ok: true; search: Searcher } | ToolFailure {
  if (!isRegex) return { ok: true, search: plainSearcher(query, matchCase) }
  try {
    const pattern = RE2JS.compile(query, RE2JS.MULTILINE | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE))
    return { ok: true, search: patternSearcher(pattern, requiredLiteral(query), matchCase) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return failure(
      'invalid_input',
      `The pattern can't be used: ${error.message}.`,
      'query: a regular expression in RE2 syntax, without look-around and back-references; or leave isRegex out to search for the text itself.',
    )
  }
}

// Places are told by a slow automaton. Whether there are any at all, a literal that every match must hold tells at once,
// else RE2's fast automaton, which knows no places.
function patternSearcher(pattern: RE2JS, literal: string, matchCase: boolean): Searcher {
  const needle = matchCase ? literal : lowerCase(literal)
  return (text, owner) => {
    if (needle !== '' && lacks(text, needle, matchCase, owner)) return none
    return pattern.test(text) ? matchAll(pattern, text) : none
  }
}

function lacks(text: string, needle: string, matchCase: boolean, owner: Node | undefined): boolean {
  if (matchCase) return !text.includes(needle)
  // Composing characters may hide letters that the pattern would find.
  return normalizedTextOf(text, owner).isAligned && !foldedTextOf(text, owner).includes(needle)
}

function matchAll(pattern: RE2JS, text: string): [number, number][] {
  const matcher = pattern.matcher(text)
  const places: [number, number][] = []
  while (matcher.find()) if (matcher.end() > matcher.start()) places.push([matcher.start(), matcher.end()])
  return places
}

const none: readonly [number, number][] = []

// Folding never changes the length of the normalised text, so places in it are those of the folded one.
function plainSearcher(query: string, matchCase: boolean): Searcher {
  const normal = normalize(query).text
  const wanted = matchCase ? normal : lowerCase(normal)
  if (wanted === '') return () => none
  return (text, owner) => {
    const folded = matchCase ? normalizedTextOf(text, owner).text : foldedTextOf(text, owner)
    const first = folded.indexOf(wanted)
    if (first < 0) return none
    const normalized = normalizedTextOf(text, owner)
    const places: [number, number][] = []
    for (let at = first; at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
      places.push([normalized.start(at), normalized.start(at + wanted.length)])
    }
    return places
  }
}
