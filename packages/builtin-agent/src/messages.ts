import type { Phrase } from './phrase.ts'

// Three commands for what an instruction is about; the first pattern that occurs in it counts.
const examples: readonly [RegExp, string][] = [
  [/^(?:undo|revert|take)\b/i, 'undo that · replace "X" with "Y" · delete "X"'],
  [/\b(?:accept|approve|reject)/i, 'accept all suggestions · reject all suggestions · what suggestions are there?'],
  [/\b(?:suggest|propose)/i, 'suggest replacing "X" with "Y" · suggest deleting "X" · suggest deleting this'],
  [/\b(?:comment|resolve|reply)/i, 'comment on "X": needs a source · what comments are there? · resolve all comments'],
  [/\bsection/i, 'delete the section "X" · delete the last section · add a heading "X"'],
  [/^(?:add|append|insert|paste|prepend|put|type|write)\b/i, 'add "X" at the end · add "X" here · add "X" after "Y"'],
  [/\b(?:heading|title)/i, 'make "X" a heading 2 · add a heading "X" · make this a heading 3'],
  [/\b(?:make|format|bold|italic|underline|strike)/i, 'make "X" bold · remove the bold from "X" · make this italic'],
  [/^(?:delete|remove|drop|cut|erase)\b/i, 'delete "X" · delete the last "X" · delete this'],
  [/^(?:find|show|where|who|what|which|how|go|select|highlight)\b/i, 'find "X" · highlight "X" · outline'],
  [/(?:)/, 'replace "X" with "Y" · change the first "X" to "Y" · delete "X"'],
]

/** What the built-in agent can do. */
export const helpText = [
  'I am the built-in agent: I work without a model, and understand plain commands like these:',
  ...examples.map(([, commands]) => `- ${commands}`).toReversed(),
  'Select a text, and "this" means it: make this bold, replace this with "Y", comment on this: a text.',
].join('\n')

/** The answer to what isn't surely understood, in two lines: why nothing was done, and three commands that fit. */
export function declineText(reason: string, { text, quotations }: Phrase): string {
  const [, fitting = ''] = examples.find(([pattern]) => pattern.test(text)) ?? []
  const quoted = quotations.find((each) => /\S/.test(each) && each.length <= 40 && !each.includes('\n'))
  const said = fitting.replaceAll('"X"', () => `"${quoted ?? 'some words'}"`).replaceAll('"Y"', '"other words"')
  return `${reason} ${unchanged}\nYou can say: ${said}`
}

/** The end of an answer to what was not carried out. */
export const unchanged = 'I have changed nothing.'

/** A text for display in an answer: in quotes, on one line, shortened. */
export function quote(text: string): string {
  return `“${cut(text.replaceAll(/\s+/g, ' ').trim(), 60)}”`
}

/** The first `length` characters of a text, with a sign if it is longer. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** `1 word`, `3 words`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
