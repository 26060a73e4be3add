/** One sentence for an operator: that no model is configured, and what sets one. */
export const builtinSetupHint =
  'No model is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, or OPENAI_BASE_URL for a local server such as Ollama, and restart.'

/** What the builtin agent can do, in its own words. `lead` says first what it did not understand. */
export function helpText(lead = ''): string {
  return [
    lead || 'I am the builtin agent. I understand a few plain commands:',
    ...(lead ? ['I understand plain commands like these:'] : []),
    '- replace teh with the (also: the first teh, in block 3)',
    '- fix the typo recieve',
    '- delete "very" · make "important" bold, italic, code, strikethrough',
    '- make "Goals" a heading level 2, or "a, b, c" a list',
    '- add "A sentence." at the end, before "X", after "X" · add a heading "Plan"',
    '- outline · how many words · find "X" · read block 3',
    '',
    builtinSetupHint,
  ].join('\n')
}

/** A text as it is shown in an answer: in quotes, on one line, short. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}”`
}

/** `1 word`, `3 words`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
