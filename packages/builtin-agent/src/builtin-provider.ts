import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  continueInstruction,
  createCallIds,
  isClosingInstruction,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  readFences,
  type TranscriptMessage,
} from '@copydesk/agent'
import { type Answer, called, say, sayUnchanged } from './language/answers.ts'
import type { Language } from './language/language.ts'
import { parseCommand } from './grammar.ts'
import { type Move, nextMove, type Turn } from './plan.ts'

/**
 * The provider for first use, without an API key: it understands plain commands in English and German and uses the same
 * loop and tools as a model. The same request always gets the same answer, it costs no tokens, and it never asks for
 * more than seven rounds. `pause` is awaited between the pieces of its stream; by default one turn of the event loop.
 */
export function createBuiltinProvider({ pause = nextTurn }: { pause?: () => Promise<void> } = {}): ModelProvider {
  return { id: 'builtin', model: 'builtin', stream: (request, { signal }) => streamMove(request, signal, pause) }
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
  const { plan, language } = parseCommand(turn.instruction, turn.selection, languageOf(request))
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

async function* streamMove(
  request: ModelRequest,
  signal: AbortSignal,
  pause: () => Promise<void>,
): AsyncGenerator<ModelEvent> {
  const usage = { inputTokens: 0, outputTokens: 0 }
  const move = decideMove(request)
  const nextId = createCallIds(request, 'builtin_')
  const text = 'text' in move ? move.text : ''
  const toolCalls = 'calls' in move ? move.calls.map((call) => ({ id: nextId(), ...call })) : []
  const pieces = (text.match(/\s*\S+/g) ?? []).map((piece): ModelEvent => ({ type: 'text', text: piece }))
  const announced = toolCalls.flatMap(({ id, name, arguments: input }): ModelEvent[] => [
    { type: 'tool-call-started', id, name },
    { type: 'tool-call-delta', id, json: JSON.stringify(input) },
  ])
  for (const event of [...pieces, ...announced]) {
    if (signal.aborted) break
    yield event
    await pause()
  }
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  if (signal.aborted)
    yield { type: 'failed', failure: { code: 'aborted', message: 'Stopped.', retryable: false }, usage }
  else yield { type: 'done', message: { role: 'assistant', text, toolCalls, finish, provider: 'builtin' }, usage }
}

// A prompt says in which language to answer where the request tells none.
function languageOf({ system }: ModelRequest): Language {
  const rules = readFences(system).filter(({ label }) => label === undefined)
  return rules.some(({ text }) => /^Where the request tells no language, answer in German\b/m.test(text)) ? 'de' : 'en'
}

// Derives the turn from a request, whose prompt fences the selection and has a line with the mode.
function readTurn({ messages, system }: ModelRequest): Omit<Turn, 'language'> {
  const begin = messages.findLastIndex((_, at) => isInstruction(messages, at))
  const asked = messages[begin]
  const made = messages.slice(begin + 1)
  const answers = made.flatMap((message) => (message.role === 'assistant' && !message.closes ? [message] : []))
  const results = new Map(made.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])))
  const prompt = readFences(system)
  // Data that a host appends to an instruction is no part of the command.
  const said = asked?.role === 'user' ? readFences(asked.text) : []
  const spoken = said.filter(({ label }) => label === undefined)
  return {
    instruction: (spoken.length > 0 ? spoken : said).map(({ text }) => text).join('\n'),
    selection: prompt.find(({ label }) => label === 'selection')?.text,
    made: answers.flatMap(({ toolCalls }) =>
      toolCalls.flatMap((call) => {
        const result = results.get(call.id)
        return result ? [{ call, result }] : []
      }),
    ),
    isSuggesting: prompt.some(({ label, text }) => label === undefined && /^Mode: suggest\b/m.test(text)),
  }
}

// The message that closes a run at a limit, and "Go on." after it, are none: such a run continues its instruction.
function isInstruction(messages: readonly TranscriptMessage[], at: number): boolean {
  const message = messages[at]
  if (message?.role !== 'user' || isClosingInstruction(message.text)) return false
  const before = messages.slice(0, at).findLast(({ role }) => role === 'assistant')
  return message.text !== continueInstruction || before?.role !== 'assistant' || before.closes !== true
}
