import type { ToolCall, TranscriptMessage } from '../contract.ts'

/**
 * Reads the arguments of a call as a model wrote them. Nothing at all counts as an empty object, since models leave it
 * out for tools without arguments; whatever isn't a JSON object is kept in `malformed` for the loop to answer.
 */
export function readArguments(json: string): Pick<ToolCall, 'arguments' | 'malformed'> {
  if (json.trim() === '') return { arguments: {} }
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { arguments: Object.fromEntries(Object.entries(value)) }
    }
  } catch {
    // Falls through: what can't be parsed is malformed like what isn't an object.
  }
  return { arguments: {}, malformed: json }
}

/**
 * Gives out call ids that are unique within a run: the service's own if it is new, else one made from `prefix`, the
 * length of the conversation and a counter. Some servers send no ids, and others begin with `call_0` in every answer,
 * which would make the receipt of one call pass for another's.
 */
export function createCallIds(
  messages: readonly TranscriptMessage[],
  prefix: string,
): (given?: string | null) => string {
  const taken = new Set<string>()
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
