import { type Entry, entry, levelOf } from './command.ts'
import { find } from './find.ts'
import { quote } from './messages.ts'
import { ask, change, type Input, type Plan } from './plan.ts'
import { withoutMarker } from './results.ts'
import type { Target } from './terms.ts'
import type { Call } from './turn.ts'

const make = '(make|turn|set|format|convert)'
const as = '(into |as |to |in )?(an? )?'

// The words for each format of `apply_formatting`, and what a text is called that has it.
const formats: Record<string, [type: string, name: string]> = {
  'bold|embolden': ['bold', 'bold'],
  'italics?|italici[sz]e': ['italic', 'italic'],
  'code block': ['codeBlock', 'a code block'],
  '(inline )?code': ['code', 'code'],
  'strikethrough|struck through|strike( ?through| out)?|cross out': ['strike', 'strikethrough'],
  'underlined?': ['underline', 'underlined'],
  'highlight(ed|ing|s)?': ['highlight', 'highlighted'],
  '(block)?quote': ['blockquote', 'a quote'],
  '(normal )?paragraph|normal text': ['paragraph', 'a paragraph'],
  '(bullet(ed|s)? )?list': ['bulletList', 'a list'],
  '(numbered|ordered) list': ['orderedList', 'a numbered list'],
  '(task|check) ?list': ['taskList', 'a task list'],
}
const format = `(?<format>${Object.keys(formats).join('|')})`
const ofText = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'link']

/** Commands that format a text, or change the kind of whole blocks. */
export const formatCommands: readonly Entry[] = [
  entry(
    'unformat',
    [
      `${make} {target} (not|no longer) ${format}`,
      `(remove|take away|clear|delete) (the )?${format} (from|of|on) {target}`,
    ],
    ({ target, word }) => formatting(target, toFormat(word('format')), true),
  ),
  entry(
    'format',
    [
      '(?<format>highlight) {target} (permanently|for good|in the text)',
      `${make} {target} ${as}${format}`,
      '(?<format>bold|embolden|italici[sz]e|underline|strike( ?through| out)?|cross out) {target}',
    ],
    ({ target, word }) => {
      const { type, name } = toFormat(word('format'))
      const items = target.find.split(/\n|(?:,\s*(?:and )?)/).flatMap((item) => item.trim() || [])
      const isListing = type.endsWith('List') && items.length > 1 && !target.isSelection
      return isListing ? listing(target.find, type, items) : formatting(target, { type, name })
    },
  ),
  entry(
    'link',
    ['(link|make|turn) {target} (into |to )?((be )?an? link to )?(?<plain>(https?://|mailto:)\\S+)'],
    ({ target, text }) => formatting(target, { type: 'link', name: 'a link', href: text }),
  ),
  entry(
    'heading',
    [`${make} {target} ${as}(?<noun>title|(sub)?heading)( ?(of )?(level )?(?<level>[1-6]))?`],
    ({ target, word }) => {
      return formatting(target, { type: 'heading', name: 'a heading', level: levelOf(word('level'), word('noun')) })
    },
  ),
]

type Format = { type: string; name: string; level?: number; href?: string }

function toFormat(words: string): Format {
  const found = Object.entries(formats).find(([form]) => new RegExp(`^(?:${form})$`).test(words))
  return { type: found?.[1][0] ?? '', name: found?.[1][1] ?? '' }
}

function* formatting({ find: about, ...target }: Target, { name, ...wanted }: Format, remove = false): Plan {
  const call = (at: Input): Call => {
    return { name: 'apply_formatting', arguments: { target: at, format: wanted, ...(remove ? { remove } : {}) } }
  }
  const line = `made ${quote(about)} ${remove ? 'not ' : ''}${name}`
  if (target.isSelection) return yield* change([call({ type: 'selection' })], line)
  const { hits, variants, blocks, isEvery } = yield* find({ find: about, ...target })
  if (ofText.includes(wanted.type)) {
    const atOnce = isEvery && target.scope.occurrence === 'all' ? variants.map((value) => ({ value })) : undefined
    const each = hits.map(({ variant: value, occurrence }) => ({ value, occurrence }))
    return yield* change(
      (atOnce ?? each).map((at) => call({ type: 'text', ...at })),
      line,
    )
  }
  const whole = blocks.filter(({ text, number }) => {
    return withoutMarker(text) === about && hits.some(({ block }) => block === number)
  })
  if (whole.length === 0) return `${quote(about)} is only a part of its block. Quote the whole line that it shall be.`
  return yield* change(
    whole.map(({ number: block }) => call({ type: 'block', block })),
    line,
  )
}

// "a, b and c" becomes items. The text is deleted only once the list exists.
function* listing(text: string, type: string, items: readonly string[]): Plan {
  const lines = items.map((item, at) => {
    return `${type === 'orderedList' ? `${at + 1}.` : type === 'taskList' ? '- [ ]' : '-'} ${item}`
  })
  const position = { type: 'relative', anchor: text, placement: 'after' }
  yield* ask('insert_text', { position, content: lines.join('\n'), as: 'block' })
  const removal = { name: 'edit_document', arguments: { find: text, replace: '' } }
  return yield* change([removal], `made ${quote(text)} a list`)
}
