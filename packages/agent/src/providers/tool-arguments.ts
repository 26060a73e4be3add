import type { ToolCall, ModelRequest } from '../contract.ts'

/**
 * Parses the arguments of a call as a model wrote them. An empty text counts as an empty object, since models send none
 * for tools without arguments; anything that isn't a JSON object is kept in `malformed` for the loop to report.
 */
export function readArguments(json: string): Pick<ToolCall, 'arguments' | 'malformed'> {
  if (json.trim() === '') return { arguments: {} }
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { arguments: Object.fromEntries(Object.entries(value)) }
    }
  } catch {
    // Falls through: unparsable text is malformed, like a value that isn't an object.
  }
  return { arguments: {}, malformed: json }
}

/**
 * Assigns call ids that are unique within a run: the service's own id if it is new, else one made from `prefix`, the
 * length of the conversation and a counter. Some servers send no ids, and others begin with `call_0` in every answer,
 * so that the receipt of one call would match another.
 */
export function createCallIds(
  { messages, earlierCalls = [] }: Pick<ModelRequest, 'messages' | 'earlierCalls'>,
  prefix: string,
): (given?: string | null) => string {
  const taken = new Set(earlierCalls)
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) taken.add(call.id)
  }
  let made = 0
  return (given) => {
    let id = given ?? ''
    while (id === '' || taken.has(id)) id = `${prefix}${messages.length}_${made++}`
    taken.add(id)
    return id
  }
}
