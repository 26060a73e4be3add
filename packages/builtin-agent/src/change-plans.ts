import { find } from './find.ts'
import { cut } from './language/english-texts.ts'
import type { Answer } from './language/texts.ts'
import { ask, change, type Parts, type Plan, type Plans } from './plan.ts'
import { readSections, withoutMarker } from './results.ts'
import type { Target } from './terms.ts'

/** A format of `apply_formatting`. */
type Format = { type: string; isInline?: boolean; level?: number; href?: string }

/** The formats by the patterns of their words. */
export const formats: readonly (Format & { words: string })[] = [
  { words: 'bold', type: 'bold', isInline: true },
  { words: 'italici[sz]e|italics?', type: 'italic', isInline: true },
  { words: 'code block', type: 'codeBlock' },
  { words: '(inline )?code', type: 'code', isInline: true },
  { words: 'strike( ?through| out)?|cross out', type: 'strike', isInline: true },
  { words: 'underlined?', type: 'underline', isInline: true },
  { words: 'highlight(ed|ing)?', type: 'highlight', isInline: true },
  { words: '(block)?quote', type: 'blockquote' },
  { words: '(numbered|ordered) ?list', type: 'orderedList' },
  { words: '(task|check) ?list', type: 'taskList' },
  { words: '(bullet(ed)? ?)?list', type: 'bulletList' },
  { words: '(sub)?heading|title', type: 'heading' },
  { words: '(normal )?paragraph', type: 'paragraph' },
]

/** Plans that change the text. */
export const changePlans: Plans = {
  unformat: ({ target, word }) => formatting(target, toFormat(word), true),
  format: ({ target, word }) => formatting(target, toFormat(word)),
  link: ({ target, text }) => formatting(target, { type: 'link', isInline: true, href: text }),
  dropSection: ({ text }) => dropSection(text),
  replace: ({ target, text }) => replace(target, text),
  insert({ target, text, place, word }) {
    const [noun, location] = [word('noun'), word('verb') === 'prepend' ? 'start' : 'end']
    const isHeading = /title|heading/.test(noun)
    const marker = isHeading ? `${'#'.repeat(levelOf(word, noun))} ` : /item|bullet/.test(noun) ? '- ' : ''
    const position = place ?? { type: 'absolute', location }
    // At a selection the text comes after it.
    const next = position.type === 'relative' ? position.anchor : position.type === 'selection' ? target.find : ''
    const content = spaced(marker + text, next, position.type === 'relative' && position.placement === 'before')
    const form = isHeading || position.type === 'absolute' ? { as: 'block' } : {}
    return change('insert_text', [{ position, content, ...form }], (texts) => texts.added(marker + text))
  },
  undo,
  unsaid: () => ({ unsure: (texts) => texts.onlyQuoted }),
}

function toFormat(word: Parts['word']): Format {
  const said = formats.find(({ words }) => new RegExp(`^(?:${words})$`).test(word('format')))
  const { type = '', isInline = false } = said ?? {}
  return { type, isInline, ...(type === 'heading' ? { level: levelOf(word, word('format')) } : {}) }
}

// The level of a heading: what was said, else what its name means.
function levelOf(word: Parts['word'], noun: string): number {
  return Number(word('level') || word('deep')) || (noun === 'title' ? 1 : noun === 'subheading' ? 3 : 2)
}

function* formatting(target: Target, { isInline, ...format }: Format, remove = false): Plan {
  const { hits } = yield* find(target)
  const fitting = hits.filter(({ block }) => isInline || !block || withoutMarker(block.text) === target.find)
  const inputs = fitting.map(({ at, block }) => {
    const whole = block ? { type: 'block', block: block.number } : { type: 'selection' }
    return { target: block && isInline ? { type: 'text', ...at } : whole, format, ...(remove ? { remove } : {}) }
  })
  if (inputs.length > 0)
    return yield* change('apply_formatting', inputs, (texts) => texts.formatted(target.find, format.type, remove))
  return (texts) => texts.partOfBlock(target.find)
}

function* replace(target: Target, to: string): Plan {
  const { everywhere, occurrence } = target.scope
  const atOnce = everywhere === true && occurrence === 'all' && to !== '' && !target.isSelection
  const { hits, isWord, isBetweenSpaces } = yield* find(target, atOnce)
  const [before, after] = [target.find, to].map((text) => cut(text.replaceAll('\n', ' ⏎ '), 80))
  const line: Answer = (texts) => (to === '' ? texts.deleted(target.find) : `${before} → ${after}`)
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
  if (run === undefined) return (texts) => texts.nothingToUndo
  return yield* change('undo_changes', [{ run: Number(run) }], (texts) => texts.undid(request))
}

// A section is named by its whole title, by its number, or as the last.
function* dropSection(wanted: string): Plan {
  const sections = readSections(yield* ask('get_document'))
  const name = wanted.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const named = sections.filter(({ title, index }) => title.toLowerCase() === name || String(index) === name)
  const [section, another] = name === 'last' ? sections.slice(-1) : named
  if (!section) return (texts) => texts.noSection(wanted)
  if (another) return (texts) => texts.severalSections(wanted)
  const input = { operation: 'delete', sectionIndex: section.index }
  return yield* change('update_section', [input], (texts) => texts.deletedSection(section.title))
}
