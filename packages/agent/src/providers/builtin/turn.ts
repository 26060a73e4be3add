import { continueInstruction, isClosingInstruction } from '../../loop/loop-messages.ts'
import { readFences } from '../../fence.ts'
import { selectionLabel } from '../../prompt.ts'
import type { ModelRequest, ToolCall, ToolResultMessage, TranscriptMessage } from '../../contract.ts'

/** A call of this run with its result. */
export type Exchanged = { call: ToolCall; result: ToolResultMessage }

/** The next step of a plan: an answer, or calls (optionally with text before them). */
export type Move = { text: string; calls?: { name: string; arguments: Record<string, unknown> }[] }

/** The state of the builtin agent, derived from the request alone, so that a resumed run continues in the same way. */
export type Turn = {
  instruction: string
  selection: string | undefined
  /** The rounds of this run so far, each with its calls and their results. */
  rounds: Exchanged[][]
  offers(tool: string): boolean
  /** Whether every change becomes a suggestion. */
  isSuggesting: boolean
  /** Set when a limit ends the run: only text is requested. */
  isClosing: boolean
}

/** Derives the turn from a request. */
export function readTurn(request: ModelRequest): Turn {
  const last = request.messages.at(-1)
  const isClosing = last?.role === 'user' && isClosingInstruction(last.text)
  const messages = isClosing ? request.messages.slice(0, -1) : request.messages
  const begin = messages.findLastIndex((message, at) => message.role === 'user' && !isGoingOn(messages, at))
  const asked = messages[begin]
  const results = new Map<string, ToolResultMessage>()
  for (const message of messages.slice(begin + 1)) if (message.role === 'tool') results.set(message.callId, message)
  const rounds: Exchanged[][] = []
  for (const message of messages.slice(begin + 1)) {
    if (message.role !== 'assistant' || message.closes) continue
    const round: Exchanged[] = []
    for (const call of message.toolCalls) {
      const result = results.get(call.id)
      if (result) round.push({ call, result })
    }
    rounds.push(round)
  }
  const system = readFences(request.system)
  const names = new Set(request.tools.map((tool) => tool.name))
  return {
    instruction: asked?.role === 'user' ? stripFences(asked.text) : '',
    selection: system.find((part) => part.label === selectionLabel)?.text,
    rounds,
    offers: (tool) => names.has(tool),
    isSuggesting: system.some(({ label, text }) => label === undefined && /^Mode: suggest\b/m.test(text)),
    isClosing,
  }
}

// A run with newly granted rounds continues its original instruction, not the message "Go on.".
function isGoingOn(messages: readonly TranscriptMessage[], at: number): boolean {
  const message = messages[at]
  if (message?.role !== 'user' || message.text !== continueInstruction) return false
  const last = messages.slice(0, at).findLast(({ role }) => role === 'assistant')
  return last?.role === 'assistant' && last.closes === true
}

// Data that a host appends to an instruction is not part of the command.
function stripFences(text: string): string {
  const parts = readFences(text)
  const own = parts.filter((part) => part.label === undefined)
  return (own.length > 0 ? own : parts)
    .map((part) => part.text)
    .join('\n')
    .trim()
}

/** The latest call of a tool in this run, with its result. */
export function resultOf(turn: Turn, tool: string): Exchanged | undefined {
  return turn.rounds.flat().findLast(({ call }) => call.name === tool)
}

/** A move with one call. */
export function callOf(name: string, args: Record<string, unknown>): Move {
  return { text: '', calls: [{ name, arguments: args }] }
}
