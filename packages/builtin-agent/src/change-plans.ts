import { find } from './find.ts'
import { type Answer, called, cut, say, sayUnchanged } from './language/answers.ts'
import { compile, languages } from './language/language.ts'
import { ask, change, type Parts, type Plan, type Plans } from './plan.ts'
import { readSections, withoutMarker } from './results.ts'
import type { Target } from './terms.ts'

/** A format of `apply_formatting`. */
type Format = { type: string; level?: number; href?: string }

const inlineFormats = new Set(['bold', 'italic', 'code', 'strike', 'underline', 'highlight', 'link'])
const formats = Object.values(languages).flatMap((data) =>
  Object.entries(data.formats).map(([type, words]) => ({ type, words: compile(`^(?:${words})$`, data) })),
)

export const changePlans: Plans = {
  unformat: ({ target, word }) => formatting(target, toFormat(word), true),
  format: ({ target, word }) => formatting(target, toFormat(word)),
  link: ({ target, text }) => formatting(target, { type: 'link', href: text }),
  dropSection: ({ text }) => dropSection(text),
  replace: ({ target, text }) => replace(target, text),
  insert({ target, text, place, word }) {
    const [noun, location] = [word('noun'), word('verb') === 'prepend' ? 'start' : 'end']
    const isHeading = /title|titel|heading|überschrift/.test(noun)
    const marker = isHeading ? `${'#'.repeat(levelOf(word, noun))} ` : /item|bullet|punkt/.test(noun) ? '- ' : ''
    const position = place ?? { type: 'absolute', location }
    // At a selection the text comes after it.
    const next = position.type === 'relative' ? position.anchor : position.type === 'selection' ? target.find : ''
    const content = spaced(marker + text, next, position.type === 'relative' && position.placement === 'before')
    const form = isHeading || position.type === 'absolute' ? { as: 'block' } : {}
    return change('insert_text', [{ position, content, ...form }], say('added “{text}”', { text: marker + text }))
  },
  undo,
  unsaid: () => say('I add only a text that you quote, at a place that you name.'),
}

function toFormat(word: Parts['word']): Format {
  const { type = '' } = formats.find(({ words }) => words.test(word('format'))) ?? {}
  return { type, ...(type === 'heading' ? { level: levelOf(word, word('format')) } : {}) }
}

// The level of a heading: what was said, else what its name means.
function levelOf(word: Parts['word'], noun: string): number {
  return Number(word('level') || word('deep')) || (/^tit(?:le|el)$/.test(noun) ? 1 : noun === 'subheading' ? 3 : 2)
}

function* formatting(target: Target, format: Format, remove = false): Plan {
  const isInline = inlineFormats.has(format.type)
  const { hits } = yield* find(target)
  const fitting = hits.filter(({ block }) => isInline || !block || withoutMarker(block.text) === target.find)
  const inputs = fitting.map(({ at, block }) => {
    const whole = block ? { type: 'block', block: block.number } : { type: 'selection' }
    return { target: block && isInline ? { type: 'text', ...at } : whole, format, ...(remove ? { remove } : {}) }
  })
  const [text, name] = [target.find, called(format.type, format.type)]
  const line = say(remove ? 'made “{text}” not {name}' : 'made “{text}” {name}', { text, name })
  if (inputs.length > 0) return yield* change('apply_formatting', inputs, line)
  return say('“{text}” is only a part of its block. Quote the whole line that it shall be.', { text })
}

function* replace(target: Target, to: string): Plan {
  const { everywhere, occurrence } = target.scope
  const atOnce = everywhere === true && occurrence === 'all' && to !== '' && !target.isSelection
  const { hits, isWord, isBetweenSpaces } = yield* find(target, atOnce)
  const [before, after] = [target.find, to].map((text) => cut(text.replaceAll('\n', ' ⏎ '), 80))
  const line: Answer = to === '' ? say('deleted “{text}”', { text: target.find }) : () => `${before} → ${after}`
  if (atOnce) {
    const input = { searchText: target.find, newText: to, matchCase: true, wholeWord: isWord }
    return yield* change('replace_text', [input], line)
  }
  // A deleted word takes the space after it along.
  const space = to === '' && isBetweenSpaces ? { find: `${target.find} ` } : {}
  const edits = hits.map(({ at }) => ({ ...at, ...space, replace: to }))
  return yield* change('edit_document', edits, line)
}

const isApart = /^(?:#{1,6} |[-*] |\d+\. |> |```|\|)|\n|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

// A phrase next to a word needs a space between them; block markdown and scripts without spaces don't.
function spaced(text: string, next: string, isBefore: boolean): string {
  const [left, right] = isBefore ? [text, next] : [next, text]
  if (next === '' || isApart.test(text) || /[\s([{«“‘/-]$/.test(left) || /^[\s.,;:!?)\]}»”’/-]/.test(right)) return text
  return isBefore ? `${text} ` : ` ${text}`
}

// Takes back the newest run that still counts.
function* undo(): Plan {
  const [, run, request = ''] = /^Run (\d+), asked by .+?: "(.*)"$/m.exec(yield* ask('read_history')) ?? []
  if (run === undefined) return say('There is nothing of mine to undo.')
  const line = say('undid what you asked with “{request}”', { request })
  return yield* change('undo_changes', [{ run: Number(run) }], line)
}

// A section is named by its whole title, by its number, or as the last.
function* dropSection(wanted: string): Plan {
  const sections = readSections(yield* ask('get_document'))
  const name = wanted.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const named = sections.filter(({ title, index }) => title.toLowerCase() === name || String(index) === name)
  const [section, another] = /^(?:last|letzten)$/.test(name) ? sections.slice(-1) : named
  if (!section) return sayUnchanged('There is no section “{wanted}”.', { wanted })
  if (another) return sayUnchanged('Several sections are called “{wanted}”.', { wanted })
  const input = { operation: 'delete', sectionIndex: section.index }
  return yield* change('update_section', [input], say('deleted the section “{title}”', { title: section.title }))
}
