/** One sentence for an operator: that no model is configured, and which setting configures one. */
export const builtinSetupHint =
  'No model is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, or OPENAI_BASE_URL for a local server such as Ollama, and restart.'

/** What the built-in agent can do. `lead` comes first and says what it did not understand. */
export function helpText(lead?: string): string {
  return [
    lead ?? 'I am the builtin agent.',
    'I understand plain commands like these:',
    '- replace teh with the (also: everywhere, the first teh) · fix the typo recieve',
    '- delete "very" · delete the section "Costs"',
    '- make "important" bold, italic, code, strikethrough, underlined · link "Copydesk" to https://…',
    '- make "Goals" a heading level 2, or "a, b, c" a list',
    '- add "A sentence." at the end, before "X", after "X", here · add a heading "Plan"',
    '- comment on "X": a text · what comments are there · resolve all comments',
    '- suggest replacing "X" with "Y" · accept or reject all suggestions',
    '- highlight "X" · go to "X" · outline · how many words · find "X"',
    'Select a text, and "this" means it: make this bold, replace this with "Y", comment on this: a text.',
    '',
    builtinSetupHint,
  ].join('\n')
}

/** The answer if all places of a text are in requests to the agent. */
export const onlyRequests = 'That is only in a request to me, and I leave requests as they are. I have changed nothing.'

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
