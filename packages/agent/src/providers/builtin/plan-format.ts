import type { Command, Format } from './command.ts'
import { findForCommand, isFound } from './find-places.ts'
import type { Found } from './find-places.ts'
import { planList } from './plan-other.ts'
import { planReplace } from './plan-replace.ts'
import { reportChanges, tellLimit } from './report.ts'
import type { Told } from './report.ts'
import { readSentence } from './results.ts'
import { callOf } from './turn.ts'
import type { Move, Turn } from './turn.ts'
import { quote } from './builtin-messages.ts'

type FormatCommand = Extract<Command, { kind: 'format' }>

const textFormats = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'link']
const maxCalls = 50

/** Formats text or whole blocks with the formatting tool; if it isn't offered, by rewriting the text in markdown. */
export function planFormat(command: FormatCommand, turn: Turn): Move {
  if (!turn.offers('apply_formatting')) {
    if (command.instead?.kind === 'list') return planList(command.instead, turn)
    if (command.instead) return planReplace(command.instead, turn)
    return { text: 'I can not format text here, so I have changed nothing.' }
  }
  const made = turn.rounds.flat().filter(({ call }) => call.name === 'apply_formatting')
  if (made.length > 0) {
    const lines = reportChanges(made, turn, (_, given, result) => tell(command, given, result))
    return { text: [...lines, ...tellLimit(made, maxCalls, 'format')].join('\n') }
  }
  const { target } = command
  if (target.scope.block !== undefined) {
    return {
      text: 'I format a text everywhere, or its first or last place. Select it, and I format just that: make this bold',
    }
  }
  if (target.isSelection) return format({ type: 'selection' }, command)
  const isText = textFormats.includes(command.format.type)
  const found = findForCommand({ ...target, whole: !isText }, turn)
  if (!isFound(found)) return found
  const calls = isText ? onText(command, found) : onBlocks(command, found)
  if (calls.length > 0) return { text: '', calls: calls.slice(0, maxCalls) }
  return { text: 'That stands only in a request to me, and requests stay as they are. I have changed nothing.' }
}

function format(target: Record<string, unknown>, { format: wanted, remove }: FormatCommand): Move {
  return callOf('apply_formatting', { target, format: fieldsOf(wanted), ...(remove ? { remove } : {}) })
}

function fieldsOf({ type, level, href }: Format): Record<string, unknown> {
  return { type, ...(level === undefined ? {} : { level }), ...(href === undefined ? {} : { href }) }
}

// All matches of a text are one call, unless some of them must stay unchanged.
function onText(command: FormatCommand, { hits, variants, skipped, isPartial }: Found): NonNullable<Move['calls']> {
  const isAll = command.target.scope.occurrence === 'all'
  const isEvery = variants.length > 0 && variants.every((variant) => variant.isEvery) && !skipped && !isPartial
  const targets =
    isAll && isEvery
      ? variants.map(({ text }) => ({ type: 'text', value: text }))
      : hits.toReversed().map(({ variant, occurrence }) => ({ type: 'text', value: variant, occurrence }))
  return targets.flatMap((target) => format(target, command).calls ?? [])
}

function onBlocks(command: FormatCommand, { hits }: Found): NonNullable<Move['calls']> {
  const blocks = [...new Set(hits.flatMap(({ shownIn }) => shownIn ?? []))]
  return blocks.flatMap((block) => format({ type: 'block', block }, command).calls ?? [])
}

function tell({ target, format: wanted, remove }: FormatCommand, _: unknown, result: string): Told {
  const about = quote(target.find)
  if (readSentence(result).startsWith('Nothing to change')) {
    return { line: `nothing to change: ${about} is ${remove ? 'not ' : ''}${wanted.name} already`, about: target.find }
  }
  const times = Number(/", (\d+) places\b/.exec(readSentence(result))?.[1] ?? 1)
  return { line: `made ${about} ${remove ? 'not ' : ''}${wanted.name}`, about: target.find, times }
}
