import { cut, quote, unchanged } from './messages.ts'
import { changedArguments, plainResult, readSentence } from './results.ts'
import type { Place, Target, Unsure } from './terms.ts'
import type { Exchanged, Move, Turn } from './turn.ts'

/** A part of a plan: yields calls, receives them with their results, and returns `Result`; an answer ends the plan. */
export type Steps<Result> = Generator<Move, Result, readonly Exchanged[]>

/** What a command does, call by call; it returns the answer. It depends on nothing but the results of its calls. */
export type Plan = Steps<string>

/** The parts of a command; `target` is by default what is selected, with `find` '' if nothing is. */
export type Parts = {
  target: Target
  place: Place | undefined
  /** What to write, to say or to look for, '' if there is none. */
  text: string
  /** Any other named group in lower case, '' if it is missing. */
  word(name: string): string
}

/** What makes the plan of each command from its parts, or says why they are unsure. */
export type Plans = Record<string, (parts: Parts) => Plan | Unsure>

/** The arguments of a call. */
export type Input = Record<string, unknown>

/** More calls in one answer would block other users too long. */
export const mostCalls = 100
const changesText = /^(?:edit|insert|replace|apply|update|suggest)_/

/** The next step of a plan whose first calls were made: it runs from its beginning through their results. */
export function nextMove(plan: Plan, { made, isSuggesting }: Turn): Move {
  const left = [...made]
  let step = plan.next([])
  while (!step.done && 'calls' in step.value && left.length >= step.value.calls.length)
    step = plan.next(left.splice(0, step.value.calls.length))
  if (!step.done) return step.value
  const isSuggestion = made.some(({ call: { name }, result }) => {
    const isMeant = changesText.test(name) && (isSuggesting || name.startsWith('suggest_'))
    return isMeant && !result.isError && !readSentence(result).startsWith('Nothing to change')
  })
  return { text: `${step.value}${isSuggestion ? '\nThese are suggestions: accept or reject them in the text.' : ''}` }
}

/** Ends a plan with an answer. */
export function* stop(text: string): Steps<never> {
  yield { text }
  throw new Error('A plan went on after its answer.')
}

/** Makes one call and returns its result; a failure ends the plan. */
export function* ask(name: string, input: Input = {}): Steps<string> {
  const [made] = yield { calls: [{ name, arguments: input }] }
  if (!made || made.result.isError) return yield* stop(`- Not done: ${made ? readSentence(made.result) : name}`)
  return plainResult(made.result.text)
}

/** A plan of one call, whose answer is made of its result. */
export function* once(name: string, input: Input, tell: (result: string) => string): Plan {
  return tell(yield* ask(name, input))
}

/** Makes calls of one tool that changes something, and reports each different change and failure in a line. */
export function* change(name: string, inputs: readonly Input[], line: string | ((input: Input) => string)): Plan {
  if (inputs.length === 0) return `That is only in a request to me, and I leave requests as they are. ${unchanged}`
  const calls = inputs.slice(0, mostCalls).map((input) => ({ name, arguments: input }))
  const [done, failed] = [new Map<string, number>(), new Set<string>()]
  for (const { call, result } of yield { calls }) {
    const sentence = readSentence(result)
    const changed = changedArguments(result.text)
    const input = changed ?? call.arguments
    const about = textOf(input['find'] ?? input['searchText'] ?? input['search'])
    if (result.isError) {
      const what = `${changesText.test(name) ? 'changed' : 'done'}${about === '' ? '' : `, ${quote(about)}`}`
      failed.add(`- Not ${what}: ${sentence}`)
      continue
    }
    // A person who approved a call may have changed it to something else than the command asked for.
    const isOther = sentence.startsWith('Nothing to change') || (changed !== undefined && typeof line === 'string')
    const told = isOther ? sentence : typeof line === 'string' ? line : line(input)
    const places = /^(?:apply|replace)/.test(name) ? Number(/.*(?:",| in) (\d+) places\b/.exec(sentence)?.[1] ?? 1) : 1
    done.set(told, (done.get(told) ?? 0) + places)
  }
  const more =
    calls.length < mostCalls ? [] : [`I change at most ${mostCalls} places at a time; repeat it to continue.`]
  const lines = [...done].map(([told, count]) => `- ${told}${count > 1 ? ` (${count}×)` : ''}`)
  return [...lines, ...failed, ...more].join('\n')
}

/** Tells what a call replaced or deleted. */
export function tellReplacement(input: Input): string {
  const [find, to] = [textOf(input['searchText'] ?? input['find']), textOf(input['newText'] ?? input['replace'])]
  const [left, right] = [find, to].map((text) => cut(text.replaceAll('\n', ' ⏎ '), 80))
  return to === '' ? `deleted ${quote(find)}` : `${left} → ${right}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
