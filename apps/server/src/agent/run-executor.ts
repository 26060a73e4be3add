import { setTimeout as wait } from 'node:timers/promises'
import { type AgentEvent, type AgentOutcome, fenceAsData, runAgent, type TranscriptMessage } from '@copydesk/agent'
import { findTool, inEnglish, type Localizable, localizable } from '@copydesk/tools'
import { findCallableAgent } from '../agents/agent-rows.ts'
import type { RunRow } from '../store/tables.ts'
import { builtinRef } from '../models/model-ref.ts'
import { decisionsOf } from '../runs/decide-call.ts'
import { isFromOutside } from '../runs/outside-runs.ts'
import { RunSuperseded } from '../runs/run-lease.ts'
import { conversationBefore } from './conversation.ts'
import type { AbortReason } from './session/peer.ts'
import { openRunSession, type RunSession } from './session/run-session.ts'
import { createOutsideAgent, outsideRunMs } from './outside-agent.ts'
import { endIfRevoked } from './stop-run.ts'
import { idleClaimLimit, revokedError } from './run-ending.ts'
import { RunRecorder } from './run-recorder.ts'
import type { RunWorkerDeps } from './worker-deps.ts'
import { StreamedAnswer } from './streamed-answer.ts'

/**
 * Executes a claimed run from its current step to its end, or until it waits for users: joins the document as a peer,
 * executes the agent loop, stores every step before the next, and stores the outcome of the run. A run that is aborted
 * for `shutdown`, or because another worker has claimed it, stays unchanged. The time limit includes the time used by
 * earlier workers, and excludes waiting for users.
 */
export async function executeRun(run: RunRow, controller: AbortController, deps: RunWorkerDeps): Promise<void> {
  const recorder = new RunRecorder(run, deps)
  const { signal } = controller
  // A failed read rejects here; the worker retries the run later.
  const transcript = await deps.runs.transcript(run.id)
  const said = new StreamedAnswer(transcript, (text) => previewAnswer(run, recorder, text, deps))
  const limitMs = isFromOutside(run) ? outsideRunMs : deps.limits.runTimeoutMs
  const left = Math.max(0, limitMs - run.used_ms)
  const timeout = setTimeout(() => controller.abort('timeout' satisfies AbortReason), left)
  let runSession: RunSession | undefined
  let isWaiting = false
  try {
    if (run.stop_requested) controller.abort('stop' satisfies AbortReason)
    const refusal =
      idleRefusal(run) ??
      (await accessRefusal(run, deps)) ??
      (await agentRefusal(run, deps)) ??
      (await budgetRefusal(run, transcript, deps))
    // `true` if an earlier worker may have changed the document.
    if (refusal) return await recorder.finish(refusal, said.text, run.epoch > 1)
    const question = questionBack(run)
    if (question) return await recorder.finish(question, question.answer, run.epoch > 1)
    runSession = await openRunSession(run, controller, recorder, deps)
    const outcome = await loop(run, runSession, transcript, said, recorder, controller, deps)
    await said.close()
    await runSession.endWriting()
    if (isAbandoned(signal)) return await recorder.releaseClaim()
    isWaiting =
      outcome.status === 'awaiting_approval' &&
      !signal.aborted &&
      (await pauseForApproval(run, said.text, recorder, deps))
    if (isWaiting) return
    await recorder.finish(
      await withBudget(run, outcomeFor(outcome, signal, deps), deps),
      said.text,
      runSession.hasReceipts(),
    )
  } catch (error) {
    await said.close()
    await runSession?.endWriting()
    if (error instanceof RunSuperseded) return
    if (isAbandoned(signal)) return await recorder.releaseClaim()
    await finishAfterFailure(run, error, recorder, said.text, signal, deps)
  } finally {
    clearTimeout(timeout)
    runSession?.close(isWaiting)
  }
}

async function loop(
  run: RunRow,
  runSession: RunSession,
  transcript: readonly TranscriptMessage[],
  said: StreamedAnswer,
  recorder: RunRecorder,
  { signal }: AbortController,
  deps: RunWorkerDeps,
): Promise<AgentOutcome> {
  const before = await conversationBefore(run, deps)
  const asked: TranscriptMessage[] = [...before, ...contextOf(run), { role: 'user', text: run.instruction }]
  const decisions = decisionsOf(await deps.runs.steps(run.id))
  const model = isFromOutside(run) ? undefined : await deps.modelOf(run)
  if (model) recorder.uses({ name: model.provider.model, price: model.price })
  let toolsRefused = false
  return runAgent({
    ...(model
      ? {
          provider: model.provider,
          system: runSession.systemPrompt(),
          usedUp: async () => (await deps.budgets.usedUp(run))?.reason,
          // The built-in agent reads the transcript itself.
          ...(model.ref === builtinRef ? {} : { window: { tokens: model.contextTokens, asked: asked.length } }),
        }
      : { provider: createOutsideAgent(run, deps), system: '', mayRepeat: true }),
    toolbox: runSession.toolbox,
    transcript: [...asked, ...transcript],
    progress: progressOf(run),
    decisions,
    maxRounds: run.max_rounds,
    tokenLimit: await deps.budgets.tokensOfRun(run),
    signal,
    wait: (ms, signal) => wait(ms, undefined, { signal }),
    random: Math.random,
    sink: {
      onEvent(event) {
        showEvent(event, runSession, said)
        if (event.type === 'tools-refused') toolsRefused = true
      },
      async saveAnswer(message, progress) {
        await recorder.saveAnswer(message, progress)
        if (toolsRefused) await recorder.saveNotice(toolsRefusedNotice)
        said.keep(message.text)
      },
      saveSummary: (summary, progress) => recorder.saveSummary(summary, progress),
      async saveStepStarted(call) {
        const activity = activityOf(call.name, call.arguments)
        runSession.showActivity(activity, call.name)
        await recorder.saveStepStarted(call, activity)
      },
      saveStepHeld: (call, outcome) => recorder.saveStepHeld(call, outcome, runSession.coordinates()),
      async saveStepFinished(call, outcome) {
        runSession.writing.discard(call.id)
        await recorder.saveStepFinished(call, outcome, runSession.coordinates())
      },
    },
  })
}

/** Shows the progress of the loop in the document and in the chat. */
function showEvent(event: AgentEvent, runSession: RunSession, said: StreamedAnswer): void {
  if (event.type === 'round-started') runSession.answerStarted()
  if (event.type === 'text') said.add(event.text)
  if (event.type === 'text-discarded') {
    said.discard()
    runSession.writing.discardAll()
  }
  if (event.type === 'tool-call-started') {
    runSession.showActivity(activityOf(event.name), event.name)
    runSession.writing.started(event.callId, event.name)
  }
  if (event.type === 'tool-call-delta') runSession.writing.added(event.callId, event.json)
  if (event.type === 'retrying') runSession.showActivity(localizable`Waiting for the model…`)
}

/** Stores that the run waits for decisions of users; false if the run was stopped and must be ended instead. */
async function pauseForApproval(
  run: RunRow,
  said: string,
  recorder: RunRecorder,
  deps: RunWorkerDeps,
): Promise<boolean> {
  const status = await recorder.pauseForApproval(said)
  if (status === 'queued') deps.signals.publish({ kind: 'run-queued', run: run.id })
  // `endRevokedRuns` may have missed a run whose wait has just begun.
  else if (status === 'awaiting_approval') await endIfRevoked(await deps.runs.findRow(run.id), deps)
  return status !== 'stop_requested'
}

/** Refuses a run that was claimed repeatedly without progress; it would never end otherwise. */
function idleRefusal(run: RunRow): AgentOutcome | undefined {
  if (run.idle_claims <= idleClaimLimit) return undefined
  const message = localizable`The server gave up on this run after ${idleClaimLimit} attempts without progress.`
  return { status: 'failed', answer: '', error: endedBy('internal', message), ...progressOf(run) }
}

/** Refuses a run without access to the document before it reads any of it. */
async function accessRefusal(run: RunRow, deps: RunWorkerDeps): Promise<AgentOutcome | undefined> {
  if ((await deps.runAccess(run)) !== undefined) return undefined
  return { status: 'failed', answer: '', error: revokedError, ...progressOf(run) }
}

/** Refuses a run whose named agent was deleted or paused by an operator, or may no longer work in this document. */
async function agentRefusal(run: RunRow, { db }: RunWorkerDeps): Promise<AgentOutcome | undefined> {
  if (run.agent === null || (await findCallableAgent(db, run.agent, run.document))) return undefined
  const gone = localizable`${run.agent_name ?? ''} no longer works in this document. Ask another agent, or an operator.`
  return { status: 'failed', answer: '', error: endedBy('forbidden', gone), ...progressOf(run) }
}

/**
 * The other people's text next to a mention, or the comment that triggered an agent, as information: only the sender
 * and the operator give instructions.
 */
function contextOf({ context, trigger_kind: kind }: RunRow): TranscriptMessage[] {
  if (context === null) return []
  const what = kind === 'mention' ? 'the text next to the mention, parts of which others wrote' : 'the new comment'
  return [{ role: 'user', text: fenceAsData(what, context) }]
}

/**
 * The answer to a mention without an instruction of its sender: a question. Other people's text in that block is not a
 * request; no model is called with it.
 */
function questionBack(run: RunRow): AgentOutcome | undefined {
  if (run.trigger_kind !== 'mention' || run.instruction !== '') return undefined
  return {
    status: 'completed',
    answer: run.context === null ? whatToDo : `${othersWords} ${whatToDo}`,
    ...progressOf(run),
  }
}

/** Refuses a run before its first model call if a budget is used up. */
async function budgetRefusal(
  run: RunRow,
  transcript: readonly TranscriptMessage[],
  deps: RunWorkerDeps,
): Promise<AgentOutcome | undefined> {
  // A run in progress ends with a final model call; a continued run counts as new.
  const last = transcript.at(-1)
  const isUnderWay = last !== undefined && (last.role !== 'user' || last.summarises !== undefined)
  const spent = isUnderWay || isFromOutside(run) ? undefined : await deps.budgets.usedUp(run)
  return spent && { status: 'failed', answer: '', error: endedBy('budget_exceeded', spent.text), ...progressOf(run) }
}

function endedBy(code: string, text: Localizable): NonNullable<AgentOutcome['error']> {
  return { code, message: inEnglish(text), localizable: text }
}

function outcomeFor(outcome: AgentOutcome, signal: AbortSignal, { limits }: RunWorkerDeps): AgentOutcome {
  if (signal.reason === ('revoked' satisfies AbortReason)) return { ...outcome, status: 'failed', error: revokedError }
  if (signal.reason !== ('timeout' satisfies AbortReason)) {
    return outcome.status === 'awaiting_approval' ? { ...outcome, status: 'stopped' } : outcome
  }
  const seconds = Math.round(limits.runTimeoutMs / 1000)
  return {
    ...outcome,
    status: 'failed',
    error: endedBy('timeout', localizable`The run took longer than ${seconds} seconds and was ended.`),
  }
}

/** Adds the used-up budget to the outcome of a run that reached its limit before its last round. */
async function withBudget(run: RunRow, outcome: AgentOutcome, deps: RunWorkerDeps): Promise<AgentOutcome> {
  if (outcome.status !== 'limit_reached' || outcome.rounds >= run.max_rounds) return outcome
  const spent = await deps.budgets.usedUp(run)
  return spent ? { ...outcome, error: endedBy('budget_exceeded', spent.text) } : outcome
}

function progressOf(run: RunRow): Pick<AgentOutcome, 'rounds' | 'usage'> {
  return { rounds: run.rounds, usage: { inputTokens: run.input_tokens, outputTokens: run.output_tokens } }
}

/** Whether the run must be left unchanged for the next worker. */
function isAbandoned(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason
  return signal.aborted && (reason === 'shutdown' || reason === 'refused')
}

async function finishAfterFailure(
  run: RunRow,
  error: unknown,
  recorder: RunRecorder,
  said: string,
  signal: AbortSignal,
  deps: RunWorkerDeps,
): Promise<void> {
  const progress = progressOf((await deps.runs.findRow(run.id)) ?? run)
  if (signal.aborted && signal.reason !== ('broken' satisfies AbortReason)) {
    const stopped: AgentOutcome = { status: 'stopped', answer: said, ...progress }
    return recorder.finish(outcomeFor(stopped, signal, deps), said, true)
  }
  deps.logger.error({ err: error, run: run.id }, 'a run failed')
  const message = 'Something went wrong on the server. Try again.'
  await recorder.finish(
    { status: 'failed', answer: said, error: { code: 'internal', message }, ...progress },
    said,
    true,
  )
}

async function previewAnswer(run: RunRow, recorder: RunRecorder, text: string, deps: RunWorkerDeps): Promise<void> {
  if (run.trigger_kind !== 'chat') return
  try {
    await recorder.showAnswer(text)
  } catch (error) {
    // Only the preview failed; the complete answer is stored at the end.
    deps.logger.warn({ err: error, run: run.id }, 'an answer could not be streamed')
  }
}

/** The notice for a model that doesn't support tools, which is known only after its first call. */
const toolsRefusedNotice = "This model can't use tools: it answers, but it can't read or change the document."

/** The agent's question if the mention has no instruction of its sender. */
const whatToDo = 'What would you like me to do? Tell me in a reply here.'

/** The reason for the question if there is text next to the mention. */
const othersWords = 'You did not write the text next to this mention, so I have not taken it as your request.'

/** A short label of a tool call, shown to users during its execution. */
function activityOf(tool: string, input?: unknown): Localizable {
  return findTool(tool)?.activity(input) ?? localizable`Working…`
}
