import type { ChatStep } from '@copydesk/agent-panel'
import type { Localizable, Run, Step } from '@copydesk/protocol'
import { outcomeOf, type RunOutcome } from '../../editor/agent-edits/run-outcome.ts'
import { type EnglishText, sentText, t } from '../../i18n/translate.ts'

/**
 * A run's description for users: its activity or result, and whether it can be stopped. `rounds` is its progress while
 * it works: `2 of 3` in its plan if it has one, else `round 2 of 8`. `tool` is the tool in use, `isWaiting` whether it
 * waits for approval.
 */
export type RunView = {
  tone: 'going' | 'good' | 'problem' | 'quiet'
  headline: string
  rounds: string | null
  problem: string | null
  canStop: boolean
  tool?: string | undefined
  isWaiting?: boolean
}

/** Describes a run. `queuedBehindOwn`: whether another run of the same user is still active. */
export function viewRun(run: Run, queuedBehindOwn: boolean): RunView {
  const base = { rounds: null, problem: null, canStop: false }
  switch (run.status) {
    case 'queued': {
      const waiting = t(queuedBehindOwn ? 'Waiting for your other request' : 'Waiting to start')
      return { ...base, tone: 'going', headline: waiting, canStop: true }
    }
    case 'running':
      return {
        ...base,
        tone: 'going',
        headline: doing(run),
        rounds: placeOf(run),
        canStop: true,
        tool: runningStep(run)?.tool,
      }
    case 'awaiting_approval':
      return {
        ...base,
        tone: 'going',
        headline: t('Waiting for approval'),
        canStop: true,
        isWaiting: true,
      }
    case 'completed':
      return { ...base, ...viewOutcome(outcomeOf(run)) }
    case 'stopped':
      return { ...base, tone: 'quiet', headline: t('Stopped') }
    case 'failed':
      return {
        ...base,
        tone: 'problem',
        headline: t('Failed'),
        problem: describeProblem(run.error),
      }
    case 'limit_reached':
      return {
        ...base,
        tone: 'problem',
        headline: t('Stopped at its limit'),
        problem: run.error ? inUsersLanguage(run.error.message, run.error.localizable) : usedAll(run.maxRounds),
      }
  }
}

const outcomes: Record<RunOutcome, { tone: RunView['tone']; headline: EnglishText }> = {
  done: { tone: 'good', headline: 'Done' },
  answered: { tone: 'good', headline: 'Answered' },
  'not-done': { tone: 'quiet', headline: 'Not done' },
}

function viewOutcome(outcome: RunOutcome): Pick<RunView, 'tone' | 'headline'> {
  const { tone, headline } = outcomes[outcome]
  return { tone, headline: t(headline) }
}

function usedAll(count: number): string {
  return t('It used all {count, number} rounds. Continue to give it as many again.', { count })
}

/** A notice or an error of a run, in the user's language. */
export function inUsersLanguage(sent: string, localizable?: Localizable): string {
  return sentText(sent, localizable) ?? sent
}

/** The present or past activity of a step, in the user's language. */
export function stepTitle({ summary, localizable }: Pick<Step, 'summary' | 'localizable'>): string {
  return inUsersLanguage(summary, localizable)
}

/** Why a step failed and the hint to the agent, in the user's language. */
export function problemInWords({ message, hint, localizable }: NonNullable<Step['error']>): ChatStep['error'] {
  const words = { message: inUsersLanguage(message, localizable?.message) }
  return hint === undefined ? words : { ...words, hint: inUsersLanguage(hint, localizable?.hint) }
}

/** The beginning of the text that a step read, with the tool's own text around it in the user's language. */
export function readInWords({ read, summary, localizable }: Pick<Step, 'read' | 'summary' | 'localizable'>) {
  if (read === undefined) return undefined
  const title = summary !== '' && read.startsWith(summary) ? stepTitle({ summary, localizable }) : undefined
  const text = title === undefined ? read : title + read.slice(summary.length)
  return text
    .replace(/^Title: (.*)\n((\d+) blocks?, (\d+) words?)$/m, (_whole, ...[name, sent, blocks, words]: string[]) => {
      const size = { key: '{0} blocks, {1} words', values: [blocks ?? '', words ?? ''] }
      return `${t('Title')}: ${name}\n${inUsersLanguage(sent ?? '', size)}`
    })
    .replaceAll(/^…and (\d+) more: .*$/gm, (_whole, count: string) =>
      t('…and {count, number} more', { count: Number(count) }),
    )
}

function doing(run: Run): string {
  const step = runningStep(run)
  return (step && stepTitle(step)) || t(run.trigger.kind === 'api' ? 'Connected' : 'Thinking…')
}

function runningStep({ steps }: Run): Run['steps'][number] | undefined {
  const last = steps.at(-1)
  return last?.status === 'running' ? last : undefined
}

/** The progress of a run, by its plan, else by its rounds; null for an outside agent, whose rounds show no progress. */
function placeOf(run: Run): string | null {
  const { rounds, maxRounds: count, trigger } = run
  if (trigger.kind === 'api') return planned(run) ?? null
  return (
    planned(run) ?? t('round {position, number} of {count, number}', { position: Math.min(rounds + 1, count), count })
  )
}

/** The current part of a run's plan, as `2 of 8`; undefined without a plan of several parts. */
function planned({ plan = [] }: Run): string | undefined {
  if (plan.length < 2) return undefined
  const doing = plan.findIndex(({ state }) => state === 'doing')
  const done = plan.filter(({ state }) => state === 'done').length
  const position = doing >= 0 ? doing + 1 : Math.min(done + 1, plan.length)
  return t('{position, number} of {count, number}', { position, count: plan.length })
}

/** An agent's answer, with the sentences that the agent loop has added in the user's language. */
export function answerInWords(answer: string): string {
  return loopSentences.reduce(
    (text, { key, pattern }) =>
      text.replace(pattern, (sentence, value: unknown) =>
        inUsersLanguage(sentence, { key, values: typeof value === 'string' ? [inUsersLanguage(value)] : [] }),
      ),
    answer,
  )
}

// `packages/agent/src/loop/loop-messages.ts`
const loopSentences = [
  'I stopped because I called {0} three times in the same way and got the same result each time. Please say it in other words, or point me to the place.',
  'I stopped here because the {0} of this run are used up. What I changed so far stays; the rest is not done.',
  'The model declined to answer this.',
  'The model finished without saying anything.',
  '(The answer was cut off at the output limit.)',
].map((key) => ({ key, pattern: new RegExp(key.replaceAll(/[().]/g, '\\$&').replace('{0}', '(.+?)')) }))

/** Whether the run is queued while another one of the same user in this document is active. */
export function isQueuedBehind(run: Run, runs: Iterable<Run>): boolean {
  if (run.status !== 'queued') return false
  for (const other of runs) {
    const going = other.status === 'running' || other.status === 'awaiting_approval' || other.status === 'queued'
    const earlier = other.id !== run.id && other.createdAt <= run.createdAt
    if (going && earlier && other.invokedBy.id === run.invokedBy.id && hasSameAgent(other, run)) return true
  }
  return false
}

function hasSameAgent(a: Run, b: Run): boolean {
  return a.agent?.id === b.agent?.id && a.trigger.kind !== 'api'
}

const inWords: Readonly<Record<string, EnglishText>> = {
  overloaded: 'The model service is overloaded. Try again.',
  network: 'The model service can’t be reached. Try again.',
  stalled: 'The model stopped in the middle of its answer. Try again.',
  invalid_response: 'The model’s answer couldn’t be read. Try again.',
  rate_limited: 'The model service gets too many requests right now. Wait a minute, then try again.',
  unauthorized: 'The model service doesn’t accept this server’s key. Ask the operator of this server to check it.',
  tools_unsupported:
    'This model can’t use tools, so it can’t work on the document. Ask the operator of this server for another one.',
}

const spent: EnglishText = 'The server’s account at the model service is used up. Ask the operator of this server.'
// For these codes the server itself wrote the message.
const serverErrorCodes = new Set(['internal', 'timeout', 'budget_exceeded', 'forbidden', 'limit_reached'])
const longest = 300

/**
 * Why a run failed and what the user can do, in plain words; the provider's message is appended only if it reads like a
 * sentence.
 */
export function describeProblem(error: Run['error']): string {
  if (!error) return t('Something went wrong. Try again.')
  const { code, message, localizable } = error
  if (serverErrorCodes.has(code)) return inUsersLanguage(message, localizable)
  if (code === 'rate_limited' && /quota|credit|billing/i.test(message)) return t(spent)
  const words = inWords[code]
  if (words !== undefined) return t(words)
  const detail = readable(message)
  return detail === undefined
    ? t('The model service refused the request. Try again, or ask the operator of this server.')
    : t('The model service refused the request. It says: {detail}', { detail })
}

function readable(message: string): string | undefined {
  const text = message.trim()
  return text === '' || text.length > longest || /[{}<>[\]]|\n/.test(text) ? undefined : text
}
