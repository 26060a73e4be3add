import { cut, onlyRequests, quote } from './messages.ts'
import { changedArguments, plainResult, readSentence } from './results.ts'
import type { Call, Exchanged, Move, Turn } from './turn.ts'

/** A part of a plan: yields calls, receives them with their results, and returns `Result`; an answer ends the plan. */
export type Steps<Result> = Generator<Move, Result, readonly Exchanged[]>

/** What a command does, call by call; it returns the answer. It depends on nothing but the results of its calls. */
export type Plan = Steps<string>

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

/** Makes calls that change something and returns the report: one line for every different change or failure. */
export function* change(calls: readonly Call[], line: string | typeof tellReplacement): Plan {
  if (calls.length === 0) return onlyRequests
  const [done, failed] = [new Map<string, number>(), new Set<string>()]
  for (const { call, result } of yield { calls: calls.slice(0, mostCalls) }) {
    const sentence = readSentence(result)
    const changed = changedArguments(result.text)
    const input = changed ?? call.arguments
    const about = textOf(input['find'] ?? input['searchText'] ?? input['search'])
    if (result.isError) {
      const what = `${changesText.test(call.name) ? 'changed' : 'done'}${about === '' ? '' : `, ${quote(about)}`}`
      failed.add(`- Not ${what}: ${sentence}`)
      continue
    }
    // A person who approved a call may have changed it to something else than the command asked for.
    const isAsSaid = typeof line === 'string' && changed === undefined && !sentence.startsWith('Nothing to change')
    const told = typeof line === 'function' ? line(input, sentence) : isAsSaid ? line : sentence
    const places = /^(?:apply|replace)/.test(call.name)
      ? Number(/.*(?:",| in) (\d+) places\b/.exec(sentence)?.[1] ?? 1)
      : 1
    done.set(told, (done.get(told) ?? 0) + places)
  }
  const more =
    calls.length < mostCalls ? [] : [`I change at most ${mostCalls} places at a time; repeat it to continue.`]
  const lines = [...done].map(([told, count]) => `- ${told}${count > 1 ? ` (${count}×)` : ''}`)
  return [...lines, ...failed, ...more].join('\n')
}

/** Tells what a call replaced or deleted. */
export function tellReplacement(input: Input, sentence: string): string {
  const [find, to] = [textOf(input['searchText'] ?? input['find']), textOf(input['newText'] ?? input['replace'])]
  if (sentence.startsWith('Nothing to change')) return `nothing to change: ${quote(find)} reads so already`
  const [left, right] = [find, to].map((text) => cut(text.replaceAll('\n', ' ⏎ '), 80))
  return to === '' ? `deleted ${quote(find)}` : `${left} → ${right}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
