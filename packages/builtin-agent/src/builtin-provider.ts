import { setImmediate as nextTurn } from 'node:timers/promises'
import { continueInstruction, createCallIds, isClosingInstruction, readFences } from '@copydesk/agent'
import type { ModelEvent, ModelProvider, ModelRequest, TranscriptMessage } from '@copydesk/agent'
import { parseCommand } from './grammar.ts'
import { type Answer, called, say, sayUnchanged } from './language/answers.ts'
import { type Calls, type Move, nextMove } from './plan.ts'

/**
 * The provider for first use, without an API key: it understands plain commands in English and German and uses the same
 * loop and tools as a model. The same request always gets the same answer, it costs no tokens, and it never asks for
 * more than seven rounds. It lets the event loop turn between the pieces of its stream.
 */
export function createBuiltinProvider(): ModelProvider {
  return { id: 'builtin', model: 'builtin', stream: (request, { signal }) => streamMove(request, signal) }
}

// A run offers the tools that read these only if there are some.
const nothingThere = new Map<string, Answer>([
  ['read_comments', say('There are no comments.')],
  ['read_history', say('There is nothing of mine to undo.')],
  ['read_changes', say('There are no suggestions.')],
])

// A request without tools is the closing one of a run that has reached a limit.
function decideMove(request: ModelRequest): Move {
  const turn = readTurn(request)
  const { plan, language } = parseCommand(turn.instruction, turn.selection, turn.fallback)
  if (request.tools.length === 0) return { text: stopped(language) }
  const move = nextMove(plan, { ...turn, language })
  const offered = new Set(request.tools.map(({ name }) => name))
  const missing = 'calls' in move ? move.calls.find(({ name }) => !offered.has(name))?.name : undefined
  if (missing === undefined) return move
  const needed = missing === 'decide_change' ? 'read_changes' : missing
  const use = called(missing, missing.includes('comment') ? 'comments' : missing.replaceAll('_', ' '))
  const noTool = sayUnchanged('I can not do that: this run offers no tool for {use}.', { use })
  return { text: ((!offered.has(needed) && nothingThere.get(needed)) || noTool)(language) }
}

const stopped = say('I stopped at a limit before I was done. What I changed so far stays; the rest is left.')

async function* streamMove(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const usage = { inputTokens: 0, outputTokens: 0 }
  const { text = '', calls = [] }: { text?: string; calls?: Calls } = decideMove(request)
  const nextId = createCallIds(request, 'builtin_')
  const toolCalls = calls.map((call) => ({ id: nextId(), ...call }))
  const pieces = (text.match(/\s*\S+/g) ?? []).map((piece): ModelEvent => ({ type: 'text', text: piece }))
  const announced = toolCalls.flatMap(({ id, name, arguments: input }): ModelEvent[] => [
    { type: 'tool-call-started', id, name },
    { type: 'tool-call-delta', id, json: JSON.stringify(input) },
  ])
  for (const event of [...pieces, ...announced]) {
    if (signal.aborted) break
    yield event
    await nextTurn()
  }
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  if (signal.aborted)
    yield { type: 'failed', failure: { code: 'aborted', message: 'Stopped.', retryable: false }, usage }
  else yield { type: 'done', message: { role: 'assistant', text, toolCalls, finish, provider: 'builtin' }, usage }
}

// All that a move depends on is in the request, so that a resumed run continues in the same way: the prompt fences the
// selection, and says the mode and the language of who asks.
function readTurn({ messages, system }: ModelRequest) {
  const begin = messages.findLastIndex((_, at) => isInstruction(messages, at))
  const asked = messages[begin]
  const made = messages.slice(begin + 1)
  const calls = made.flatMap((message) => (message.role === 'assistant' && !message.closes ? message.toolCalls : []))
  const results = new Map(made.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])))
  const prompt = readFences(system)
  const says = (rule: RegExp) => prompt.some(({ label, text }) => label === undefined && rule.test(text))
  // Data that a host appends to an instruction is no part of the command.
  const said = asked?.role === 'user' ? readFences(asked.text) : []
  const spoken = said.filter(({ label }) => label === undefined)
  return {
    instruction: (spoken.length > 0 ? spoken : said).map(({ text }) => text).join('\n'),
    selection: prompt.find(({ label }) => label === 'selection')?.text,
    made: calls.flatMap((call) => {
      const result = results.get(call.id)
      return result ? [{ call, result }] : []
    }),
    isSuggesting: says(/^Mode: suggest\b/m),
    fallback: says(/^Where the request tells no language, answer in German\b/m) ? ('de' as const) : undefined,
  }
}

// The message that closes a run at a limit, and "Go on." after it, are none: such a run continues its instruction.
function isInstruction(messages: readonly TranscriptMessage[], at: number): boolean {
  const message = messages[at]
  if (message?.role !== 'user' || isClosingInstruction(message.text)) return false
  const before = messages.slice(0, at).findLast(({ role }) => role === 'assistant')
  return message.text !== continueInstruction || before?.role !== 'assistant' || before.closes !== true
}
