import { aborted } from '../abort.ts'
import type {
  AgentRunOptions,
  ModelRequest,
  ToolDefinition,
  TranscriptMessage,
  Usage,
  UserMessage,
} from '../contract.ts'
import { callModel } from './model-call.ts'
import { summaryInstruction } from './shortening.ts'
import { completeResults } from './transcript.ts'
import { fitWindow, fixedTokensOf, tokensOf } from './window.ts'

type RunSoFar = { messages: TranscriptMessage[]; rounds: number; usage: Usage }
type Asked = { system: string; tools: readonly ToolDefinition[]; instruction: string | undefined }
type Fitted = Pick<ModelRequest, 'messages' | 'earlierCalls'>

const longestSummary = 8_000

/**
 * The messages of the next request: all, or those that fit into the window of the run. If shortening older results is
 * not enough, the model first summarises the earlier part of the run; the summary is saved, so that its cost arises
 * once. A closing call (`instruction`) uses shortened texts instead, because its run has used up its limit.
 */
export async function fitMessages(
  asked: Asked,
  run: RunSoFar,
  options: AgentRunOptions,
): Promise<Fitted | typeof aborted> {
  const { window } = options
  const closing: UserMessage[] = asked.instruction === undefined ? [] : [{ role: 'user', text: asked.instruction }]
  if (!window) return { messages: [...completeResults(run.messages), ...closing] }
  const fixed = fixedTokensOf(asked) + tokensOf(closing)
  for (;;) {
    const { messages, summarise } = fitWindow(run.messages, { ...window, fixed })
    if (!summarise || closing.length > 0) {
      return { messages: [...messages, ...closing], earlierCalls: callsOf(run.messages) }
    }
    const text = await summaryOf(summarise.messages, asked.system, run, options)
    if (text === aborted) return aborted
    const summary: UserMessage = { role: 'user', text, summarises: summarise.end - window.asked }
    run.messages.push(summary)
    await options.sink.saveSummary?.(summary, { rounds: run.rounds, usage: { ...run.usage } })
  }
}

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}

async function summaryOf(
  messages: TranscriptMessage[],
  system: string,
  run: RunSoFar,
  options: AgentRunOptions,
): Promise<string | typeof aborted> {
  const request = {
    system,
    messages: [...messages, { role: 'user' as const, text: summaryInstruction }],
    tools: [],
  }
  const result = await callModel(request, {
    ...options,
    // The text of this call is only for the model.
    onEvent: (event) => (event.type === 'retrying' ? options.sink.onEvent(event) : undefined),
  })
  run.usage = addUsage(run.usage, result.usage)
  if (result.kind === 'stopped') return aborted
  const text = result.kind === 'answer' ? result.message.text.trim() : ''
  return (text === '' ? listOfCalls(messages) : text).slice(0, longestSummary).toWellFormed()
}

/** The replacement for a summary that the model didn't write: the list of its calls. */
function listOfCalls(messages: readonly TranscriptMessage[]): string {
  const failed = new Set(messages.flatMap((each) => (each.role === 'tool' && each.isError ? [each.callId] : [])))
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
  const lines = calls.map(({ id, name, arguments: given }) => {
    return `- ${name} ${JSON.stringify(given).slice(0, 200)}${failed.has(id) ? ' (failed)' : ''}`
  })
  return `The calls that were made:\n${lines.join('\n')}`
}

function callsOf(messages: readonly TranscriptMessage[]): string[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : []))
}
