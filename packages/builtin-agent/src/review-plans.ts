import { onEach, readPages } from './find.ts'
import { countOf, helpText, quote } from './messages.ts'
import { ask, change, type Input, once, type Parts, type Plan, type Plans, stop } from './plan.ts'
import { readBlocks, readThreads } from './results.ts'

/** Plans that leave the text as it is: about comments and suggestions, answers, and what points at a text. */
export const reviewPlans: Plans = {
  listComments: () =>
    once('read_comments', { resolved: false }, (result) => {
      const lines = readThreads(result).map(({ quote: on, comments }) => {
        return `- on ${quote(on)}: ${comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')}`
      })
      return listed(lines, result) || 'There are no open comments.'
    }),
  listChanges: () =>
    once('read_changes', {}, (result) => {
      const lines = [...result.matchAll(/^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (.+)$/gm)].map(
        ([, type, author, text]) => `- ${author}: ${type === 'formatting' ? 'formats ' : ''}${text}`,
      )
      return listed(lines, result) || 'There are no suggestions.'
    }),
  // One of several changes is never guessed: the command has to say "all" or use the plural.
  decide({ word }) {
    const decision = word('verb').startsWith('a') ? 'accept' : 'reject'
    if (!/\b(?:all|every|each|everything)\b/.test(word('all')) && !word('changes').endsWith('s'))
      return { unsure: `I ${decision} all suggestions at once if you say so; a single one you decide in the text.` }
    return change('decide_change', [{ all: true, decision }], `${decision}ed all suggestions`)
  },
  suggest({ target, text }) {
    const find = quote(target.find)
    if (text === '') return onEach('suggest_deletion', target, `suggested deleting ${find}`)
    return onEach('suggest_replacement', target, `suggested ${find} → ${quote(text)}`, { replaceWith: text })
  },
  resolve: (parts) => onThreads('resolve_comment', parts, {}, 'resolved the comment'),
  reply: (parts) => onThreads('reply_to_comment', parts, { text: parts.text }, `replied ${quote(parts.text)}`),
  comment({ target, text }) {
    if (text === '') return { unsure: 'What should the comment say?' }
    if (target.find === '') return { unsure: 'On what? Select it, or quote the words.' }
    if (target.scope.everywhere) return { unsure: 'I comment on one place at a time.' }
    return onEach('add_comment', target, `commented on ${quote(target.find)}`, { text }, true)
  },
  highlight: ({ target }) => onEach('highlight_text', target, `highlighted ${quote(target.find)}`),
  help: () => stop(helpText),
  outline,
  countWords: () =>
    once('get_document_info', {}, (result) => {
      const words = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(result)?.[1] ?? 0)
      return `The document has ${countOf(words, 'word')}.`
    }),
  find: ({ target: { find: query }, word }) =>
    once('search_document', { query }, (result) => {
      const total = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
      if (total === 0) return `${quote(query)} does not occur in the document.`
      const head = `${quote(query)} occurs ${countOf(total, 'time')}`
      const blocks = readBlocks(result).filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()))
      const lines = blocks.map(({ text }) => `- ${quote(text)}`)
      return word('count') === '' ? `${head}:\n${listed(lines, result)}` : `${head}.`
    }),
}

// The lines of a list, and the lines in a result that say that there is more.
function listed(lines: readonly string[], result: string): string {
  return [...lines, ...(result.match(/^…and \d+ more/gm) ?? [])].join('\n')
}

// One call for each open thread that is meant: all, the one on a text, or the only one.
function* onThreads(name: string, { target, word }: Parts, input: Input, line: string): Plan {
  const on = word('passage') === '' ? '' : target.find
  const threads = readThreads(yield* ask('read_comments', { resolved: false }))
  const found = threads.filter((thread) => thread.quote.toLowerCase().includes(on.toLowerCase()))
  const where = on === '' ? '' : ` on ${quote(on)}`
  if (found.length === 0) return `There are no open comments${where}.`
  if (found.length > 1 && word('many') === '')
    return `There are ${found.length} open comments${where}. Say which, by the text that it is on.`
  const inputs = found.map(({ id }) => ({ ...input, commentId: id }))
  return yield* change(name, inputs, line)
}

function* outline(): Plan {
  const { blocks, header } = yield* readPages(4)
  const headings = blocks.flatMap(({ text }) => {
    const [, marks, title] = /^(#{1,6}) +(.+)$/.exec(text) ?? []
    return marks ? [`${'  '.repeat(marks.length - 1)}- ${title}`] : []
  })
  const [size] = /^\d+ blocks?, \d+ words?$/m.exec(header) ?? []
  if (!size || size.endsWith(' 0 words')) return 'The document is empty.'
  return [`${size}, ${countOf(headings.length, 'heading')}`, ...headings.slice(0, 40)].join('\n')
}
