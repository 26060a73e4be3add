import { asRecord, asRecords, asText, cut } from './wire.ts'
import type { ParsedMessage, Wire, WireEncoder, WireFinish } from './wire.ts'

const stopReasons: Record<WireFinish, string> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
}

/** Anthropic's Messages API: `POST /v1/messages`, named events. */
export const anthropicWire: Wire = {
  baseURL: (origin) => origin,
  parse: (_, body) => ({
    model: String(body['model']),
    system: asText(body['system']),
    messages: asRecords(body['messages']).flatMap(parseMessage),
    tools:
      asRecord(body['tool_choice'])['type'] === 'none'
        ? []
        : asRecords(body['tools']).map((tool) => String(tool['name'])),
    stream: body['stream'] === true,
    body,
  }),
  createEncoder: createAnthropicEncoder,
  error: ({ message, kind }) => ({ type: 'error', error: { type: kind ?? 'api_error', message } }),
  list: (models) => ({
    data: models.map((id) => ({ type: 'model', id, display_name: id })),
    has_more: false,
  }),
}

function parseMessage(message: Record<string, unknown>): ParsedMessage[] {
  const content = message['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asRecords(content)
  if (message['role'] === 'assistant') {
    const toolCalls = blocks
      .filter((block) => block['type'] === 'tool_use')
      .map((block) => ({ name: String(block['name']), arguments: block['input'] }))
    return [{ role: 'assistant', text: asText(blocks), toolCalls }]
  }
  return blocks.map((block): ParsedMessage => {
    if (block['type'] !== 'tool_result') return { role: 'user', text: String(block['text']) }
    return { role: 'tool', callId: String(block['tool_use_id']), text: asText(block['content']) }
  })
}

function createAnthropicEncoder(model: string): WireEncoder {
  let index = -1
  let textIsOpen = false
  const event = (data: { type: string; [key: string]: unknown }): string => {
    return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  }
  const open = (block: Record<string, unknown>): string => {
    index += 1
    return event({ type: 'content_block_start', index, content_block: block })
  }
  const delta = (value: Record<string, unknown>): string => event({ type: 'content_block_delta', index, delta: value })
  const close = (): string => event({ type: 'content_block_stop', index })
  const closeText = (): string => {
    if (!textIsOpen) return ''
    textIsOpen = false
    return close()
  }
  return {
    begin() {
      const usage = { input_tokens: 0, output_tokens: 0 }
      const message = {
        id: 'msg_played',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      }
      return event({ type: 'message_start', message }) + event({ type: 'ping' })
    },
    text(text) {
      const start = textIsOpen ? '' : open({ type: 'text', text: '' })
      textIsOpen = true
      return start + delta({ type: 'text_delta', text })
    },
    toolCall({ id, name, json }) {
      const start = closeText() + open({ type: 'tool_use', id, name, input: {} })
      const pieces = cut(json, 12).map((piece) => delta({ type: 'input_json_delta', partial_json: piece }))
      return [start, ...pieces, close()]
    },
    end(finish, usage) {
      const counted = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
      const stop = { stop_reason: stopReasons[finish], stop_sequence: null }
      return (
        closeText() + event({ type: 'message_delta', delta: stop, usage: counted }) + event({ type: 'message_stop' })
      )
    },
  }
}
