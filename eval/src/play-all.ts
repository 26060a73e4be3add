import type { ModelProvider } from '@copydesk/agent'
import type { EvalCase, Turn } from './eval-case.ts'
import { checkOutcome, playCase, type PlayOptions } from './play-case.ts'
import type { Attempt } from './report.ts'

/** Plays cases one after the other, each `repeat` times, and reports every attempt as it ends. */
export async function playAll(
  cases: readonly EvalCase[],
  modelFor: (turn: Turn) => ModelProvider,
  options: PlayOptions & { repeat: number; onAttempt: (attempt: Attempt) => void },
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const each of cases) {
    for (let round = 0; round < options.repeat; round++) {
      const attempt = await playOnce(each, modelFor, options)
      attempts.push(attempt)
      options.onAttempt(attempt)
    }
  }
  return attempts
}

async function playOnce(
  given: EvalCase,
  modelFor: (turn: Turn) => ModelProvider,
  options: PlayOptions,
): Promise<Attempt> {
  const { id, group, ask } = given
  const outcome = await playCase(given, modelFor, options)
  const problem = checkOutcome(given, outcome)
  const tools = outcome.calls.map(({ tool, ok }) => (ok ? tool : `${tool} (failed)`))
  const { before, after, wrote } = outcome
  const changed = wrote && (before.markdown !== after.markdown || before.accepted !== after.accepted)
  const attempt = { id, group, ask, passed: problem === undefined, changed, answer: outcome.answer, tools }
  return problem === undefined ? attempt : { ...attempt, problem }
}
