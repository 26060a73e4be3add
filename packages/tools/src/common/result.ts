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
  // Not for the model: mode `ask` holds the call until a person approves it; `details.proposal` is a TextChange[].
  | 'held'

/** One change of the text, in plain text; `block` is the number under which the result shows the changed block. */
export type TextChange = { before: string; after: string; block: number | 'frontmatter' }

/**
 * The result of a successful call. `text` is what the model reads, `summary` one short line for people, `details` plain
 * JSON for the interface.
 */
export type ToolSuccess = { ok: true; text: string; summary: string; details?: unknown }

/** The result of a failed call. `hint` says what to do next; `text` holds code, message and hint for the model. */
export type ToolFailure = {
  ok: false
  code: ToolErrorCode
  message: string
  hint: string
  text: string
  summary: string
  details?: unknown
}

/** The result of a tool call. Anything that a model can cause is a value, never an exception. */
export type ToolResult = ToolSuccess | ToolFailure

/** Creates a `ToolFailure`; `message` says what is wrong, `hint` what to do next, both as whole sentences. */
export function failure(code: ToolErrorCode, message: string, hint: string, details?: unknown): ToolFailure {
  const result: ToolFailure = {
    ok: false,
    code,
    message,
    hint,
    text: `Error (${code}): ${message}\n${hint}`,
    summary: shorten(message.split('\n', 1)[0] ?? message, 120),
  }
  return details === undefined ? result : { ...result, details }
}

/** Creates a `ToolSuccess`. */
export function success(text: string, summary: string, details?: unknown): ToolSuccess {
  return details === undefined ? { ok: true, text, summary } : { ok: true, text, summary, details }
}

/** A text to quote in a result, cut to 200 characters: spaces stay, line ends become spaces. */
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
