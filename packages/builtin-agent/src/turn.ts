import { continueInstruction, isClosingInstruction, type ModelRequest, readFences } from '@copydesk/agent'
import type { ToolCall, ToolResultMessage, TranscriptMessage } from '@copydesk/agent'
import { withoutRequest } from './results.ts'

/** A call of this run with its result. */
export type Exchanged = { call: ToolCall; result: ToolResultMessage }

/** The next step of a plan: an answer, or calls. */
export type Move = { text: string } | { calls: readonly Pick<ToolCall, 'name' | 'arguments'>[] }

/** The state of the built-in agent, derived from the request alone, so that a resumed run continues in the same way. */
export type Turn = {
  instruction: string
  selection: string | undefined
  /** The calls of this run so far, with their results; the request itself isn't shown in them. */
  made: readonly Exchanged[]
  rounds: number
  /** Whether every change becomes a suggestion. */
  isSuggesting: boolean
}

/** Derives the turn from a request, whose prompt fences the selection and has a line with the mode. */
export function readTurn({ messages, system }: ModelRequest): Turn {
  const begin = messages.findLastIndex((_, at) => isInstruction(messages, at))
  const asked = messages[begin]
  const own = messages.slice(begin + 1)
  const answers = own.flatMap((message) => (message.role === 'assistant' && !message.closes ? [message] : []))
  const results = new Map(own.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])))
  const calls = answers.flatMap(({ toolCalls }) => toolCalls)
  const parts = readFences(system)
  const request = readRequest(parts)
  return {
    instruction: asked?.role === 'user' ? withoutData(asked.text) : '',
    selection: parts.find(({ label }) => label === 'selection')?.text,
    made: calls.flatMap((call) => {
      const result = results.get(call.id)
      return result ? [{ call, result: request === undefined ? result : without(result, request) }] : []
    }),
    rounds: answers.length,
    isSuggesting: parts.some(({ label, text }) => label === undefined && /^Mode: suggest\b/m.test(text)),
  }
}

// The block of the mention that started the run: no search finds the request, and no command is about it.
function readRequest(parts: ReturnType<typeof readFences>): number | undefined {
  const own = parts.flatMap(({ label, text }) => (label === undefined ? [text] : [])).join('\n')
  const [, number] = /^Called by a mention in block \[(\d+)\]/m.exec(own) ?? []
  return number === undefined ? undefined : Number(number)
}

function without(result: ToolResultMessage, block: number): ToolResultMessage {
  return { ...result, text: withoutRequest(result.text, block) }
}

// The message that closes a run at a limit, and "Go on." after it, are none: such a run continues its instruction.
function isInstruction(messages: readonly TranscriptMessage[], at: number): boolean {
  const message = messages[at]
  if (message?.role !== 'user' || isClosingInstruction(message.text)) return false
  const before = messages.slice(0, at).findLast(({ role }) => role === 'assistant')
  return message.text !== continueInstruction || before?.role !== 'assistant' || before.closes !== true
}

// Data that a host appends to an instruction is not part of the command.
function withoutData(text: string): string {
  const parts = readFences(text)
  const own = parts.filter(({ label }) => label === undefined)
  const said = own.length > 0 ? own : parts
  return said.map((part) => part.text).join('\n')
}
