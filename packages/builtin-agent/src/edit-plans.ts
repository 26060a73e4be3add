import { choose, find, type Found, type Hit, readPages } from './find.ts'
import { levelOf } from './format-plans.ts'
import { quote, unchanged } from './messages.ts'
import { inCapitals, misspellings } from './misspellings.ts'
import { ask, change, type Input, type Plan, type Plans, tellReplacement } from './plan.ts'
import { findPlaces, readSections } from './results.ts'
import type { Target } from './terms.ts'

/** Plans that change the text itself. */
export const editPlans: Plans = {
  dropSection({ text, word }) {
    if (word('ordinal') === '') return dropSection(word('index') === '' ? text : Number(word('index')))
    return dropSection(['first', 'second', 'third', 'fourth', 'fifth'].indexOf(word('ordinal')) + 1 || -1)
  },
  replace: ({ target, text }) => replace(target, text),
  fixTypos,
  correct({ target }) {
    const wrong = target.find.toLowerCase()
    const known = misspellings.get(wrong)
    if (known === undefined) return { unsure: `I do not know what ${quote(target.find)} should be.` }
    return replace(target, inCapitals(wrong, known, target.find), true)
  },
  insert({ target, text, place, word }) {
    const isHeading = word('heading') !== ''
    const level = levelOf(word('level') || word('deep'), word('heading'))
    const marker = isHeading ? `${'#'.repeat(level)} ` : /item|bullet/.test(word('noun')) ? '- ' : ''
    const at = place ?? { type: 'absolute', location: word('verb') === 'prepend' ? 'start' : 'end' }
    const isNext = at.type === 'relative'
    const end = at.type === 'absolute' ? `at the ${at.location}` : 'where you are'
    const where = isNext ? `${at.placement} ${quote(at.anchor)}` : end
    // At a selection the text comes after it.
    const next = isNext ? at.anchor : at.type === 'selection' ? target.find : ''
    const content = spaced(marker + text, next, isNext ? at.placement : 'after')
    const form = isHeading || at.type === 'absolute' ? { as: 'block' } : {}
    return change('insert_text', [{ position: at, content, ...form }], `added ${quote(marker + text)} ${where}`)
  },
  undo,
  unsaid: () => ({ unsure: 'I add only a text that you quote, at a place that you name.' }),
}

function* replace(target: Target, to: string, anyCase = false): Plan {
  if (target.isSelection) {
    const tell = (input: Input): string => tellReplacement({ find: target.find, ...input })
    return yield* change('edit_document', [{ selection: true, replace: to }], tell)
  }
  const atOnce = target.scope.everywhere === true && target.scope.occurrence === 'all'
  const found = yield* find({ ...target, anyCase, atOnce })
  // A single call can neither skip requests to the agent nor delete a space along with each word.
  if (!atOnce || !found.isFree || (to === '' && found.isBetweenSpaces)) {
    const edits = found.hits.map((hit) => edit(target.find, to, found, hit))
    return yield* change('edit_document', edits, tellReplacement)
  }
  const inputs = found.variants.map((searchText) => {
    const newText = inCapitals(target.find, to, searchText)
    return { searchText, newText, matchCase: true, wholeWord: found.isWord }
  })
  return yield* change('replace_text', inputs, tellReplacement)
}

function* fixTypos(): Plan {
  const { blocks } = yield* readPages(4)
  const edits = [...misspellings].flatMap(([wrong, right]) => {
    const found = choose(findPlaces(blocks, wrong, true), blocks, { occurrence: 'all' })
    return found.isWord ? found.hits.map((hit) => edit(wrong, right, found, hit)) : []
  })
  if (edits.length === 0) return 'I found none of the common misspellings that I know. Name a word: change X to Y.'
  return yield* change('edit_document', edits, tellReplacement)
}

// Takes back the newest run that still counts.
function* undo(): Plan {
  const [, run, request = ''] = /^Run (\d+), asked by .+?: (".*")$/m.exec(yield* ask('read_history')) ?? []
  if (run === undefined) return 'There is nothing of mine to undo.'
  return yield* change(
    'undo_changes',
    [{ run: Number(run) }],
    `undid what you asked with ${quote(request.slice(1, -1))}`,
  )
}

// A deleted word takes the space after it along.
function edit(wrong: string, to: string, found: Found, { variant, occurrence }: Hit): Input {
  const text = to === '' && found.isBetweenSpaces ? `${variant} ` : variant
  return { find: text, replace: inCapitals(wrong, to, variant), occurrence }
}

// A phrase next to a word needs a space between them; block markdown and scripts without spaces don't.
function spaced(text: string, anchor: string, placement: 'before' | 'after'): string {
  const [left, right] = placement === 'after' ? [anchor, text] : [text, anchor]
  const isApart = /^(?:#{1,6} |[-*] |\d+\. |> |```|\|)|\n|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
  if (anchor === '' || isApart.test(text) || /[\s([{«“‘/-]$/.test(left) || /^[\s.,;:!?)\]}»”’/-]/.test(right))
    return text
  return placement === 'after' ? ` ${text}` : `${text} `
}

// A section is named by its whole title or by its number; -1 is the last.
function* dropSection(wanted: string | number): Plan {
  const sections = readSections(yield* ask('get_document'))
  const fold = (title: string): string => title.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const isTitle = typeof wanted === 'string'
  const alike = isTitle ? sections.filter(({ title }) => fold(title) === fold(wanted)) : [sections.at(wanted)]
  const [section] = alike
  if (alike.length > 1) return `${alike.length} sections have the title ${quote(String(wanted))}. ${unchanged}`
  if (!section) return `There is no ${isTitle ? `section ${quote(wanted)}` : 'such section'}. ${unchanged}`
  if (section.index === 0) return `The section with the title can not be deleted. ${unchanged}`
  const input = { operation: 'delete', sectionIndex: section.index }
  return yield* change('update_section', [input], `deleted the section ${quote(section.title)}`)
}
