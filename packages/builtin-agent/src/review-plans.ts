import { type Answer, joined, say } from './language/answers.ts'
import { onEach, readPages } from './find.ts'
import { helpText } from './messages.ts'
import { ask, change, type Input, once, type Parts, type Plan, type Plans, stop } from './plan.ts'
import { readBlocks, readThreads } from './results.ts'

/** Plans that leave the text as it is: about comments and suggestions, answers, and what points at a text. */
export const reviewPlans: Plans = {
  listComments: () =>
    once('read_comments', { resolved: false }, (result) => {
      const threads = readThreads(result).map(({ quote, comments }) => {
        const said = joined(
          comments.map((comment) => say('{author}: “{text}”', comment)),
          ' · ',
        )
        return say('on “{quote}”: {said}', { quote, said })
      })
      return listed(threads, result, noOpenComments(''))
    }),
  listChanges: () =>
    once('read_changes', {}, (result) => {
      const lines = result.matchAll(
        /^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (adds(?= "))?(removes(?= "))?(.+)$/gm,
      )
      const changes = [...lines].map(([, type, author = '', adds, removes, change = '']) => {
        const values = { author, change: () => change.trim() }
        if (adds) return say('{author}: adds {change}', values)
        if (removes) return say('{author}: removes {change}', values)
        return say(type === 'formatting' ? '{author}: formats {change}' : '{author}: {change}', values)
      })
      return listed(changes, result, say('There are no suggestions.'))
    }),
  // One of several changes is never guessed: the command has to say "all" or use the plural.
  decide({ word }) {
    const isAccepted = /^(?:a(?!b)|nimm|übern)/.test(word('verb'))
    if (!/\b(?:alle?|every|each|everything)\b/.test(word('all')) && !word('changes').endsWith('s'))
      return {
        unsure: isAccepted
          ? say('I accept all suggestions at once if you say so; a single one you decide in the text.')
          : say('I reject all suggestions at once if you say so; a single one you decide in the text.'),
      }
    const input = { all: true, decision: isAccepted ? 'accept' : 'reject' }
    return change('decide_change', [input], say(isAccepted ? 'accepted all suggestions' : 'rejected all suggestions'))
  },
  suggest({ target, text }) {
    const { find } = target
    if (text === '') return onEach('suggest_deletion', target, say('suggested deleting “{find}”', { find }))
    const line = say('suggested “{find}” → “{text}”', { find, text })
    return onEach('suggest_replacement', target, line, { replaceWith: text })
  },
  resolve: (parts) => onThreads('resolve_comment', parts, {}, say('resolved the comment')),
  reply: (parts) =>
    onThreads('reply_to_comment', parts, { text: parts.text }, say('replied “{text}”', { text: parts.text })),
  comment({ target, text }) {
    const { find, scope } = target
    if (text === '') return { unsure: say('What should the comment say?') }
    if (find === '') return { unsure: say('On what? Select it, or quote the words.') }
    if (scope.everywhere) return { unsure: say('I comment on one place at a time.') }
    return onEach('add_comment', target, say('commented on “{find}”', { find }), { text }, true)
  },
  highlight: ({ target }) => onEach('highlight_text', target, say('highlighted “{find}”', { find: target.find })),
  help: () => stop(helpText),
  outline,
  countWords: () =>
    once('get_document_info', {}, (result) => {
      const count = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(result)?.[1] ?? 0)
      return say('The document has {count, plural, one {# word} other {# words}}.', { count })
    }),
  find: ({ target: { find: query }, word }) =>
    once('search_document', { query }, (result) => {
      const count = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
      if (count === 0) return say('“{query}” does not occur in the document.', { query })
      const head = say('“{query}” occurs {count, plural, one {# time} other {# times}}', { query, count })
      if (word('count') !== '') return joined([head, '.'], '')
      const blocks = readBlocks(result).filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()))
      return joined([
        joined([head, ':'], ''),
        listed(
          blocks.map(({ text }) => say('“{text}”', { text })),
          result,
        ),
      ])
    }),
}

// The entries of a list, and the lines in a result that say that there is more; `otherwise` if there is nothing.
function listed(entries: readonly Answer[], result: string, otherwise: Answer | string = ''): Answer {
  const more = [...result.matchAll(/^…and (\d+) more/gm)].map(([, count = '']) => say('…and {count} more', { count }))
  const lines = [...entries.map((entry) => joined(['- ', entry], '')), ...more]
  return joined(lines.length > 0 ? lines : [otherwise])
}

const noOpenComments = (on: string): Answer =>
  on === '' ? say('There are no open comments.') : say('There are no open comments on “{on}”.', { on })

// One call for each open thread that is meant: all, the one on a text, or the only one.
function* onThreads(name: string, { target, word }: Parts, input: Input, line: Answer): Plan {
  const on = word('passage') === '' ? '' : target.find
  const threads = readThreads(yield* ask('read_comments', { resolved: false }))
  const found = threads.filter((thread) => thread.quote.toLowerCase().includes(on.toLowerCase()))
  const count = found.length
  if (count === 0) return noOpenComments(on)
  if (count > 1 && word('many') === '')
    return on === ''
      ? say('There are {count} open comments. Say which, by the text that it is on.', { count })
      : say('There are {count} open comments on “{on}”. Say which, by the text that it is on.', { count, on })
  const inputs = found.map(({ id }) => ({ ...input, commentId: id }))
  return yield* change(name, inputs, line)
}

function* outline(): Plan {
  const { blocks, header } = yield* readPages(4)
  const headings = blocks.flatMap(({ text }) => {
    const [, marks, title] = /^(#{1,6}) +(.+)$/.exec(text) ?? []
    return marks ? [`${'  '.repeat(marks.length - 1)}- ${title}`] : []
  })
  const [, count, words] = /^(\d+) blocks?, (\d+) words?$/m.exec(header) ?? []
  if (words === undefined || words === '0') return say('The document is empty.')
  const size = say(
    '{blocks, plural, one {# block} other {# blocks}}, {words, plural, one {# word} other {# words}}, {headings, plural, one {# heading} other {# headings}}',
    { blocks: Number(count), words: Number(words), headings: headings.length },
  )
  return joined([size, ...headings.slice(0, 40)])
}
