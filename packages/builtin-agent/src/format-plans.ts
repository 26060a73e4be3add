import { find } from './find.ts'
import { quote } from './messages.ts'
import { change, type Input, type Plan, type Plans } from './plan.ts'
import { withoutMarker } from './results.ts'
import type { Target } from './terms.ts'

// The words for a format, its type in `apply_formatting`, and what a text is called that has it.
const formats: readonly [RegExp, type: string, name: string][] = [
  [/bold/, 'bold', 'bold'],
  [/italic/, 'italic', 'italic'],
  [/code block/, 'codeBlock', 'a code block'],
  [/code/, 'code', 'code'],
  [/strike|cross/, 'strike', 'strikethrough'],
  [/underline/, 'underline', 'underlined'],
  [/highlight/, 'highlight', 'highlighted'],
  [/quote/, 'blockquote', 'a quote'],
  [/(?:numbered|ordered) ?list/, 'orderedList', 'a numbered list'],
  [/(?:task|check) ?list/, 'taskList', 'a task list'],
  [/list/, 'bulletList', 'a list'],
  [/heading|title/, 'heading', 'a heading'],
  [/(?:)/, 'paragraph', 'a paragraph'],
]

/** Plans that format a text, or change the kind of whole blocks. */
export const formatPlans: Plans = {
  unformat: ({ target, word }) => formatting(target, toFormat(word), true),
  format({ target, word }) {
    const format = toFormat(word)
    const items = target.find.split(/\n|(?:,\s*(?:and )?)/).flatMap((item) => item.trim() || [])
    const isList = format.type.endsWith('List') && items.length > 1 && !target.isSelection
    if (!isList) return formatting(target, format)
    // "a, b and c" becomes items.
    const marker = { orderedList: (at: number) => `${at + 1}.`, taskList: () => '- [ ]' }[format.type] ?? (() => '-')
    const replace = items.map((item, at) => `${marker(at)} ${item}`).join('\n')
    return change('edit_document', [{ find: target.find, replace }], `made ${quote(target.find)} a list`)
  },
  link: ({ target, text }) => formatting(target, { type: 'link', name: 'a link', href: text }),
}

/** The level of a heading: what was said, else what its name means. */
export function levelOf(digit: string, noun: string): number {
  return Number(digit) || (noun === 'title' ? 1 : noun === 'subheading' ? 3 : 2)
}

type Format = { type: string; name: string; level?: number; href?: string }

function toFormat(word: (name: string) => string): Format {
  const [, type = '', name = ''] = formats.find(([pattern]) => pattern.test(word('format'))) ?? []
  return { type, name, ...(type === 'heading' ? { level: levelOf(word('level'), word('format')) } : {}) }
}

function* formatting({ find: about, ...target }: Target, { name, ...format }: Format, remove = false): Plan {
  const input = (at: Input): Input => ({ target: at, format, ...(remove ? { remove } : {}) })
  const line = `made ${quote(about)} ${remove ? 'not ' : ''}${name}`
  if (target.isSelection) return yield* change('apply_formatting', [input({ type: 'selection' })], line)
  const { hits, variants, blocks, isEvery } = yield* find({ find: about, ...target })
  if (/^(?:bold|italic|strike|code|underline|highlight|link)$/.test(format.type)) {
    const isAll = isEvery && target.scope.occurrence === 'all'
    const all = variants.map((value) => input({ type: 'text', value }))
    const each = hits.map(({ variant: value, occurrence }) => input({ type: 'text', value, occurrence }))
    return yield* change('apply_formatting', isAll ? all : each, line)
  }
  const numbers = new Set(hits.map(({ block }) => block))
  const whole = blocks.filter(({ text, number }) => withoutMarker(text) === about && numbers.has(number))
  if (whole.length === 0) return `${quote(about)} is only a part of its block. Quote the whole line that it shall be.`
  const inputs = whole.map(({ number: block }) => input({ type: 'block', block }))
  return yield* change('apply_formatting', inputs, line)
}
