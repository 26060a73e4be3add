import type {
  AssistantMessage,
  ModelEvent,
  ModelFailure,
  ModelProvider,
  ModelRequest,
  ToolCall,
  Usage,
} from '../src/contract.ts'

/**
 * One answer of a scripted provider: pieces of text and calls, and how it ends. `failure` ends it as a failure, `ends`
 * without a final event, `hangs` never, and `throws` with an exception, which the contract forbids.
 */
export type ScriptedReply = {
  text?: string[]
  calls?: ToolCall[]
  finish?: AssistantMessage['finish']
  usage?: Usage
  failure?: ModelFailure
  ends?: boolean
  hangs?: boolean
  throws?: Error
}

/** A provider without a service: returns the replies in order and records the requests. For tests of the loop. */
export function createScriptedProvider(
  replies: readonly ScriptedReply[],
): ModelProvider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    id: 'scripted',
    model: 'scripted',
    requests,
    async *stream(request): AsyncGenerator<ModelEvent> {
      const reply = replies[requests.length]
      requests.push(request)
      const usage = reply?.usage ?? { inputTokens: 0, outputTokens: 0 }
      if (!reply) {
        yield {
          type: 'failed',
          failure: { code: 'invalid_request', message: 'The script is over.', retryable: false },
          usage,
        }
        return
      }
      if (reply.throws) throw reply.throws
      for (const text of reply.text ?? []) yield { type: 'text', text }
      if (reply.hangs) await new Promise(() => undefined)
      for (const call of reply.calls ?? []) {
        yield { type: 'tool-call-started', id: call.id, name: call.name }
        yield { type: 'tool-call-delta', id: call.id, json: call.malformed ?? JSON.stringify(call.arguments) }
      }
      if (reply.ends) return
      if (reply.failure) yield { type: 'failed', failure: reply.failure, usage }
      else yield { type: 'done', message: toMessage(reply), usage }
    },
  }
}

function toMessage(reply: ScriptedReply): AssistantMessage {
  const toolCalls = reply.calls ?? []
  const finish = reply.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
  return { role: 'assistant', text: (reply.text ?? []).join(''), toolCalls, finish, provider: 'scripted' }
}
