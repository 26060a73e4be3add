import { onEach, readPages } from './find.ts'
import { type Answer, joined, say } from './language/answers.ts'
import { examples } from './language/language.ts'
import { ask, change, type Input, type Parts, type Plan, type Plans, stop } from './plan.ts'
import { readBlocks, readThreads } from './results.ts'

/** Plans that leave the text as it is: about comments and suggestions, answers, and what points at a text. */
export const reviewPlans: Plans = {
  *listComments() {
    const result = yield* ask('read_comments', { resolved: false })
    const threads = readThreads(result).map(({ quote, comments }) => {
      const spoken = comments.map((comment) => say('{author}: “{text}”', comment))
      return say('on “{quote}”: {comments}', { quote, comments: joined(spoken, ' · ') })
    })
    return threads.length === 0 ? noOpenComments('') : listed(threads, result)
  },
  *listChanges() {
    const result = yield* ask('read_changes')
    const entry = /^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (?:(adds|removes) (?="))?(.+)$/gm
    const changes = [...result.matchAll(entry)].map(([, type = '', author = '', verb = type, text = '']) =>
      say(changeText, { author, verb, change: () => text }),
    )
    return changes.length === 0 ? say('There are no suggestions.') : listed(changes, result)
  },
  // One of several changes is never guessed: the command has to say "all" or use the plural.
  decide({ word }) {
    const decision = /^(?:a(?!b)|nimm|übern)/.test(word('verb')) ? 'accept' : 'reject'
    if (!/\b(?:alle?|every|each|everything)\b/.test(word('all')) && !word('changes').endsWith('s'))
      return say(allText, { decision })
    return change(
      'decide_change',
      [{ all: true, decision }],
      say('{decision, select, accept {accepted} other {rejected}} all suggestions', { decision }),
    )
  },
  suggest({ target, text }) {
    const { find } = target
    if (text === '') return onEach('suggest_deletion', target, say('suggested deleting “{find}”', { find }))
    const line = say('suggested “{find}” → “{text}”', { find, text })
    return onEach('suggest_replacement', target, line, { replaceWith: text })
  },
  resolve: (parts) => onThreads('resolve_comment', parts, {}, say('resolved the comment')),
  reply: ({ text, ...parts }) => onThreads('reply_to_comment', parts, { text }, say('replied “{text}”', { text })),
  comment({ target, text }) {
    const { find, scope } = target
    if (text === '') return say('What should the comment say?')
    if (find === '') return say('On what? Select it, or quote the words.')
    if (scope.everywhere) return say('I comment on one place at a time.')
    return onEach('add_comment', target, say('commented on “{find}”', { find }), { text }, true)
  },
  highlight: ({ target }) => onEach('highlight_text', target, say('highlighted “{find}”', { find: target.find })),
  help() {
    const start = say('I am the built-in agent: I work without a model, and understand plain commands like these:')
    const commands = examples.en.map((each) => joined(['- ', say(each.commands)], '')).toReversed()
    const end = 'Select a text, and "this" means it: make this bold, replace this with "Y", comment on this: a text.'
    return stop(joined([start, ...commands, say(end)]))
  },
  *outline() {
    const { blocks, header } = yield* readPages(4)
    const headings = blocks.flatMap(({ text }) => {
      const [, marks, title] = /^(#{1,6}) +(.+)$/.exec(text) ?? []
      return marks ? [`${'  '.repeat(marks.length - 1)}- ${title}`] : []
    })
    const [, count, words = '0'] = /^(\d+) blocks?, (\d+) words?$/m.exec(header) ?? []
    if (words === '0') return say('The document is empty.')
    const size = { blocks: Number(count), words: Number(words), headings: headings.length }
    return joined([say(sizeText, size), ...headings.slice(0, 40)])
  },
  *countWords() {
    const count = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(yield* ask('get_document_info'))?.[1] ?? 0)
    return say('The document has {count, plural, one {# word} other {# words}}.', { count })
  },
  *find({ target: { find: query }, word }) {
    const result = yield* ask('search_document', { query })
    const count = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
    if (count === 0) return say('“{query}” does not occur in the document.', { query })
    const head = say('“{query}” occurs {count, plural, one {# time} other {# times}}', { query, count })
    if (word('count') !== '') return joined([head, '.'], '')
    const blocks = readBlocks(result).filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()))
    const lines = blocks.map(({ text }) => say('“{text}”', { text }))
    return joined([joined([head, ':'], ''), listed(lines, result)])
  },
}

// Texts that are too long for a line.
const changeText =
  '{author}: {verb, select, adds {adds {change}} removes {removes {change}} formatting {formats {change}} other {{change}}}'
const allText =
  'I {decision, select, accept {accept} other {reject}} all suggestions at once if you say so; a single one you decide in the text.'
const sizeText =
  '{blocks, plural, one {# block} other {# blocks}}, {words, plural, one {# word} other {# words}}, {headings, plural, one {# heading} other {# headings}}'

// The entries of a list, and the lines in a result that say that there is more.
function listed(entries: readonly Answer[], result: string): Answer {
  const more = [...result.matchAll(/^…and (\d+) more/gm)].map(([, count = '']) => say('…and {count} more', { count }))
  return joined([...entries.map((entry) => joined(['- ', entry], '')), ...more])
}

const noOpenComments = (on: string): Answer => say('There are no open comments{on}.', { on: onText(on) })
const onText = (on: string): Answer => (on === '' ? () => '' : say(' on “{on}”', { on }))

// One call for each open thread that is meant: all, the one on a text, or the only one.
function* onThreads(name: string, { target, word }: Omit<Parts, 'text'>, input: Input, line: Answer): Plan {
  const on = word('passage') === '' ? '' : target.find
  const threads = readThreads(yield* ask('read_comments', { resolved: false }))
  const found = threads.filter((thread) => thread.quote.toLowerCase().includes(on.toLowerCase()))
  if (found.length === 0) return noOpenComments(on)
  if (found.length > 1 && word('many') === '')
    return say('There are {count} open comments{on}. Say which, by the text that it is on.', {
      count: found.length,
      on: onText(on),
    })
  return yield* change(
    name,
    found.map(({ id }) => ({ ...input, commentId: id })),
    line,
  )
}
