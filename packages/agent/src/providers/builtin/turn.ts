import { isClosingInstruction } from '../../loop/wording.ts'
import { readFences } from '../../fence.ts'
import { selectionLabel } from '../../prompt.ts'
import type { ModelRequest, ToolCall, ToolResultMessage } from '../../contract.ts'

/** A call of this run with its result. */
export type Exchanged = { call: ToolCall; result: ToolResultMessage }

/** What a plan wants next: words, or calls (perhaps with words before them). */
export type Move = { text: string; calls?: { name: string; arguments: Record<string, unknown> }[] }

/** What the builtin agent knows when it is asked: read from the request alone, so that a resumed run goes on alike. */
export type Turn = {
  instruction: string
  selection: string | undefined
  /** The rounds of this run so far, each with its calls and their results. */
  rounds: Exchanged[][]
  offers(tool: string): boolean
  /** Set when a limit ends the run: only words are wanted. */
  isClosing: boolean
}

/** Reads the turn from a request. */
export function readTurn(request: ModelRequest): Turn {
  const last = request.messages.at(-1)
  const isClosing = last?.role === 'user' && isClosingInstruction(last.text)
  const messages = isClosing ? request.messages.slice(0, -1) : request.messages
  const begin = messages.findLastIndex((message) => message.role === 'user')
  const asked = messages[begin]
  const results = new Map<string, ToolResultMessage>()
  for (const message of messages.slice(begin + 1)) if (message.role === 'tool') results.set(message.callId, message)
  const rounds: Exchanged[][] = []
  for (const message of messages.slice(begin + 1)) {
    if (message.role !== 'assistant') continue
    const round: Exchanged[] = []
    for (const call of message.toolCalls) {
      const result = results.get(call.id)
      if (result) round.push({ call, result })
    }
    rounds.push(round)
  }
  const names = new Set(request.tools.map((tool) => tool.name))
  return {
    instruction: asked?.role === 'user' ? stripFences(asked.text) : '',
    selection: readFences(request.system).find((part) => part.label === selectionLabel)?.text,
    rounds,
    offers: (tool) => names.has(tool),
    isClosing,
  }
}

// What a host adds to an instruction as data is not part of the command.
function stripFences(text: string): string {
  const parts = readFences(text)
  const own = parts.filter((part) => part.label === undefined)
  return (own.length > 0 ? own : parts)
    .map((part) => part.text)
    .join('\n')
    .trim()
}
