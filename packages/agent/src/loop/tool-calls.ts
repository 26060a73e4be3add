import { aborted, orAborted } from '../abort.ts'
import type { AgentRunOptions, AssistantMessage, ToolCall, ToolOutcome, ToolResultMessage } from '../contract.ts'
import type { RepetitionGuard } from './repetition.ts'
import { toResultMessage } from './transcript.ts'

type ToolOptions = Pick<AgentRunOptions, 'toolbox' | 'sink' | 'signal'> & { guard: RepetitionGuard }

/**
 * Executes the calls of one answer in order and saves each result before the next call starts. Calls that can't be
 * executed (cut off, malformed, unknown) get an error as their result, so that the model can mend them. Ends early when
 * the signal is aborted: the call that was being executed then has no saved result.
 */
export async function executeCalls(
  answer: AssistantMessage,
  calls: readonly ToolCall[],
  options: ToolOptions,
): Promise<{ stopped: boolean; results: ToolResultMessage[] }> {
  const results: ToolResultMessage[] = []
  for (const call of calls) {
    if (options.signal.aborted) return { stopped: true, results }
    await options.sink.saveStepStarted(call)
    const outcome = refuseCall(answer, call, options.toolbox) ?? (await execute(call, options))
    if (outcome === aborted) return { stopped: true, results }
    await options.sink.saveStepFinished(call, outcome)
    const result = toResultMessage(call, outcome)
    options.guard.note(call, result)
    results.push(result)
  }
  return { stopped: options.signal.aborted, results }
}

async function execute(call: ToolCall, { toolbox, signal }: ToolOptions): Promise<ToolOutcome | typeof aborted> {
  if (signal.aborted) return aborted
  try {
    return await orAborted(toolbox.execute(call, { signal }), signal)
  } catch (error) {
    if (signal.aborted) return aborted
    throw error
  }
}

// The error that a call gets instead of being executed, or nothing if it may be executed.
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
    const came = call.malformed.length > 200 ? `${call.malformed.slice(0, 200)}…` : call.malformed
    const text = `invalid_input: the arguments of ${call.name} must be one JSON object, but this came: ${came}`
    return { ok: false, text, summary: 'Not executed: the arguments could not be read' }
  }
  const names = toolbox.definitions.map((definition) => definition.name)
  if (names.includes(call.name)) return undefined
  const offered = names.length > 0 ? `Offered are: ${names.join(', ')}.` : 'No tools are offered.'
  const text = `unknown_tool: there is no tool ${JSON.stringify(call.name)} in this run. ${offered}`
  return { ok: false, text, summary: `Unknown tool ${call.name}` }
}
