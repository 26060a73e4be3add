import { type AgentOutcome, runAgent, type TranscriptMessage } from '@copydesk/agent'
import type { RunRow } from '../store/tables.ts'
import { conversationBefore } from './conversation.ts'
import { openDesk, type Desk } from './desk.ts'
import { RunJournal, RunSuperseded } from './run-journal.ts'
import { waitUnlessAborted } from './wait.ts'
import type { AbortReason, RunWorkerDeps } from './worker-deps.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { activityOf, toolsRefusedNotice } from './wording.ts'

const nothingUsed = { rounds: 0, usage: { inputTokens: 0, outputTokens: 0 } }

/**
 * Executes a claimed run from where it is to its end: joins the document as a peer, runs the agent's loop with every
 * step stored before the next, and stores how it ended. A run that is aborted for `shutdown` or because another worker
 * has it stays as it is.
 */
export async function executeRun(run: RunRow, controller: AbortController, deps: RunWorkerDeps): Promise<void> {
  const journal = new RunJournal(run, deps)
  const { signal } = controller
  const timeout = setTimeout(() => controller.abort('timeout' satisfies AbortReason), deps.limits.runTimeoutMs)
  const transcript = await deps.runs.transcript(run.id)
  const said = new StreamedAnswer(transcript, (text) => showQuietly(run, journal, text, deps))
  let desk: Desk | undefined
  try {
    if (run.stop_requested) controller.abort('stop' satisfies AbortReason)
    const refusal = (await accessRefusal(run, deps)) ?? (await budgetRefusal(run, deps))
    if (refusal) return await journal.finish(refusal, said.text, false)
    desk = await openDesk(run, controller, journal, deps)
    const outcome = await loop(run, desk, transcript, said, journal, controller, deps)
    await said.close()
    if (isAbandoned(signal)) return
    await journal.finish(outcomeFor(outcome, signal, deps), said.text, desk.hasReceipts())
  } catch (error) {
    await said.close()
    if (isAbandoned(signal) || error instanceof RunSuperseded) return
    await finishAfterFailure(run, error, journal, said.text, signal, deps)
  } finally {
    clearTimeout(timeout)
    desk?.close()
  }
}

async function loop(
  run: RunRow,
  desk: Desk,
  transcript: readonly TranscriptMessage[],
  said: StreamedAnswer,
  journal: RunJournal,
  { signal }: AbortController,
  deps: RunWorkerDeps,
): Promise<AgentOutcome> {
  const before = await conversationBefore(run, deps.runs)
  let toolsRefused = false
  return runAgent({
    provider: deps.provider,
    toolbox: desk.toolbox,
    system: desk.systemPrompt(),
    transcript: [...before, { role: 'user', text: run.instruction }, ...transcript],
    progress: { rounds: run.rounds, usage: { inputTokens: run.input_tokens, outputTokens: run.output_tokens } },
    maxRounds: run.max_rounds,
    tokenLimit: deps.limits.runTokens,
    signal,
    wait: waitUnlessAborted,
    random: Math.random,
    sink: {
      onEvent(event) {
        if (event.type === 'round-started') desk.showActivity('Thinking…')
        if (event.type === 'text') said.add(event.text)
        if (event.type === 'text-discarded') said.discard()
        if (event.type === 'tool-call-started') desk.showActivity(activityOf(event.name), event.name)
        if (event.type === 'retrying') desk.showActivity('Waiting for the model…')
        if (event.type === 'tools-refused') toolsRefused = true
      },
      async saveAnswer(message, progress) {
        await journal.saveAnswer(message, progress)
        if (toolsRefused) await journal.saveNotice(toolsRefusedNotice)
        said.keep(message.text)
      },
      async saveStepStarted(call) {
        desk.showActivity(activityOf(call.name), call.name)
        await journal.saveStepStarted(call, activityOf(call.name))
      },
      saveStepFinished: (call, outcome) => journal.saveStepFinished(call, outcome, desk.coordinates()),
    },
  })
}

/** A run whose person may no longer open the document ends before it reads a word of it. */
async function accessRefusal(run: RunRow, deps: RunWorkerDeps): Promise<AgentOutcome | undefined> {
  const user = await deps.people.find(run.invoked_by)
  if (user && (await deps.access({ kind: 'person', user }, run.document))) return undefined
  const message = 'Whoever started this run may no longer open the document.'
  return { status: 'failed', answer: '', error: { code: 'forbidden', message }, ...nothingUsed }
}

/** A run that may not start because its person has used up the day's tokens ends before it costs anything. */
async function budgetRefusal(run: RunRow, { db, limits, now }: RunWorkerDeps): Promise<AgentOutcome | undefined> {
  if (limits.dailyTokens === undefined) return undefined
  const midnight = new Date(now()).setUTCHours(0, 0, 0, 0)
  const used = await db
    .selectFrom('runs')
    .select((eb) => [eb.fn.sum<number>('input_tokens').as('input'), eb.fn.sum<number>('output_tokens').as('output')])
    .where('invoked_by', '=', run.invoked_by)
    .where('created_at', '>=', midnight)
    .executeTakeFirst()
  if (Number(used?.input ?? 0) + Number(used?.output ?? 0) < limits.dailyTokens) return undefined
  const message = `You have used today's ${limits.dailyTokens} tokens. Ask again tomorrow, or ask the operator for more.`
  return { status: 'failed', answer: '', error: { code: 'budget_exceeded', message }, ...nothingUsed }
}

function outcomeFor(outcome: AgentOutcome, signal: AbortSignal, { limits }: RunWorkerDeps): AgentOutcome {
  if (signal.reason !== ('timeout' satisfies AbortReason)) return outcome
  const seconds = Math.round(limits.runTimeoutMs / 1000)
  return {
    ...outcome,
    status: 'failed',
    error: { code: 'timeout', message: `The run took longer than ${seconds} seconds and was ended.` },
  }
}

/** The run must be left as it is, for whoever takes it up next. */
function isAbandoned(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason
  return signal.aborted && (reason === 'shutdown' || reason === 'refused')
}

async function finishAfterFailure(
  run: RunRow,
  error: unknown,
  journal: RunJournal,
  said: string,
  signal: AbortSignal,
  deps: RunWorkerDeps,
): Promise<void> {
  const row = await deps.runs.findRow(run.id)
  const progress = {
    rounds: row?.rounds ?? run.rounds,
    usage: { inputTokens: row?.input_tokens ?? 0, outputTokens: row?.output_tokens ?? 0 },
  }
  if (signal.aborted && signal.reason !== ('broken' satisfies AbortReason)) {
    const stopped: AgentOutcome = { status: 'stopped', answer: said, ...progress }
    return journal.finish(outcomeFor(stopped, signal, deps), said, true)
  }
  deps.logger.error({ err: error, run: run.id }, 'a run failed')
  const message = 'Something went wrong on the server. Try again.'
  await journal.finish(
    { status: 'failed', answer: said, error: { code: 'internal', message }, ...progress },
    said,
    true,
  )
}

async function showQuietly(run: RunRow, journal: RunJournal, text: string, deps: RunWorkerDeps): Promise<void> {
  if (run.trigger_kind !== 'chat') return
  try {
    await journal.showAnswer(text)
  } catch (error) {
    // The complete answer is stored at the end; what fails here is only the watching.
    deps.logger.warn({ err: error, run: run.id }, 'an answer could not be shown while it was given')
  }
}
