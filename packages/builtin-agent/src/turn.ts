import {
  continueInstruction,
  isClosingInstruction,
  type ModelRequest,
  readFences,
  type ToolCall,
  type ToolResultMessage,
  type TranscriptMessage,
} from '@copydesk/agent'

/** A call of this run with its result. */
export type Exchanged = { call: ToolCall; result: ToolResultMessage }

/** A call to make. */
export type Call = Pick<ToolCall, 'name' | 'arguments'>

/** The next step of a plan: an answer, or calls. */
export type Move = { text: string } | { calls: readonly Call[] }

/** The state of the built-in agent, derived from the request alone, so that a resumed run continues in the same way. */
export type Turn = {
  instruction: string
  selection: string | undefined
  /** The calls of this run so far, with their results. */
  made: readonly Exchanged[]
  rounds: number
  /** Whether every change becomes a suggestion. */
  isSuggesting: boolean
  /** Set when a limit ends the run: only text is requested. */
  isClosing: boolean
}

/** Derives the turn from a request, whose prompt fences the selection and has a line with the mode. */
export function readTurn(request: ModelRequest): Turn {
  const last = request.messages.at(-1)
  const isClosing = last?.role === 'user' && isClosingInstruction(last.text)
  const messages = isClosing ? request.messages.slice(0, -1) : request.messages
  const begin = messages.findLastIndex((message, at) => message.role === 'user' && !isContinuation(messages, at))
  const asked = messages[begin]
  const own = messages.slice(begin + 1)
  const answers = own.flatMap((message) => (message.role === 'assistant' && !message.closes ? [message] : []))
  const results = new Map(own.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])))
  const calls = answers.flatMap(({ toolCalls }) => toolCalls)
  const system = readFences(request.system)
  return {
    instruction: asked?.role === 'user' ? withoutData(asked.text) : '',
    selection: system.find(({ label }) => label === 'selection')?.text,
    made: calls.flatMap((call) => {
      const result = results.get(call.id)
      return result ? [{ call, result }] : []
    }),
    rounds: answers.length,
    isSuggesting: system.some(({ label, text }) => label === undefined && /^Mode: suggest\b/m.test(text)),
    isClosing,
  }
}

// A run with newly granted rounds continues its original instruction, not the message "Go on.".
function isContinuation(messages: readonly TranscriptMessage[], at: number): boolean {
  const message = messages[at]
  if (message?.role !== 'user' || message.text !== continueInstruction) return false
  const last = messages.slice(0, at).findLast(({ role }) => role === 'assistant')
  return last?.role === 'assistant' && last.closes === true
}

// Data that a host appends to an instruction is not part of the command.
function withoutData(text: string): string {
  const parts = readFences(text)
  const own = parts.filter(({ label }) => label === undefined)
  return (own.length > 0 ? own : parts)
    .map((part) => part.text)
    .join('\n')
    .trim()
}
