import type { ToolCall, ToolResultMessage } from '@copydesk/agent'
import { type Answer, called, joined, say } from './language/answers.ts'
import type { Language } from './language/language.ts'
import { isChanged, plainResult, readErrorCode, readSentence } from './results.ts'
import type { Place, Target } from './terms.ts'

/** A call of this run with its result. */
export type Exchanged = { call: ToolCall; result: ToolResultMessage }

/** Calls to make. */
export type Calls = readonly Pick<ToolCall, 'name' | 'arguments'>[]

/** The next step of a plan: an answer, or calls. */
export type Move = { text: string } | { calls: Calls }

/** The calls that a run has made, whether each of its changes becomes a suggestion, and the language of its answer. */
type Turn = { made: readonly Exchanged[]; isSuggesting: boolean; language: Language }

/** A part of a plan: yields calls, receives them with their results, and returns `Result`; an answer ends the plan. */
export type Steps<Result> = Generator<Answer | Calls, Result, readonly Exchanged[]>

/** What a command does, call by call; it returns the answer. It depends on nothing but the results of its calls. */
export type Plan = Steps<Answer>

/** The parts of a command; `target` is by default what is selected, with `find` '' if nothing is. */
export type Parts = {
  target: Target
  place: Place | undefined
  /** What to write, to say or to look for, '' if there is none. */
  text: string
  /** Any other named group in lower case, '' if it is missing. */
  word(name: string): string
}

/** What makes the plan of each command from its parts, or says why they aren't sure. */
export type Plans = Record<string, (parts: Parts) => Plan | Answer>

/** The arguments of a call. */
export type Input = Record<string, unknown>

// More calls in one answer would block other users too long.
const mostCalls = 100
const changesText = /^(?:edit|insert|replace|apply|update|suggest)_/

/** The next step of a plan whose first calls were made: it runs from its beginning through their results. */
export function nextMove(plan: Plan, { made, isSuggesting, language }: Turn): Move {
  const left = [...made]
  let step = plan.next([])
  while (typeof step.value !== 'function' && left.length >= step.value.length)
    step = plan.next(left.splice(0, step.value.length))
  if (typeof step.value !== 'function') return { calls: step.value }
  if (!step.done) return { text: step.value(language) }
  const isSuggestion = made.some(({ call: { name }, result }) => {
    const isMeant = changesText.test(name) && (isSuggesting || name.startsWith('suggest_'))
    return isMeant && !result.isError && !readSentence(result).startsWith('Nothing to change')
  })
  const told = isSuggestion ? [say('These are suggestions: accept or reject them in the text.')] : []
  return { text: joined([step.value, ...told])(language) }
}

/** Ends a plan with an answer. */
export function* stop(answer: Answer): Steps<never> {
  yield answer
  throw new Error('A plan went on after its answer.')
}

/** Makes one call and returns its result; a failure ends the plan. */
export function* ask(name: string, input: Input = {}): Steps<string> {
  const [made] = yield [{ name, arguments: input }]
  if (made && !made.result.isError) return plainResult(made.result.text)
  return yield* stop(joined(['- ', say('Not done: {problem}', { problem: problemOf(made?.result, name) })], ''))
}

/** Makes calls of one tool that changes something; the answer has `line` with its count, and each different failure. */
export function* change(name: string, inputs: readonly Input[], line: Answer): Plan {
  const calls = inputs.slice(0, mostCalls).map((input) => ({ name, arguments: input }))
  const made = yield calls
  return (language) => {
    const counts = new Map<string, number>()
    for (const { result } of made) {
      const told = describeResult(name, result, line)(language)
      const [, places = 1] = /.*(?:",| in) (\d+) places\b/.exec(readSentence(result)) ?? []
      const count = /^(?:apply|replace)/.test(name) ? Number(places) : 1
      counts.set(told, (counts.get(told) ?? 0) + count)
    }
    const lines = [...counts].map(([told, count]) => `- ${told}${count > 1 ? ` (${count}×)` : ''}`)
    const cut = say('I change at most {mostCalls} places at a time; repeat it to continue.', { mostCalls })
    return joined(calls.length === mostCalls ? [...lines, cut] : lines)(language)
  }
}

function describeResult(name: string, result: ToolResultMessage, line: Answer): Answer {
  const problem = problemOf(result, name)
  if (result.isError) return say(changesText.test(name) ? 'Not changed: {problem}' : 'Not done: {problem}', { problem })
  const sentence = readSentence(result)
  if (sentence.startsWith('Nothing to change')) return called('Nothing to change', sentence)
  // A person who approved a call may have changed it to something else than the command asked for.
  return isChanged(result.text) ? called('Done as you changed it', sentence) : line
}

// Tools explain their failures in English; in other languages their codes say enough.
function problemOf(result: ToolResultMessage | undefined, name: string): Answer {
  return result ? called(readErrorCode(result), readSentence(result)) : () => name
}
