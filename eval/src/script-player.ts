import type { AssistantMessage, ModelEvent, ModelProvider, ModelRequest, ToolCall } from '@copydesk/agent'
import type { PlannedCall, Script, ScriptMove } from './eval-case.ts'

/**
 * A model that plays a script: the n-th answer of a run is the n-th step. It reads where it is from the request alone.
 * A script that is over ends the run as failed.
 */
export function createScriptPlayer(script: Script): ModelProvider {
  return {
    id: 'scripted',
    model: 'scripted',
    async *stream(request): AsyncGenerator<ModelEvent> {
      const usage = { inputTokens: 0, outputTokens: 0 }
      const { round, results } = readTurn(request)
      const step = script[round]
      if (step === undefined) {
        const message = 'The script is over.'
        yield { type: 'failed', failure: { code: 'invalid_request', message, retryable: false }, usage }
        return
      }
      const move = typeof step === 'function' ? step(results) : step
      yield { type: 'done', message: toMessage(move, round), usage }
    },
  }
}

function readTurn({ messages }: ModelRequest): { round: number; results: string[] } {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const results = turn.flatMap((message) => (message.role === 'tool' ? message.text : []))
  return { round: turn.filter(({ role }) => role === 'assistant').length, results }
}

function toMessage(move: ScriptMove, round: number): AssistantMessage {
  const provider = 'scripted'
  if (typeof move === 'string') return { role: 'assistant', text: move, toolCalls: [], finish: 'stop', provider }
  const calls: readonly PlannedCall[] = 'tool' in move ? [move] : move
  const toolCalls = calls.map(({ tool, input }, index): ToolCall => {
    return { id: `script-${round}-${index}`, name: tool, arguments: { ...input } }
  })
  return { role: 'assistant', text: '', toolCalls, finish: 'tool_calls', provider }
}
