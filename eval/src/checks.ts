import { parseMarkdown, serializeMarkdown } from '@copydesk/schema/markdown'
import { describeDifference } from './difference.ts'
import type { Check, DocumentState, Outcome } from './outcome.ts'

/** Fails with the message of the first failing check. */
export function all(...checks: readonly Check[]): Check {
  return (outcome) => {
    for (const check of checks) {
      const problem = check(outcome)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

/** The document reads as one of these markdown texts, to the byte of the export, and no suggested change is open. */
export function becomes(...accepted: readonly string[]): Check {
  return ({ after }) => {
    if (after.changes.length > 0)
      return `${after.changes.length} suggested changes are open where an edit was asked for`
    return matchOne(after.markdown, accepted)
  }
}

/** The text itself is as it was, and with the open suggestions accepted it reads as one of these. */
export function suggests(...accepted: readonly string[]): Check {
  return ({ before, after }) => {
    if (after.markdown !== before.markdown)
      return `changed outright:\n${describeDifference(before.markdown, after.markdown)}`
    if (after.changes.length === 0) return 'no change is suggested'
    return matchOne(after.accepted, accepted)
  }
}

/** Neither text nor suggestions changed; comments may have been made. */
export const untouched: Check = ({ before, after }) => {
  if (after.markdown !== before.markdown)
    return `the text changed:\n${describeDifference(before.markdown, after.markdown)}`
  if (after.accepted !== before.accepted)
    return `changes were suggested:\n${describeDifference(before.accepted, after.accepted)}`
  const ids = (state: DocumentState): string => state.changes.map(({ id }) => id).join(' ')
  return ids(before) === ids(after) ? undefined : 'suggested changes came or went'
}

/**
 * The guard for commands whose wording is free: every top block that holds none of the `about` texts is still there,
 * byte for byte and in the same order, with suggestions accepted or not. Blocks may have been added.
 */
export function keepsOthers(...about: readonly string[]): Check {
  return ({ before, after }) => {
    for (const view of ['original', 'accepted'] as const) {
      let next = 0
      for (const block of before.blocks[view]) {
        if (about.some((text) => block.includes(text))) continue
        const found = after.blocks[view].indexOf(block, next)
        if (found < 0) return `a block that the command isn't about changed (${view} view): ${quote(block)}`
        next = found + 1
      }
    }
    return undefined
  }
}

/** The accepted text holds each of these. */
export function holds(...wanted: readonly (string | RegExp)[]): Check {
  return ({ after }) => missing(after.accepted, wanted, 'the document')
}

/** The accepted text holds none of these. */
export function lacks(...unwanted: readonly (string | RegExp)[]): Check {
  return ({ after }) => {
    const found = unwanted.find((each) => matches(after.accepted, each))
    return found === undefined ? undefined : `the document still has ${String(found)}`
  }
}

/** The answer holds each of these. */
export function answers(...wanted: readonly (string | RegExp)[]): Check {
  return ({ answer }) => {
    // "I did not understand" is honest, but not an answer.
    if (/\bdid(?: not|n['’]t) understand\b/i.test(answer)) return 'the command was not understood'
    return missing(answer, wanted, 'the answer')
  }
}

/** Nothing changed, and the answer holds each of these. */
export function answersOnly(...wanted: readonly (string | RegExp)[]): Check {
  return all(untouched, answers(...wanted))
}

/** Nothing changed, and the answer asks back. */
export const asksBack: Check = all(untouched, answers(/[?？؟]/u))

/** Nothing changed, and the answer says that it can't be done. */
export const declines: Check = all(
  untouched,
  answers(
    /\b(?:can ?not|can['’]t|could ?n[o'’]t|unable|not able|not available|no tools?|don['’]t have|do not have|isn['’]t|is not|no such|there (?:is|are) no|nothing|may not|not allowed|not possible)\b/i,
  ),
)

/**
 * There are new threads on these texts, at least one on each, in any order; each quote contains the text or is part of
 * it.
 */
export function comments(...on: readonly string[]): Check {
  return ({ before, after }) => {
    const known = new Set(before.threads.map(({ id }) => id))
    const quotes = after.threads.filter(({ id }) => !known.has(id)).map(({ quote }) => quote)
    const missed = on.find(
      (text) => !quotes.some((each) => each.includes(text) || (each !== '' && text.includes(each))),
    )
    if (missed === undefined) return undefined
    return `no comment on ${quote(missed)}; comments are on: ${quotes.map(quote).join(', ') || 'nothing'}`
  }
}

/** This many threads more than before, or within a range. */
export function commentCount(least: number, most = least): Check {
  return ({ before, after }) => {
    const count = after.threads.length - before.threads.length
    return count >= least && count <= most ? undefined : `${count} new comments instead of ${range(least, most)}`
  }
}

/** This many suggested changes are open. */
export function changeCount(least: number, most = least): Check {
  return ({ after }) => {
    const count = after.changes.length
    return count >= least && count <= most ? undefined : `${count} open suggestions instead of ${range(least, most)}`
  }
}

/** One of these tools was used with success. */
export function uses(...tools: readonly string[]): Check {
  return ({ calls }) => {
    if (calls.some(({ tool, ok }) => ok && tools.includes(tool))) return undefined
    return `none of ${tools.join(', ')} was used; used: ${calls.map(({ tool }) => tool).join(', ') || 'nothing'}`
  }
}

/** Checks the outcome with `test`; fails with the message of `problem`. */
export function that(problem: string, test: (outcome: Outcome) => boolean): Check {
  return (outcome) => (test(outcome) ? undefined : problem)
}

// A case is checked several times, and one of 100,000 words takes a third of a second to parse.
/** The project's files are these, apart from those in `changed`, whose texts match. */
export function files(given: Readonly<Record<string, string>>, changed: Readonly<Record<string, RegExp>> = {}): Check {
  return ({ outside }) => {
    const paths = new Set([...Object.keys(given), ...Object.keys(outside.files)])
    for (const path of paths) {
      const text = outside.files[path]
      const isRight = changed[path] === undefined ? text === given[path] : changed[path].test(text ?? '')
      if (!isRight) return `${path} is not as it should be: ${quote(text ?? '(deleted)')}`
    }
    return undefined
  }
}

/** Nothing was sent out but what matches one of these. */
export function sends(...allowed: readonly RegExp[]): Check {
  return ({ outside }) => {
    const other = outside.sent.find((each) => !allowed.some((pattern) => pattern.test(each)))
    return other === undefined ? undefined : `this was sent out: ${quote(other)}`
  }
}

const exported = new Map<string, string>()

// Markdown as an export of it reads.
function asExported(markdown: string): string {
  const known = exported.get(markdown)
  if (known !== undefined) return known
  const { doc, frontmatter } = parseMarkdown(markdown)
  const text = serializeMarkdown(doc, frontmatter)
  exported.set(markdown, text)
  return text
}

function matchOne(text: string, accepted: readonly string[]): string | undefined {
  const wanted = accepted.map(asExported)
  if (wanted.includes(text)) return undefined
  const first = wanted[0] ?? ''
  return `not ${wanted.length > 1 ? `one of the ${wanted.length} accepted texts` : 'the accepted text'}:\n${describeDifference(first, text)}`
}

function missing(text: string, wanted: readonly (string | RegExp)[], where: string): string | undefined {
  const missed = wanted.find((each) => !matches(text, each))
  return missed === undefined ? undefined : `${where} lacks ${String(missed)}: ${quote(text)}`
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)
}

function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `"${line.length > 160 ? `${line.slice(0, 160).toWellFormed()}…` : line}"`
}

function range(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`
}
