import { changedArguments, readError, readSentence } from './results.ts'
import type { Exchanged, Turn } from './turn.ts'
import { quote } from './builtin-messages.ts'

/**
 * One bullet for every different change among these calls, the last failure, and a line if the changes became
 * suggestions. Reports arguments as changed by a person before approval.
 */
export function reportChanges(
  made: readonly Exchanged[],
  turn: Pick<Turn, 'isSuggesting'>,
  describe = describeReplacement,
): string[] {
  const done = new Map<string, number>()
  const failed = new Map<string, number>()
  let isSuggested = false
  for (const { call, result } of made) {
    const given = changedArguments(result.text) ?? call.arguments
    const told = given === call.arguments || describe === describeReplacement
    const changes = !result.isError && !readSentence(result.text).startsWith('Nothing to change')
    if (changes && (turn.isSuggesting || call.name.startsWith('suggest_'))) isSuggested = true
    const change = told ? describe(call.name, given, result.text) : { line: readSentence(result.text) }
    if (result.isError)
      add(failed, `- Not changed${change.about ? `, ${quote(change.about)}` : ''}: ${readError(result.text)}`)
    else add(done, `- ${change.line}`, change.times)
  }
  const bullets = [...[...done].map(([line, count]) => (count > 1 ? `${line} (${count}×)` : line)), ...failed.keys()]
  if (isSuggested) bullets.push('These are suggestions: accept or reject them in the text.')
  return bullets
}

/** A line that says so when the limit of calls was reached, so that the rest isn't omitted silently. */
export function tellLimit(made: readonly Exchanged[], most: number, said: string): string[] {
  return made.length < most ? [] : [`I ${said} at most ${most} places at a time; what is left is as it was.`]
}

/** The report of a change: `line` for a change that was made, `about` its subject, `times` the number of matches. */
export type Told = { line: string; about?: string; times?: number }

function add(lines: Map<string, number>, line: string, times = 1): void {
  lines.set(line, (lines.get(line) ?? 0) + times)
}

function describeReplacement(tool: string, given: Record<string, unknown>, result: string): Told {
  const [from, to] = namesOf(tool, given)
  const sentence = readSentence(result)
  if (sentence.startsWith('Nothing to change'))
    return { line: `nothing to change: ${quote(from)} reads so already`, about: from }
  const line = to === '' ? `deleted ${quote(from)}` : `${shorten(from)} → ${shorten(to)}`
  const times = tool === 'replace_text' ? Number(/.* in (\d+) places?\b/.exec(sentence)?.[1] ?? 1) : 1
  return { line, about: from, times }
}

function namesOf(tool: string, given: Record<string, unknown>): [string, string] {
  const [from, to] = tool === 'replace_text' ? ['searchText', 'newText'] : ['find', 'replace']
  return [textOf(given[from]), textOf(given[to])]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', ' ⏎ ')
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}
