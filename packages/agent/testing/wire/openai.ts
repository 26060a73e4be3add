import { asRecord, asRecords, asText, cut } from './wire.ts'
import type { ParsedMessage, Wire, WireEncoder, WireFinish } from './wire.ts'

const finishReasons: Record<WireFinish, string> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  refused: 'content_filter',
}

/** Chat Completions: `POST /v1/chat/completions`, chunks that end with `[DONE]`. */
export const openaiWire: Wire = {
  baseURL: (origin) => `${origin}/v1`,
  parse(_, body) {
    const all = asRecords(body['messages'])
    const isSystem = (message: Record<string, unknown>): boolean =>
      /^(?:system|developer)$/.test(String(message['role']))
    return {
      model: String(body['model']),
      system: all
        .filter(isSystem)
        .map((message) => asText(message['content']))
        .join('\n'),
      messages: all.filter((message) => !isSystem(message)).map(parseMessage),
      tools: asRecords(body['tools']).map((tool) => String(asRecord(tool['function'])['name'])),
      stream: body['stream'] === true,
      body,
    }
  },
  createEncoder: createOpenAIEncoder,
  error: ({ message, kind }) => ({ error: { message, type: kind ?? 'server_error', param: null, code: kind ?? null } }),
  list: (models) => ({ object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: 'played' })) }),
}

function parseMessage(message: Record<string, unknown>): ParsedMessage {
  const text = asText(message['content'])
  if (message['role'] === 'tool') return { role: 'tool', callId: String(message['tool_call_id']), text }
  if (message['role'] !== 'assistant') return { role: 'user', text }
  const toolCalls = asRecords(message['tool_calls']).map((call) => {
    const { name, arguments: json } = asRecord(call['function'])
    return { name: String(name), arguments: JSON.parse(String(json)) as unknown }
  })
  return { role: 'assistant', text, toolCalls }
}

function createOpenAIEncoder(model: string): WireEncoder {
  let index = -1
  const chunk = (more: Record<string, unknown>): string => {
    const data = { id: 'chatcmpl-played', object: 'chat.completion.chunk', created: 1_795_000_000, model, ...more }
    return `data: ${JSON.stringify(data)}\n\n`
  }
  const choice = (delta: Record<string, unknown>, finish: string | null = null): string => {
    return chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null })
  }
  return {
    begin: () => choice({ role: 'assistant', content: '' }),
    text: (text) => choice({ content: text }),
    toolCall({ id, name, json }) {
      index += 1
      const start = choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
      const pieces = cut(json, 12).map((piece) => choice({ tool_calls: [{ index, function: { arguments: piece } }] }))
      return [start, ...pieces]
    },
    end(finish, usage) {
      const counted = {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
      }
      return choice({}, finishReasons[finish]) + chunk({ choices: [], usage: counted }) + 'data: [DONE]\n\n'
    },
  }
}
