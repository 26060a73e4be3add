import { aborted, orAborted } from '../abort.ts'
import type {
  AgentRunOptions,
  AssistantMessage,
  CallDecision,
  ToolCall,
  ToolOutcome,
  ToolResultMessage,
} from '../contract.ts'
import type { RepetitionGuard } from './repetition.ts'
import { toResultMessage } from './transcript.ts'
import { changedArgumentsNote, rejectedText } from './loop-messages.ts'

type ToolOptions = Pick<AgentRunOptions, 'toolbox' | 'sink' | 'signal' | 'decisions'> & { guard: RepetitionGuard }

/**
 * The outcome of the calls of one answer: `done`, `stopped` by the signal, or `held` because at least one waits for
 * approval. `results` are the saved ones.
 */
export type CallsOutcome = { end: 'done' | 'stopped' | 'held'; results: ToolResultMessage[] }

/**
 * Executes the calls of one answer in order and saves each result before the next call starts. Calls that can't be
 * executed (cut off, malformed, unknown) get an error as their result, so that the model can correct them. A held call
 * gets no result, and the calls after it continue. Ends early when the signal is aborted: the call in execution then
 * has no saved result.
 */
export async function executeCalls(
  answer: AssistantMessage,
  calls: readonly ToolCall[],
  options: ToolOptions,
): Promise<CallsOutcome> {
  const results: ToolResultMessage[] = []
  let end: CallsOutcome['end'] = 'done'
  for (const call of calls) {
    if (options.signal.aborted) return { end: 'stopped', results }
    const outcome = await takeCall(answer, call, options)
    if (outcome === aborted) return { end: 'stopped', results }
    if (outcome.held) {
      end = 'held'
      continue
    }
    const result = toResultMessage(call, outcome)
    options.guard.note(call, result)
    results.push(result)
  }
  return { end: options.signal.aborted ? 'stopped' : end, results }
}

async function takeCall(
  answer: AssistantMessage,
  call: ToolCall,
  options: ToolOptions,
): Promise<ToolOutcome | typeof aborted> {
  const { sink, toolbox, decisions } = options
  const decision = decisions?.get(call.id)
  if (decision?.kind === 'waiting') return { ok: false, text: '', summary: '', held: [] }
  if (decision?.kind === 'rejected') {
    const text = rejectedText(decision.by, decision.reason)
    const outcome: ToolOutcome = { ok: false, text, summary: `Rejected by ${decision.by}`, rejected: true }
    await sink.saveStepFinished(call, outcome)
    return outcome
  }
  await sink.saveStepStarted(call)
  const outcome = refuseCall(answer, call, toolbox) ?? (await execute(call, decision, options))
  if (outcome === aborted) return aborted
  await (outcome.held ? sink.saveStepHeld(call, outcome) : sink.saveStepFinished(call, outcome))
  return outcome
}

async function execute(
  call: ToolCall,
  approval: Extract<CallDecision, { kind: 'approved' }> | undefined,
  { toolbox, signal }: ToolOptions,
): Promise<ToolOutcome | typeof aborted> {
  if (signal.aborted) return aborted
  const given = approval?.arguments ?? call.arguments
  const options = approval ? { signal, approved: true } : { signal }
  try {
    const outcome = await orAborted(toolbox.execute({ ...call, arguments: given }, options), signal)
    if (outcome === aborted || approval?.arguments === undefined) return outcome
    return { ...outcome, text: changedArgumentsNote(approval.by, approval.arguments) + outcome.text }
  } catch (error) {
    if (signal.aborted) return aborted
    throw error
  }
}

// The error result of a call that must not be executed; undefined if it may be executed.
function refuseCall(
  answer: AssistantMessage,
  call: ToolCall,
  toolbox: AgentRunOptions['toolbox'],
): ToolOutcome | undefined {
  if (answer.finish === 'length') {
    const text =
      'invalid_input: your answer was cut off at the output limit, so none of its calls was executed. ' +
      'Make the same change in smaller calls.'
    return { ok: false, text, summary: 'Not executed: the answer was cut off' }
  }
  if (call.malformed !== undefined) {
    const received = call.malformed.length > 200 ? `${call.malformed.slice(0, 200)}…` : call.malformed
    const text = `invalid_input: the arguments of ${call.name} must be one JSON object, but this came: ${received}`
    return { ok: false, text, summary: 'Not executed: the arguments could not be read' }
  }
  const names = toolbox.definitions.map((definition) => definition.name)
  if (names.includes(call.name) || toolbox.accepts?.(call.name) === true) return undefined
  const offered = names.length > 0 ? `Offered are: ${names.join(', ')}.` : 'No tools are offered.'
  const text = `unknown_tool: there is no tool ${JSON.stringify(call.name)} in this run. ${offered}`
  return {
    ok: false,
    text,
    summary: `Unknown tool ${call.name}`,
    localizable: { key: 'Unknown tool {0}', values: [call.name] },
  }
}
