import type { AssistantMessage, ModelEvent, ModelProvider, ModelRequest, Usage } from '../contract.ts'
import { parseCommand } from './builtin/commands.ts'
import type { Command } from './builtin/command.ts'
import { planFormat } from './builtin/plan-format.ts'
import { planCountWords, planFind, planInsert, planList, planOutline, planRead } from './builtin/plan-other.ts'
import { planHighlight, planPoint } from './builtin/plan-pointing.ts'
import { planFixTypos, planReplace, planReplaceSelection } from './builtin/plan-replace.ts'
import { planComment, planDecide, planListChanges, planSuggest, planSuggestInsertion } from './builtin/plan-review.ts'
import { planDeleteSection } from './builtin/plan-section.ts'
import { planListComments, planReply, planResolve } from './builtin/plan-threads.ts'
import { readTurn } from './builtin/turn.ts'
import type { Move, Turn } from './builtin/turn.ts'
import { builtinSetupHint, helpText, quote } from './builtin/builtin-messages.ts'
import { createCallIds } from './tool-arguments.ts'

// Every plan needs fewer rounds than this; a plan that doesn't end is aborted.
const maxRounds = 7

/**
 * The provider for first use, without an API key: it understands a dozen plain commands and uses the same loop and
 * tools as a model. The same request always gets the same answer, it costs no tokens, and it never asks for more than
 * seven rounds. `pause` is awaited between the pieces of its stream; by default one turn of the event loop.
 */
export function createBuiltinProvider(options: { pause?: () => Promise<void> } = {}): ModelProvider {
  const pause = options.pause ?? nextSlice
  return {
    id: 'builtin',
    model: 'builtin',
    stream: (request, { signal }) => streamMove(request, signal, pause),
  }
}

function decideMove(turn: Turn): Move {
  if (turn.isClosing) return { text: describeClosing(turn) }
  if (turn.rounds.length >= maxRounds) return { text: 'I could not finish this. What I changed so far stays.' }
  const command = parseCommand(turn.instruction, turn.selection)
  const move = planChange(command, turn) ?? planReview(command, turn) ?? planReading(command, turn)
  return move ?? { text: answerInWords(command) }
}

function planChange(command: Command, turn: Turn): Move | undefined {
  switch (command.kind) {
    case 'replace':
      return planReplace(command, turn)
    case 'replace-selection':
      return planReplaceSelection(command, turn)
    case 'format':
      return planFormat(command, turn)
    case 'fix-all-typos':
      return planFixTypos(turn)
    case 'insert':
      return planInsert(command, turn)
    case 'list':
      return planList(command, turn)
    case 'delete-section':
      return planDeleteSection(command, turn)
    default:
      return undefined
  }
}

function planReview(command: Command, turn: Turn): Move | undefined {
  switch (command.kind) {
    case 'comment':
      return planComment(command, turn)
    case 'list-comments':
      return planListComments(command, turn)
    case 'resolve-comments':
      return planResolve(command, turn)
    case 'reply':
      return planReply(command, turn)
    case 'suggest':
      return planSuggest(command, turn)
    case 'suggest-insertion':
      return planSuggestInsertion(command, turn)
    case 'list-changes':
      return planListChanges(turn)
    case 'decide':
      return planDecide(command, turn)
    default:
      return undefined
  }
}

function planReading(command: Command, turn: Turn): Move | undefined {
  switch (command.kind) {
    case 'outline':
      return planOutline(turn)
    case 'count-words':
      return planCountWords(turn)
    case 'find':
      return planFind(command, turn)
    case 'read':
      return planRead(command, turn)
    case 'highlight':
      return planHighlight(command, turn)
    case 'point':
      return planPoint(command, turn)
    default:
      return undefined
  }
}

function answerInWords(command: Command): string {
  switch (command.kind) {
    case 'help':
      return helpText()
    case 'undo':
      return 'Press Undo at the answer that changed it: all that it did is taken back, and what people wrote since stays.'
    case 'ask-correction':
      return `I do not know what ${quote(command.word)} should be. Say: change ${command.word} to …`
    case 'unclear-target':
      return `I do not know which text ${quote(command.target)} is. Select it, or quote the words, for example: delete "these words"`
    case 'unclear-scope':
      return `I am not sure what to write in place of ${quote(command.find)}: ${quote(command.rest)} says more than that. I do one replacement at a time, everywhere, or the first or the last. Quote both texts, for example: replace "cat" with "dog"`
    case 'unclear-text':
      return `I can add a text, but not write one. Quote it, for example: add "${command.content}" at the end\n\n${builtinSetupHint}`
    case 'decide-one':
      return `I ${command.decision} all suggestions at once if you say so; a single one you decide in the text.`
    case 'unknown':
      return helpText(`I did not understand ${quote(command.said)}.`)
    default:
      return helpText()
  }
}

function describeClosing(turn: Turn): string {
  const done = turn.rounds
    .flat()
    .filter(
      ({ call, result }) =>
        !result.isError && /^(?:(?:edit|insert|replace|apply|update|suggest|decide)_|add_comment$)/.test(call.name),
    )
  return done.length === 0
    ? 'I stopped at the limit of this run before I had changed anything.'
    : `I stopped at the limit of this run. Done: ${done.length} of the changes; the rest is left.`
}

async function* streamMove(
  request: ModelRequest,
  signal: AbortSignal,
  pause: () => Promise<void>,
): AsyncGenerator<ModelEvent> {
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  const move = decideMove(readTurn(request))
  const nextId = createCallIds(request.messages, 'builtin_')
  const calls = request.tools.length === 0 ? [] : (move.calls ?? [])
  const toolCalls = calls.map((call) => ({ id: nextId(), ...call }))
  const text =
    move.text || (toolCalls.length === 0 ? 'I can only answer in words here, so I have changed nothing.' : '')
  for (const piece of text.match(/\s*\S+/g) ?? []) {
    if (signal.aborted) break
    yield { type: 'text', text: piece }
    await pause()
  }
  for (const call of toolCalls) {
    if (signal.aborted) break
    yield { type: 'tool-call-started', id: call.id, name: call.name }
    yield { type: 'tool-call-delta', id: call.id, json: JSON.stringify(call.arguments) }
    await pause()
  }
  if (signal.aborted) {
    yield { type: 'failed', failure: { code: 'aborted', message: 'Stopped.', retryable: false }, usage }
    return
  }
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  const message: AssistantMessage = { role: 'assistant', text, toolCalls, finish, provider: 'builtin' }
  yield { type: 'done', message, usage }
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
