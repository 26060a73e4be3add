import { inEnglish, type Localizable, localizable } from './localizable.ts'

/** Why a tool call failed; `docs/tools.md` lists the codes. */
export type ToolErrorCode =
  | 'not_found'
  | 'ambiguous'
  | 'stale'
  | 'out_of_range'
  | 'no_selection'
  | 'invalid_operation'
  | 'invalid_position'
  | 'invalid_input'
  | 'too_large'
  | 'not_configured'
  | 'denied'
  | 'unknown_tool'
  | 'rejected'
  | 'unavailable'
  // Never shown to the model: mode `ask` holds the call until a person approves it; `details.proposal` is a
  // TextChange[].
  | 'held'

/** One change of the text, in plain text; `block` is the number under which the result shows the changed block. */
export type TextChange = { before: string; after: string; block: number | 'frontmatter' }

/**
 * The result of a successful call. `text` is for the model, `summary` one short line for people, `localizable` its
 * translatable form, `details` plain JSON for the interface.
 */
export type ToolSuccess = { ok: true; text: string; summary: string; localizable?: Localizable; details?: unknown }

/**
 * The result of a failed call. `hint` says what to do next; `text` contains code, message and hint for the model.
 * `localizable` is the meaning of the code, with less detail than `summary`. `words` are the translatable forms of
 * message and hint, if these have values; others are translated by their text.
 */
export type ToolFailure = {
  ok: false
  code: ToolErrorCode
  message: string
  hint: string
  text: string
  summary: string
  localizable?: Localizable
  words?: FailureWords
  details?: unknown
}

/** The translatable forms of the message and the hint of a failure. */
export type FailureWords = { message?: Localizable; hint?: Localizable }

/** The result of a tool call. Errors of a model are values, never exceptions. */
export type ToolResult = ToolSuccess | ToolFailure

export const failureMeanings: Readonly<Partial<Record<ToolErrorCode, string>>> = {
  not_found: 'It isn’t in the document',
  ambiguous: 'There are several such places',
  stale: 'The text has changed meanwhile',
  out_of_range: 'There is no such place',
  no_selection: 'Nothing is selected',
  invalid_operation: 'That isn’t possible there',
  invalid_position: 'That can’t be there',
  invalid_input: 'The agent’s request was faulty',
  too_large: 'Too large',
  not_configured: 'Not set up on this server',
  denied: 'Not allowed',
  unknown_tool: 'The agent asked for a tool that there isn’t',
  rejected: 'Rejected',
  unavailable: 'Not available now',
}

/** Creates a `ToolFailure`; `said` is the problem, `advice` what to do next, both as whole sentences. */
export function failure(
  code: ToolErrorCode,
  said: Localizable | string,
  advice: Localizable | string,
  details?: unknown,
): ToolFailure {
  const meaning = failureMeanings[code]
  const [message, hint] = [inEnglish(said), inEnglish(advice)]
  const words = Object.entries({ message: said, hint: advice }).filter(([, text]) => typeof text === 'object')
  return {
    ok: false,
    code,
    message,
    hint,
    text: `Error (${code}): ${message}\n${hint}`,
    summary: shorten(message.split('\n', 1)[0] ?? message, 120),
    ...(meaning === undefined ? {} : { localizable: { key: meaning, values: [] } }),
    ...(words.length === 0 ? {} : { words: Object.fromEntries(words) as FailureWords }),
    ...(details === undefined ? {} : { details }),
  }
}

/** The failure of an argument with more than `most` characters. */
export function tooLong(field: string, most: number, hint: string): ToolFailure {
  return failure('too_large', localizable`${field} is longer than ${most.toLocaleString('en')} characters.`, hint)
}

/**
 * Holds a call until a person approves it; `summary` describes its effect, `what` names it in a sentence, `reason` is
 * why it waits if the mode isn't the reason.
 */
export function held(
  summary: Localizable,
  what: string,
  proposal: readonly Pick<TextChange, 'before' | 'after'>[],
  reason?: Localizable,
): ToolFailure {
  const details = { proposal, ...(reason === undefined ? {} : { reason }) }
  const failed = failure('held', inEnglish(summary), localizable`${what} waits until a person approves it.`, details)
  return { ...failed, localizable: summary }
}

/** Creates a `ToolSuccess`; a summary that is a plain string can't be translated. */
export function success(text: string, summary: Localizable | string, details?: unknown): ToolSuccess {
  const said = typeof summary === 'string' ? { summary } : { summary: inEnglish(summary), localizable: summary }
  return { ok: true, text, ...said, ...(details === undefined ? {} : { details }) }
}

/** A text for a quotation in a result, cut to 200 characters: spaces are kept, line breaks become spaces. */
export function quoteText(text: string, length = quotedLength): string {
  const line = text.replace(/[ \t]*\n\s*/g, ' ')
  return line.length <= length ? line : `${trimHalfPair(line.slice(0, length - 1))}…`
}

const quotedLength = 200

/** `text` on one line, cut to at most `length` characters with an ellipsis at the end. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${trimHalfPair(line.slice(0, length - 1))}…`
}

function trimHalfPair(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}
