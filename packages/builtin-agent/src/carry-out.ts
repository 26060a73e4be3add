import { cut, onlyRequests, quote } from './messages.ts'
import { changedArguments, plainResult, readSentence } from './results.ts'
import { type Call, callOf, type Exchanged, type Move, type Turn } from './turn.ts'

/** Decides on the next step from what was done so far. */
export type Plan = (turn: Turn) => Move

export type Input = Record<string, unknown>

/** What a call did: `line` says it, `about` is its subject, `times` the number of places. */
type Told = { line: string; about?: string; times?: number }

/** Tells what a call did, from its arguments and the first line of its result. */
export type Tell = (input: Input, sentence: string) => Told

/** More calls in one answer would block other users too long. */
export const mostCalls = 100

const changesText = /^(?:edit|insert|replace|apply|update|suggest)_/

/** The result of a call that a plan needs; the call itself if it wasn't made yet, an answer if it failed. */
export function consult(turn: Turn, name: string, input: Input = {}): string | Move {
  const made = turn.made.findLast(({ call }) => call.name === name)
  if (!made) return callOf(name, input)
  return made.result.isError ? { text: `- Not done: ${readSentence(made.result)}` } : plainResult(made.result.text)
}

/** A plan of one call, whose answer is made of its result. */
export function once(name: string, input: Input, tell: (result: string) => string): Plan {
  return (turn) => {
    const result = consult(turn, name, input)
    return typeof result === 'string' ? { text: tell(result) } : result
  }
}

/** A plan that ends with calls of `tools`, of which `next` decides the arguments, and a report about each. */
export function changing(tools: string[], tell: Tell, next: (turn: Turn) => Move | Call[]): Plan {
  return (turn) => {
    const made = turn.made.filter(({ call }) => tools.includes(call.name))
    if (made.length > 0) return { text: report(made, turn, tell) }
    const move = next(turn)
    if (!Array.isArray(move)) return move
    return move.length === 0 ? { text: onlyRequests } : { calls: move.slice(0, mostCalls) }
  }
}

/** One bullet for every different change, the failures, and what else people have to know. */
function report(made: readonly Exchanged[], turn: Turn, tell: Tell): string {
  const done = new Map<string, number>()
  const failed = new Set<string>()
  let isSuggested = false
  for (const { call, result } of made) {
    const changed = changedArguments(result.text)
    const sentence = readSentence(result)
    // A person who approved a call may have changed it to something else than the command asked for.
    const isOther = changed !== undefined && tell !== tellReplacement
    const { line, about, times = 1 }: Told = isOther ? { line: sentence } : tell(changed ?? call.arguments, sentence)
    const isChange = changesText.test(call.name)
    if (result.isError) {
      failed.add(`- Not ${isChange ? 'changed' : 'done'}${about === undefined ? '' : `, ${quote(about)}`}: ${sentence}`)
      continue
    }
    done.set(`- ${line}`, (done.get(`- ${line}`) ?? 0) + times)
    const isSuggestion = isChange && (turn.isSuggesting || call.name.startsWith('suggest_'))
    isSuggested ||= isSuggestion && !sentence.startsWith('Nothing to change')
  }
  return [
    ...[...done].map(([line, count]) => (count > 1 ? `${line} (${count}×)` : line)),
    ...failed,
    ...(isSuggested ? ['These are suggestions: accept or reject them in the text.'] : []),
    ...(made.length < mostCalls
      ? []
      : [`I change at most ${mostCalls} places at a time; repeat the request to continue.`]),
  ].join('\n')
}

/** Tells what a call replaced or deleted. */
export const tellReplacement: Tell = (input, sentence) => {
  const about = textOf(input['searchText'] ?? input['find'])
  const to = textOf(input['newText'] ?? input['replace'])
  if (sentence.startsWith('Nothing to change'))
    return { line: `nothing to change: ${quote(about)} reads so already`, about }
  const [left, right] = [about, to].map((text) => cut(text.replaceAll('\n', ' ⏎ '), 80))
  const line = to === '' ? `deleted ${quote(about)}` : `${left} → ${right}`
  return { line, about, times: 'newText' in input ? Number(/^.* in (\d+) places?\b/.exec(sentence)?.[1] ?? 1) : 1 }
}

/** A string as it is, '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
