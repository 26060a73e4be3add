import {
  changing,
  consult,
  type Input,
  mostCalls,
  once,
  type Plan,
  type Tell,
  tellReplacement,
  textOf,
} from './carry-out.ts'
import type { Command } from './commands.ts'
import { choose, find, type Found, type Hit, isRequest, readPages } from './find.ts'
import { countOf, helpText, quote } from './messages.ts'
import { matchCapitals, misspellings } from './misspellings.ts'
import type { Target } from './phrase.ts'
import { findPlaces, readBlocks, readSections, readSelected, readSentence, readThreads } from './results.ts'
import { type Section, withoutMarker } from './results.ts'
import { type Call, callOf, type Move, type Turn } from './turn.ts'

type Plans = { [K in Command['kind']]: (command: Extract<Command, { kind: K }>) => Plan }

const plans: Plans = {
  replace: (command) =>
    changing(['edit_document', 'replace_text'], tellReplacement, (turn) => {
      const found = find(command, turn)
      if (!('hits' in found)) return found
      const atOnce = command.scope.everywhere === true ? replaceAll(command, found, turn) : undefined
      return atOnce ?? found.hits.map((hit) => edit(command, found, hit))
    }),
  'replace-selection': ({ replace }) =>
    changing(['edit_document'], tellReplacement, (turn) => {
      const read = consult(turn, 'read_selection')
      if (typeof read !== 'string') return read
      const selected = readSelected(read)
      if (!selected) return { text: 'The selection is too long for me to change at once. Select less of it.' }
      return callOf('edit_document', { ...selected, replace })
    }),
  'fix-all-typos': () =>
    changing(['edit_document'], tellReplacement, (turn) => {
      const read = consult(turn, 'read_document')
      if (typeof read !== 'string') return read
      const blocks = readBlocks(read)
      const calls = [...misspellings].flatMap(([wrong, right]) => {
        const found = choose(wrong, { occurrence: 'all' }, findPlaces(blocks, wrong, true), blocks)
        return found.isWord ? found.hits.map((hit) => edit({ find: wrong, replace: right }, found, hit)) : []
      })
      if (calls.length > 0) return calls
      return { text: 'I found none of the common misspellings that I know. Name a word: change X to Y.' }
    }),
  format({ target, format: { name, ...format }, remove }) {
    const isText = /^(?:bold|italic|strike|code|underline|highlight|link)$/.test(format.type)
    const about = target.find
    const call = (at: Input): Call => {
      return { name: 'apply_formatting', arguments: { target: at, format, ...(remove ? { remove } : {}) } }
    }
    const tell: Tell = (_, sentence) => {
      const is = `${quote(about)} ${remove ? 'not ' : ''}${name}`
      if (sentence.startsWith('Nothing to change')) return { line: `nothing to change: ${is} already`, about }
      return { line: `made ${is}`, about, times: Number(/", (\d+) places\b/.exec(sentence)?.[1] ?? 1) }
    }
    return changing(['apply_formatting'], tell, (turn) => {
      if (target.isSelection) return [call({ type: 'selection' })]
      const found = find(target, turn)
      if (!('hits' in found)) return found
      const { hits, variants, blocks, isEvery } = found
      if (isText && target.scope.occurrence === 'all' && isEvery)
        return variants.map((value) => call({ type: 'text', value }))
      if (isText) return hits.map(({ variant: value, occurrence }) => call({ type: 'text', value, occurrence }))
      const whole = blocks.filter(({ text }) => withoutMarker(text) === about).map(({ number }) => number)
      const chosen = whole.filter((number) => hits.some(({ block }) => block === number))
      if (chosen.length > 0) return chosen.map((block) => call({ type: 'block', block }))
      return { text: `${quote(about)} is only a part of its block. Quote the whole line that it shall be.` }
    })
  },
  // The text is deleted only once the list exists.
  list: ({ text, content }) =>
    changing(['edit_document'], telling(`made ${quote(text)} a list`, text), (turn) => {
      const position = { type: 'relative', anchor: text, placement: 'after', occurrence: 'first' }
      const inserted = consult(turn, 'insert_text', { position, content, as: 'block' })
      if (typeof inserted !== 'string') return inserted
      return callOf('edit_document', { find: text, replace: '', occurrence: 'first' })
    }),
  insert({ content, place, as }) {
    const isNext = place.type === 'relative'
    const where = isNext
      ? `${place.placement} ${quote(place.anchor)}`
      : place.type === 'absolute'
        ? `at the ${place.location}`
        : 'where you are'
    const written = isNext ? spaced(content, place.anchor, place.placement) : content
    const input = { position: place, content: written, ...(as ? { as } : {}) }
    return changing(['insert_text'], telling(`added ${quote(content)} ${where}`), () => callOf('insert_text', input))
  },
  'delete-section':
    ({ section }) =>
    (turn) => {
      const read = consult(turn, 'get_document')
      const chosen = typeof read === 'string' ? pickSection(section, readSections(read)) : read
      if (!('title' in chosen)) return chosen
      const tell = telling(`deleted the section ${quote(chosen.title)}`, chosen.title)
      const input = { operation: 'delete', sectionIndex: chosen.index }
      return changing(['update_section'], tell, () => callOf('update_section', input))(turn)
    },
  comment({ target, text }) {
    const about = target ? quote(target.find) : '"these words"'
    if (text === '') return say(`What should the comment say? For example: comment on ${about}: needs a source`)
    if (!target) return say(`On what? Select it, or quote the words, for example: comment on ${about}: ${text}`)
    const { occurrence } = target.scope
    const one: Target = { ...target, scope: { occurrence: occurrence === 'all' ? 'first' : occurrence } }
    return onEach('add_comment', one, telling(`commented on ${about}`), () => ({ text }))
  },
  suggest({ target, replace }) {
    const tell: Tell = (given) => {
      const [about, to] = [textOf(given['search']) || target.find, textOf(given['replaceWith'])]
      return { line: to ? `suggested ${quote(about)} → ${quote(to)}` : `suggested deleting ${quote(about)}`, about }
    }
    if (replace === '') return onEach('suggest_deletion', target, tell, () => ({}))
    return onEach('suggest_replacement', target, tell, (found) => {
      return { replaceWith: inCapitals({ find: target.find, replace }, found) }
    })
  },
  'suggest-insertion': ({ text, anchor, placement }) =>
    changing(['suggest_insertion'], telling(`suggested ${quote(text)} ${placement} ${quote(anchor)}`, text), (turn) => {
      const found = find({ find: anchor, scope: { occurrence: 'first' } }, turn)
      if (!('hits' in found)) return found
      // The first match of the block is meant, because it is the first of the whole document.
      const written = {
        text: placement === 'after' ? ` ${text}` : `${text} `,
        position: placement,
        occurrence: 'first',
      }
      return found.hits.map(({ block, variant }) => {
        return { name: 'suggest_insertion', arguments: { block, search: variant, ...written } }
      })
    }),
  decide: ({ decision }) =>
    once('decide_change', { all: true, decision }, (result) => {
      if (result.startsWith('There are no')) return 'There are no suggestions to decide on.'
      const count = Number(/^\w+ (\d+) suggested changes/.exec(result)?.[1] ?? 1)
      return `- ${result.startsWith('Rejected') ? 'rejected' : 'accepted'} ${countOf(count, 'suggestion')}`
    }),
  'list-changes': () =>
    once('read_changes', {}, (result) => {
      const lines = [...result.matchAll(/^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (.+)$/gm)].map(
        ([, type, author, text]) => `- ${author}: ${type === 'formatting' ? 'formats ' : ''}${text}`,
      )
      return [...lines, ...(result.match(/^…and \d+ more/gm) ?? [])].join('\n') || 'There are no suggestions.'
    }),
  'list-comments': ({ resolved }) =>
    once('read_comments', resolved === undefined ? {} : { resolved }, (result) => {
      const lines = readThreads(result).map((thread) => {
        const said = thread.comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')
        return `- on ${quote(thread.quote)}${thread.isResolved && resolved === undefined ? ' (resolved)' : ''}: ${said}`
      })
      const which = resolved === undefined ? '' : resolved ? 'resolved ' : 'open '
      return [...lines, ...(result.match(/^…and \d+ more/gm) ?? [])].join('\n') || `There are no ${which}comments.`
    }),
  'resolve-comments': ({ on, all }) =>
    onThreads('resolve_comment', on, all, (count) => `resolved ${countOf(count, 'comment')}`, {}),
  reply: ({ on, text }) => onThreads('reply_to_comment', on, false, () => `replied ${quote(text)}`, { text }),
  highlight: ({ target, color }) =>
    onEach('highlight_text', target, telling(`highlighted ${quote(target.find)}`), () => (color ? { color } : {})),
  point({ target, select }) {
    const tell = telling(`${select ? 'selected the block with' : 'showed you'} ${quote(target.find)}`)
    return changing(['scroll_to'], tell, (turn) => {
      const block = blockOf(target, turn)
      return typeof block === 'number' ? callOf('scroll_to', { block, ...(select ? { select } : {}) }) : block
    })
  },
  find: ({ query, counting }) =>
    once('search_document', { query }, (result) => {
      const blocks = readBlocks(result).filter((block) => findPlaces([block], query, true).length > 0)
      const total = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
      if (total === 0) return `${quote(query)} does not occur in the document.`
      const lines = blocks.slice(0, 10).map(({ text }) => `- ${quote(text)}`)
      const head = `${quote(query)} occurs ${countOf(total, 'time')}`
      if (counting || lines.length === 0) return `${head}.`
      return [`${head}:`, ...lines, ...moreOf(blocks.length - 10)].join('\n')
    }),
  outline: () => (turn) => {
    const pages = readPages(turn, 4)
    if (!('blocks' in pages)) return pages
    const headings = pages.blocks.flatMap(({ text }) => {
      const [, marks, title] = /^(#{1,6}) +(.+)$/.exec(text) ?? []
      return marks ? [`${'  '.repeat(marks.length - 1)}- ${title}`] : []
    })
    const [size] = /^\d+ blocks?, \d+ words?$/m.exec(pages.header) ?? []
    if (!size || size.endsWith(' 0 words')) return { text: 'The document is empty.' }
    return { text: [`${size}, ${countOf(headings.length, 'heading')}`, ...headings.slice(0, 40)].join('\n') }
  },
  'count-words': () =>
    once('get_document_info', {}, (result) => {
      const words = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(result)?.[1] ?? 0)
      return `The document has ${countOf(words, 'word')}.`
    }),
  read: () =>
    once('read_document', {}, (result) => {
      const lines = readBlocks(result).map(({ text }) => text)
      return [...lines.slice(0, 20), ...moreOf(lines.length - 20)].join('\n') || 'The document is empty.'
    }),
  help: ({ said }) => say(helpText(said === undefined ? undefined : `I did not understand ${quote(said)}.`)),
  declined: ({ answer }) => say(answer),
}

/** The plan for a command: the next step from what was done so far. */
export function planFor(command: Command): Plan {
  return (plans[command.kind] as (given: Command) => Plan)(command)
}

function say(text: string): Plan {
  return () => ({ text })
}

function moreOf(count: number): string[] {
  return count > 0 ? [`…and ${countOf(count, 'more block')}`] : []
}

/** Always tells the same. */
function telling(line: string, about?: string): Tell {
  return () => (about === undefined ? { line } : { line, about })
}

/** One call for each place of a target, or for the selection. */
function onEach(name: string, target: Target, tell: Tell, input: (found: string) => Input): Plan {
  return changing([name], tell, (turn) => {
    if (target.isSelection) return callOf(name, { ...input(target.find), selection: true })
    const found = find(target, turn)
    if (!('hits' in found)) return found
    return found.hits.map(({ variant, occurrence }) => {
      return { name, arguments: { search: variant, occurrence, ...input(variant) } }
    })
  })
}

/** One call for each open thread that is meant: all, the one on a text, or the only one. */
function onThreads(
  name: string,
  on: string | undefined,
  all: boolean,
  tell: (count: number) => string,
  input: Input,
): Plan {
  return (turn) => {
    const made = turn.made.filter(({ call }) => call.name === name)
    const failed = made.find(({ result }) => result.isError)
    if (failed) return { text: `- Not done: ${readSentence(failed.result)}` }
    if (made.length > 0) return { text: `- ${tell(made.length)}` }
    const read = consult(turn, 'read_comments', { resolved: false })
    if (typeof read !== 'string') return read
    const found = readThreads(read).filter((thread) => thread.quote.toLowerCase().includes(on?.toLowerCase() ?? ''))
    const where = on === undefined ? '' : ` on ${quote(on)}`
    if (found.length === 0)
      return { text: on === undefined ? 'There are no open comments.' : `There is no open comment${where}.` }
    if (found.length === 1 || all)
      return { calls: found.slice(0, mostCalls).map(({ id }) => ({ name, arguments: { ...input, commentId: id } })) }
    return { text: `There are ${found.length} open comments${where}. Say which, by the text that it is on.` }
  }
}

/** One edit; a deleted word takes the space after it along. */
function edit(wanted: { find: string; replace: string }, found: Found, { variant, occurrence }: Hit): Call {
  const text = wanted.replace === '' && found.isBetweenSpaces ? `${variant} ` : variant
  return { name: 'edit_document', arguments: { find: text, replace: inCapitals(wanted, variant), occurrence } }
}

// A single call can neither skip requests to the agent nor delete a space along with each word.
function replaceAll(wanted: { find: string; replace: string }, found: Found, turn: Turn): Move | Call[] | undefined {
  if (!turn.offers('replace_text') || found.skipped || (wanted.replace === '' && found.isBetweenSpaces))
    return undefined
  if (found.isPartial) {
    const requests = turn.made.find(({ call }) => call.arguments['query'] === '@agent')
    if (!requests) return callOf('search_document', { query: '@agent', matchCase: false })
    const asking = readBlocks(requests.result.text).filter(isRequest)
    if (findPlaces(asking, wanted.find, true).length > 0 || /^…and \d+ more/m.test(requests.result.text))
      return undefined
  }
  return found.variants.map((searchText) => {
    const newText = inCapitals(wanted, searchText)
    return { name: 'replace_text', arguments: { searchText, newText, matchCase: true, wholeWord: found.isWord } }
  })
}

/** The replacement of a text, in the capitalisation of the match. */
function inCapitals({ find: old, replace }: { find: string; replace: string }, variant: string): string {
  return variant !== old && old === old.toLowerCase() ? matchCapitals(variant, replace) : replace
}

// A phrase next to a word needs a space between them; block markdown and scripts without spaces don't.
function spaced(text: string, anchor: string, placement: 'before' | 'after'): string {
  const [left, right] = placement === 'after' ? [anchor, text] : [text, anchor]
  const isBlock = /^(?:#{1,6} |[-*] |\d+\. |> |```|\|)|\n/.test(text)
  const isTight = /[\s([{«“‘/-]$/.test(left) || /^[\s.,;:!?)\]}»”’/-]/.test(right)
  if (isBlock || isTight || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text))
    return text
  return placement === 'after' ? ` ${text}` : `${text} `
}

/** The block to show for a target: a heading with these words, or the first place. */
function blockOf(target: Target, turn: Turn): Move | number {
  if (target.isSelection) {
    const read = consult(turn, 'read_selection')
    return typeof read === 'string'
      ? (readSelected(read)?.block ?? { text: 'I can not tell where the selection is.' })
      : read
  }
  const found = find(target, turn)
  if (!('hits' in found)) return found
  const wanted = target.find.toLowerCase()
  const heading = found.blocks.find(({ text }) => text.startsWith('#') && withoutMarker(text).toLowerCase() === wanted)
  return heading?.number ?? found.hits.at(-1)?.block ?? { text: `I can not tell where ${quote(target.find)} is.` }
}

function pickSection(wanted: { title: string } | { index: number }, sections: readonly Section[]): Section | Move {
  const fold = (title: string): string => title.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const title = 'title' in wanted ? fold(wanted.title) : ''
  const exact = sections.filter((section) => fold(section.title) === title)
  const alike = exact.length > 0 ? exact : sections.filter((section) => fold(section.title).includes(title))
  const section = 'title' in wanted ? alike[0] : sections.at(wanted.index)
  const problem =
    'title' in wanted && alike.length > 1
      ? `${countOf(alike.length, 'section')} have the title ${quote(wanted.title)}.`
      : section?.index === 0
        ? 'The section with the title can not be deleted.'
        : `There is no ${'title' in wanted ? `section ${quote(wanted.title)}` : 'such section'}.`
  return section && section.index > 0 && ('index' in wanted || alike.length === 1)
    ? section
    : { text: `${problem} I have changed nothing.` }
}
