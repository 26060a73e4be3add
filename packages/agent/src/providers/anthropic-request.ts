import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { AssistantMessage, JsonSchema, ModelRequest, TranscriptMessage } from '../contract.ts'

/**
 * Converts a conversation to Anthropic's format. All results of one answer and a person's message after them become one
 * user message, as the service requires; answers of other providers are rebuilt from text and calls.
 */
export function toAnthropicMessages(messages: readonly TranscriptMessage[]): MessageParam[] {
  const params: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = []
  // The service requires a user message first, and a stored conversation may begin in the middle.
  if (messages[0]?.role === 'assistant') params.push({ role: 'user', content: [{ type: 'text', text: '(…)' }] })
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = toContent(message)
    if (content.length === 0) continue
    const last = params.at(-1)
    if (last && last.role === role) last.content.push(...content)
    else params.push({ role, content })
  }
  return params
}

/**
 * The tools of a request. The service refuses a conversation with calls unless tools are declared: if the request
 * offers none, the names of the called tools are declared with a tool choice of `none`.
 */
export function toAnthropicTools(request: ModelRequest): Pick<MessageCreateParamsStreaming, 'tools' | 'tool_choice'> {
  if (request.tools.length > 0) {
    return {
      tools: request.tools.map((tool, index) => ({
        name: tool.name,
        description: tool.description,
        input_schema: toInputSchema(tool.inputSchema.jsonSchema),
        // Without this field each argument arrives as a whole, and users could not follow the writing of a text.
        eager_input_streaming: true,
        // Another marker on the last tool: other runs with the same tools read them from the cache.
        ...(index === request.tools.length - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
      })),
    }
  }
  const used = new Set<string>()
  for (const message of request.messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) used.add(call.name)
  }
  if (used.size === 0) return {}
  const tools = [...used].map((name): Tool => ({ name, input_schema: { type: 'object' } }))
  return { tools, tool_choice: { type: 'none' } }
}

function toInputSchema(schema: JsonSchema): Tool.InputSchema {
  return { ...schema, type: 'object' }
}

function toContent(message: TranscriptMessage): ContentBlockParam[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'text', text: message.text || '(nothing)' }]
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: toAcceptedId(message.callId),
          content: message.text || '(empty)',
          is_error: message.isError,
        },
      ]
    case 'assistant':
      return ownBlocks(message) ?? rebuiltBlocks(message)
  }
}

function ownBlocks(message: AssistantMessage): ContentBlockParam[] | undefined {
  if (message.provider !== 'anthropic' || !Array.isArray(message.opaque)) return undefined
  // Stored by this provider: the service's own blocks, which it accepts unchanged.
  return message.opaque as ContentBlockParam[]
}

function rebuiltBlocks(message: AssistantMessage): ContentBlockParam[] {
  const content: ContentBlockParam[] = []
  if (message.text.trim()) content.push({ type: 'text', text: message.text })
  for (const call of message.toolCalls) {
    content.push({ type: 'tool_use', id: toAcceptedId(call.id), name: call.name, input: call.arguments })
  }
  return content
}

// Ids of other providers may contain characters that this service refuses; the ids of results are converted in the same
// way.
function toAcceptedId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}
