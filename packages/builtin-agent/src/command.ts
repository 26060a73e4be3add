import { quotedPattern } from './phrase.ts'
import type { Plan } from './plan.ts'
import type { Place, Target, Unsure } from './terms.ts'

/** The parts of a command. */
export type Parts = {
  /** Without such a part what is selected; `find` is '' if nothing is. */
  target: Target
  place: Place | undefined
  /** What to write, to say or to look for, '' if there is none. */
  text: string
  /** Any other named group in lower case, '' if it is missing. */
  word(name: string): string
}

/** One kind of command: the forms of its sentences, and the plan that its parts make. */
export type Entry = {
  kind: string
  patterns: readonly RegExp[]
  plan(parts: Parts): Plan | Unsure
}

/**
 * Makes an entry. A form is a regular expression of a whole sentence. Its parts are `{target}` (a text), `{passage}` (a
 * text that stays as it is), `{new}` (what replaces a text), `{place}`, `{quoted}`, `{said}` (a text verbatim) and
 * `{plain}` (any words), each at most once; the command is declined if one of them is unsure.
 */
export function entry(kind: string, forms: readonly string[], plan: Entry['plan']): Entry {
  const patterns = forms.map((form) => {
    const quoted = form.replaceAll('{quoted}', `(?<quoted>${quotedPattern})`)
    return new RegExp(`^(?:${quoted.replaceAll(/\{([a-z]+)\}/g, '(?<$1>.+?)')})$`, 'i')
  })
  return { kind, patterns, plan }
}

/** Two spellings of what a command turns a text into. */
export const arrow = '(?:->|→|=>)'

/** The level of a heading: what was said, else what its name means. */
export function levelOf(digit: string, noun: string): number {
  return Number(digit) || (noun === 'title' ? 1 : noun === 'subheading' ? 3 : 2)
}
