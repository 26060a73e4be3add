import { arrow, type Entry, entry, levelOf } from './command.ts'
import { choose, find, type Found, type Hit, readPages } from './find.ts'
import { quote, unchanged } from './messages.ts'
import { inCapitals, misspellings } from './misspellings.ts'
import { ask, change, type Input, type Plan, tellReplacement } from './plan.ts'
import { findPlaces, readSections, readSelected } from './results.ts'
import type { Place, Target } from './terms.ts'
import type { Call } from './turn.ts'

const drop = '(delete|remove|erase|drop|cut out|cut|get rid of|take out)'
const dropSection = `${drop} (the )?(whole |entire )?`
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']
const add = '(?<verb>append|prepend|add|insert|write|put|type|paste)'
const noun =
  '( (an?|the))?( new)?( (?<noun>paragraph|line|sentence|text|word|phrase|(list )?item|bullet)( (saying|that says|with))?)?'
const heading =
  '(add|insert|write|put|create)( (an?|the))? (?<heading>title|(sub)?heading)( (of )?level (?<level>[1-6]))?'

/** Commands that change the text itself. */
export const editCommands: readonly Entry[] = [
  entry('delete-section', [`${dropSection}(?<ordinal>last|${ordinals.join('|')}) section`], ({ word }) => {
    return deleteSection(ordinals.indexOf(word('ordinal')) + 1 || -1)
  }),
  entry('delete-section', [`${dropSection}section( number)? (?<index>\\d{1,4})`], ({ word }) => {
    return deleteSection(Number(word('index')))
  }),
  entry(
    'delete-section',
    [`${dropSection}section( (called|named|titled))? {plain}`, `${dropSection}(?!(this|that|next) ){plain} section`],
    ({ text }) => deleteSection(text),
  ),
  entry(
    'replace',
    [
      '(use|write|put) {new} (instead of|in place of|rather than) {target}',
      `(replace|swap|exchange) {target} (with|by|for|to|${arrow}) ?{new}`,
      `(change|rename|fix|correct|turn) {target} ?( to| into| with| as|${arrow}) ?{new}`,
      `{target} ?${arrow} ?{new}`,
    ],
    ({ target, text }) => replace(target, text),
  ),
  entry(
    'fix-all-typos',
    [
      '(fix|correct)( (all|the|a))* (typo|spelling|misspelling)s?( mistakes?| errors?)?( in the (document|text)| everywhere| here)?',
    ],
    () => fixTypos(),
  ),
  entry('correct', ['(fix|correct)( the (typo|spelling|misspelling)( of| in)?)? {target}'], ({ target }) => {
    const wrong = target.find.toLowerCase()
    const known = misspellings.get(wrong)
    if (known === undefined) return { unsure: `I do not know what ${quote(target.find)} should be.` }
    return replace(target, inCapitals(wrong, known, target.find), true)
  }),
  entry('delete', [`${drop} {target}`], ({ target }) => replace(target, '')),
  entry(
    'insert',
    [
      `${heading}( called| named| saying)?:? {quoted}( (of )?level (?<deep>[1-6]))?( {place})?`,
      `${heading}( {place})?: {said}`,
    ],
    ({ text, place, word }) => {
      const level = levelOf(word('level') || word('deep'), word('heading'))
      return insert(`${'#'.repeat(level)} ${text}`, place ?? { type: 'absolute', location: 'end' }, true)
    },
  ),
  entry(
    'insert',
    [`${add}${noun}:? {quoted}( {place})?`, `${add}${noun}( {place})?: {said}`],
    ({ text, place, word }) => {
      const at = place ?? { type: 'absolute', location: word('verb') === 'prepend' ? 'start' : 'end' }
      return insert(`${/item|bullet/.test(word('noun')) ? '- ' : ''}${text}`, at, at.type === 'absolute')
    },
  ),
  entry('insert', [`${add}( .*)?`], () => ({ unsure: 'I add only a text that you quote, at a place that you name.' })),
]

function* replace(target: Target, to: string, anyCase = false): Plan {
  if (target.isSelection) {
    const selected = readSelected(yield* ask('read_selection'))
    if (!selected) return 'The selection is too long for me to change at once. Select less of it.'
    return yield* change([{ name: 'edit_document', arguments: { ...selected, replace: to } }], tellReplacement)
  }
  const atOnce = target.scope.everywhere === true && target.scope.occurrence === 'all'
  const found = yield* find({ ...target, anyCase, atOnce })
  // A single call can neither skip requests to the agent nor delete a space along with each word.
  const isEach = !atOnce || !found.isEvery || (to === '' && found.isBetweenSpaces)
  const calls = found.variants.map((searchText) => {
    const newText = inCapitals(target.find, to, searchText)
    return { name: 'replace_text', arguments: { searchText, newText, matchCase: true, wholeWord: found.isWord } }
  })
  return yield* change(isEach ? found.hits.map((hit) => edit(target.find, to, found, hit)) : calls, tellReplacement)
}

function* fixTypos(): Plan {
  const { blocks } = yield* readPages(4)
  const calls = [...misspellings].flatMap(([wrong, right]) => {
    const found = choose(findPlaces(blocks, wrong, true), blocks, { occurrence: 'all' })
    return found.isWord ? found.hits.map((hit) => edit(wrong, right, found, hit)) : []
  })
  if (calls.length === 0) return 'I found none of the common misspellings that I know. Name a word: change X to Y.'
  return yield* change(calls, tellReplacement)
}

// A deleted word takes the space after it along.
function edit(wrong: string, to: string, found: Found, { variant, occurrence }: Hit): Call {
  const text = to === '' && found.isBetweenSpaces ? `${variant} ` : variant
  return { name: 'edit_document', arguments: { find: text, replace: inCapitals(wrong, to, variant), occurrence } }
}

function insert(text: string, place: Place, isBlock: boolean): Plan {
  const isNext = place.type === 'relative'
  const end = place.type === 'absolute' ? `at the ${place.location}` : 'where you are'
  const content = isNext ? spaced(text, place.anchor, place.placement) : text
  const input: Input = { position: place, content, ...(isBlock ? { as: 'block' } : {}) }
  const where = isNext ? `${place.placement} ${quote(place.anchor)}` : end
  return change([{ name: 'insert_text', arguments: input }], `added ${quote(text)} ${where}`)
}

// A phrase next to a word needs a space between them; block markdown and scripts without spaces don't.
function spaced(text: string, anchor: string, placement: 'before' | 'after'): string {
  const [left, right] = placement === 'after' ? [anchor, text] : [text, anchor]
  const isBlock = /^(?:#{1,6} |[-*] |\d+\. |> |```|\|)|\n|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(
    text,
  )
  if (isBlock || /[\s([{«“‘/-]$/.test(left) || /^[\s.,;:!?)\]}»”’/-]/.test(right)) return text
  return placement === 'after' ? ` ${text}` : `${text} `
}

// A section is named by its whole title or by its number; -1 is the last.
function* deleteSection(wanted: string | number): Plan {
  const sections = readSections(yield* ask('get_document'))
  const fold = (title: string): string => title.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const isTitle = typeof wanted === 'string'
  const alike = isTitle ? sections.filter(({ title }) => fold(title) === fold(wanted)) : [sections.at(wanted)]
  const [section] = alike
  if (alike.length > 1) return `${alike.length} sections have the title ${quote(String(wanted))}. ${unchanged}`
  if (!section) return `There is no ${isTitle ? `section ${quote(wanted)}` : 'such section'}. ${unchanged}`
  if (section.index === 0) return `The section with the title can not be deleted. ${unchanged}`
  const input = { operation: 'delete', sectionIndex: section.index }
  return yield* change([{ name: 'update_section', arguments: input }], `deleted the section ${quote(section.title)}`)
}
