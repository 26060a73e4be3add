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

/** The next step of a plan: an answer, or calls. */
export type Move = { text: string } | { calls: readonly Pick<ToolCall, 'name' | 'arguments'>[] }

/** The state of the built-in agent, derived from the request alone, so that a resumed run continues in the same way. */
export type Turn = {
  instruction: string
  selection: string | undefined
  /** The calls of this run so far, with their results, in which the request itself isn't shown. */
  made: readonly Exchanged[]
  rounds: number
  /** Whether every change becomes a suggestion. */
  isSuggesting: boolean
}

/** Derives the turn from a request, whose prompt fences the selection and has a line with the mode. */
export function readTurn({ messages, system }: ModelRequest): Turn {
  const begin = messages.findLastIndex((_, at) => isInstruction(messages, at))
  const asked = messages[begin]
  const made = messages.slice(begin + 1)
  const answers = made.flatMap((message) => (message.role === 'assistant' && !message.closes ? [message] : []))
  const results = new Map(made.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])))
  const prompt = readFences(system)
  // Data that a host appends to an instruction is no part of the command.
  const said = asked?.role === 'user' ? readFences(asked.text) : []
  const own = prompt.flatMap(({ label, text }) => (label === undefined ? [text] : [])).join('\n')
  const request = /^Called by a mention in block \[(\d+)\]/m.exec(own)?.[1]
  const spoken = said.filter(({ label }) => label === undefined)
  return {
    instruction: (spoken.length > 0 ? spoken : said).map(({ text }) => text).join('\n'),
    selection: prompt.find(({ label }) => label === 'selection')?.text,
    made: answers.flatMap(({ toolCalls }) =>
      toolCalls.flatMap((call) => {
        const result = results.get(call.id)
        return result ? [{ call, result: { ...result, text: withoutRequest(result.text, request) } }] : []
      }),
    ),
    rounds: answers.length,
    isSuggesting: /^Mode: suggest\b/m.test(own),
  }
}

// The message that closes a run at a limit, and "Go on." after it, are none: such a run continues its instruction.
function isInstruction(messages: readonly TranscriptMessage[], at: number): boolean {
  const message = messages[at]
  if (message?.role !== 'user' || isClosingInstruction(message.text)) return false
  const before = messages.slice(0, at).findLast(({ role }) => role === 'assistant')
  return message.text !== continueInstruction || before?.role !== 'assistant' || before.closes !== true
}

// The request is the block of the mention, or what follows `@agent` in it: no search finds it, no command is about it.
function withoutRequest(text: string, block: string | undefined): string {
  if (block === undefined) return text
  const start = new RegExp(String.raw`^[> ]*\[${block}\](?: |$)`)
  let isHidden = false
  const shown = text.split('\n').flatMap((line) => {
    isHidden = start.test(line) || (isHidden && !/^(?:\s*$|[> ]*\[\d+\]|<\/data-)/.test(line))
    return isHidden ? (/^(.*\] .*\S)\s+@agent\b.*\S/.exec(line)?.[1] ?? []) : [line]
  })
  return shown.join('\n')
}
