import { RE2JS, RE2JSException } from 're2js'
import { failure, type ToolFailure } from '../result.ts'
import { normalize } from './normalize.ts'

/** Finds the places of a query in one text: `[from, to)` pairs in order, none empty. */
export type Searcher = (text: string) => [from: number, to: number][]

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
    return { ok: true, search: (text) => matchAll(pattern, text) }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return failure(
      'invalid_input',
      `The pattern can't be used: ${error.message}.`,
      'query: a regular expression in RE2 syntax, without look-around and back-references; or leave isRegex out to search for the text itself.',
    )
  }
}

function matchAll(pattern: RE2JS, text: string): [number, number][] {
  const matcher = pattern.matcher(text)
  const places: [number, number][] = []
  while (matcher.find()) if (matcher.end() > matcher.start()) places.push([matcher.start(), matcher.end()])
  return places
}

// Case folding may change the length of a text, so places in the folded one are mapped back.
function plainSearcher(query: string, matchCase: boolean): Searcher {
  const wanted = fold(normalize(query).text, matchCase)
  if (wanted === '') return () => []
  return (text) => {
    const normalized = normalize(text)
    const folded = fold(normalized.text, matchCase)
    const places: [number, number][] = []
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
      places.push([normalized.start(at), normalized.start(at + wanted.length)])
    }
    return places
  }
}

function fold(text: string, matchCase: boolean): string {
  if (matchCase) return text
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : [...text].map(lowerSameLength).join('')
}

function lowerSameLength(character: string): string {
  const lower = character.toLowerCase()
  return lower.length === character.length ? lower : character
}
