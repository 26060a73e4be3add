import type { Command } from './command.ts'
import { findForCommand, isFound } from './find-places.ts'
import { placeOf } from './plan-pointing.ts'
import { toReplacement } from './plan-replace.ts'
import { reportChanges, tellLimit } from './report.ts'
import type { Told } from './report.ts'
import { plainResult, readError } from './results.ts'
import { callOf, resultOf } from './turn.ts'
import type { Move, Turn } from './turn.ts'
import { countOf, quote } from './builtin-messages.ts'

const maxCalls = 50
const onlyRequests = 'That stands only in a request to me, and requests stay as they are. I have changed nothing.'

/** Comments on a text (its first match, if there are several) or on the selection. */
export function planComment({ target, text }: Extract<Command, { kind: 'comment' }>, turn: Turn): Move {
  if (!turn.offers('add_comment')) return { text: 'I can not comment here: this run offers no tool for comments.' }
  const about = target ? quote(target.find) : '"these words"'
  if (text === '') return { text: `What shall the comment say? For example: comment on ${about}: needs a source` }
  if (!target) return { text: `On what? Select it, or quote the words, for example: comment on ${about}: ${text}` }
  const done = resultOf(turn, 'add_comment')
  if (done?.result.isError) return { text: `- Not commented: ${readError(done.result.text)}` }
  if (done) return { text: `- commented on ${about}` }
  if (target.isSelection) return callOf('add_comment', { text, selection: true })
  const { occurrence } = target.scope
  const scope = { ...target.scope, occurrence: occurrence === 'all' ? ('first' as const) : occurrence }
  const found = findForCommand({ find: target.find, scope }, turn)
  if (!isFound(found)) return found
  const [hit] = found.hits
  return hit ? callOf('add_comment', { text, ...placeOf(hit) }) : { text: onlyRequests }
}

/** Suggests changes of a text, at all matches unless one was named, or of the selection. */
export function planSuggest({ target, replace }: Extract<Command, { kind: 'suggest' }>, turn: Turn): Move {
  const tool = replace === '' ? 'suggest_deletion' : 'suggest_replacement'
  if (!turn.offers(tool)) return { text: 'I can not suggest changes here, so I have changed nothing.' }
  const made = turn.rounds.flat().filter(({ call }) => call.name === tool)
  if (made.length > 0) {
    const lines = reportChanges(made, turn, (_, given) => tellSuggestion(given, target.find))
    return { text: [...lines, ...tellLimit(made, maxCalls, 'suggest changes in')].join('\n') }
  }
  const becomes = (text: string): Record<string, unknown> => (replace === '' ? {} : { replaceWith: text })
  if (target.isSelection) return callOf(tool, { selection: true, ...becomes(replace) })
  const found = findForCommand(target, turn)
  if (!isFound(found)) return found
  const calls = found.hits.slice(0, maxCalls).map((hit) => {
    return {
      name: tool,
      arguments: { ...placeOf(hit), ...becomes(toReplacement({ find: target.find, replace }, hit.variant)) },
    }
  })
  return calls.length === 0 ? { text: onlyRequests } : { text: '', calls }
}

function tellSuggestion(given: Record<string, unknown>, find: string): Told {
  const about = typeof given['search'] === 'string' ? given['search'] : find
  const to = given['replaceWith']
  if (typeof to !== 'string' || to === '') return { line: `suggested deleting ${quote(about)}`, about }
  return { line: `suggested ${quote(about)} → ${quote(to)}`, about }
}

/** Suggests to insert new text next to another. */
export function planSuggestInsertion(command: Extract<Command, { kind: 'suggest-insertion' }>, turn: Turn): Move {
  if (!turn.offers('suggest_insertion')) return { text: 'I can not suggest changes here, so I have changed nothing.' }
  const { text, anchor, placement } = command
  const done = resultOf(turn, 'suggest_insertion')
  if (done) {
    const line = `suggested ${quote(text)} ${placement} ${quote(anchor)}`
    return { text: reportChanges([done], turn, () => ({ line, about: text })).join('\n') }
  }
  const found = findForCommand({ find: anchor, scope: { occurrence: 'first' } }, turn)
  if (!isFound(found)) return found
  const [hit] = found.hits
  if (hit?.shownIn === undefined) return { text: onlyRequests }
  const spaced = placement === 'after' ? ` ${text}` : `${text} `
  // The first match of the block is meant, because it is the first of the whole document.
  const where = { block: hit.shownIn, search: hit.variant, occurrence: 'first', position: placement }
  return callOf('suggest_insertion', { ...where, text: spaced })
}

/** Accepts or rejects every suggested change; only on an explicit request. */
export function planDecide({ decision }: Extract<Command, { kind: 'decide' }>, turn: Turn): Move {
  if (!turn.offers('decide_change')) return { text: 'I can not decide on suggestions here.' }
  const done = resultOf(turn, 'decide_change')
  if (!done) return callOf('decide_change', { all: true, decision })
  if (done.result.isError) return { text: `- Nothing decided: ${readError(done.result.text)}` }
  const sentence = plainResult(done.result.text).split('\n')[0] ?? ''
  if (sentence.startsWith('There are no')) return { text: 'There are no suggestions to decide on.' }
  const word = sentence.startsWith('Rejected') ? 'rejected' : 'accepted'
  const count = Number(/^\w+ (\d+) suggested changes/.exec(sentence)?.[1] ?? 1)
  return { text: `- ${word} ${countOf(count, 'suggestion')}` }
}

/** Lists the open suggested changes in document order. */
export function planListChanges(turn: Turn): Move {
  if (!turn.offers('read_changes')) return { text: 'I can not see suggestions here.' }
  const read = resultOf(turn, 'read_changes')
  if (!read) return callOf('read_changes', {})
  if (read.result.isError) return { text: `- I could not read the suggestions: ${readError(read.result.text)}` }
  const lines = plainResult(read.result.text).split('\n')
  const changes = lines.flatMap((line) => {
    const match = /^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (.+)$/.exec(line)
    return match ? [`- ${match[2]}: ${match[1] === 'formatting' ? 'formats ' : ''}${match[3]}`] : []
  })
  if (changes.length === 0) return { text: 'There are no suggestions.' }
  const more = lines.filter((line) => /^…and \d+ more/.test(line))
  return { text: [...changes.slice(0, 30), ...more].join('\n') }
}
