import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCallIds, type ModelEvent, type ModelProvider, type ModelRequest } from '@copydesk/agent'
import { parseCommand } from './grammar.ts'
import { unchanged } from './messages.ts'
import { nextMove } from './plan.ts'
import { type Move, readTurn } from './turn.ts'

type Pause = () => Promise<void>

// Every plan needs fewer rounds than this; a plan that doesn't end is aborted.
const maxRounds = 7

/**
 * The provider for first use, without an API key: it understands plain commands in English and uses the same loop and
 * tools as a model. The same request always gets the same answer, it costs no tokens, and it never asks for more than
 * seven rounds. `pause` is awaited between the pieces of its stream; by default one turn of the event loop.
 */
export function createBuiltinProvider(options: { pause?: Pause } = {}): ModelProvider {
  const pause = options.pause ?? nextTurn
  return { id: 'builtin', model: 'builtin', stream: (request, { signal }) => streamMove(request, signal, pause) }
}

// A run offers these tools only if there is something for them.
const nothingThere = [
  { tool: 'read_comments', for: /^(read|reply_to|resolve)_comments?$/, text: 'There are no comments.' },
  { tool: 'read_history', for: /^read_history$/, text: 'There is nothing of mine to undo.' },
  { tool: 'read_changes', for: /^read_changes$/, text: 'There are no suggestions.' },
  { tool: 'read_changes', for: /^decide_change$/, text: 'There are no suggestions to decide on.' },
]

// A request without tools is the closing one of a run that has reached a limit.
function decideMove(request: ModelRequest): Move {
  const turn = readTurn(request)
  if (turn.rounds >= maxRounds || request.tools.length === 0)
    return { text: 'I stopped at a limit before I was done. What I changed so far stays; the rest is left.' }
  const move = nextMove(parseCommand(turn.instruction, turn.selection).plan, turn)
  const offered = new Set(request.tools.map(({ name }) => name))
  const missing = 'calls' in move && move.calls.find(({ name }) => !offered.has(name))
  if (!missing) return move
  const nothing = nothingThere.find(({ tool, for: uses }) => uses.test(missing.name) && !offered.has(tool))
  if (nothing) return { text: nothing.text }
  const use = /comment/.test(missing.name) ? 'comments' : missing.name.replaceAll('_', ' ')
  return { text: `I can not do that: this run offers no tool for ${use}. ${unchanged}` }
}

async function* streamMove(request: ModelRequest, signal: AbortSignal, pause: Pause): AsyncGenerator<ModelEvent> {
  const usage = { inputTokens: 0, outputTokens: 0 }
  const move = decideMove(request)
  const nextId = createCallIds(request.messages, 'builtin_')
  const [text, calls] = 'text' in move ? [move.text, []] : ['', move.calls]
  const toolCalls = calls.map((call) => ({ id: nextId(), ...call }))
  const pieces = (text.match(/\s*\S+/g) ?? []).map((piece): ModelEvent[] => [{ type: 'text', text: piece }])
  const announced = toolCalls.map(({ id, name, arguments: input }): ModelEvent[] => [
    { type: 'tool-call-started', id, name },
    { type: 'tool-call-delta', id, json: JSON.stringify(input) },
  ])
  for (const events of [...pieces, ...announced]) {
    if (signal.aborted) break
    yield* events
    await pause()
  }
  if (signal.aborted) {
    yield { type: 'failed', failure: { code: 'aborted', message: 'Stopped.', retryable: false }, usage }
    return
  }
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  yield { type: 'done', message: { role: 'assistant', text, toolCalls, finish, provider: 'builtin' }, usage }
}
