import { onEach, readPages } from './find.ts'
import { helpText } from './messages.ts'
import type { Answer } from './language/texts.ts'
import { ask, change, type Input, once, type Parts, type Plan, type Plans, stop } from './plan.ts'
import { readBlocks, readThreads } from './results.ts'

/** Plans that leave the text as it is: about comments and suggestions, answers, and what points at a text. */
export const reviewPlans: Plans = {
  listComments: () =>
    once('read_comments', { resolved: false }, (result) => {
      const threads = readThreads(result)
      return listed(
        threads.map(
          ({ quote, comments }): Answer =>
            (texts) =>
              texts.thread(quote, comments),
        ),
        result,
        (texts) => texts.noOpenComments(''),
      )
    }),
  listChanges: () =>
    once('read_changes', {}, (result) => {
      const lines = [...result.matchAll(/^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (.+)$/gm)].map(
        ([, type, author = '', text = '']): Answer =>
          (texts) =>
            texts.suggestion(author, text, type === 'formatting'),
      )
      return listed(lines, result, (texts) => texts.noSuggestions)
    }),
  // One of several changes is never guessed: the command has to say "all" or use the plural.
  decide({ word }) {
    const decision = word('verb').startsWith('a') ? 'accept' : 'reject'
    if (!/\b(?:all|every|each|everything)\b/.test(word('all')) && !word('changes').endsWith('s'))
      return { unsure: (texts) => texts.allSuggestions(decision === 'accept') }
    return change('decide_change', [{ all: true, decision }], (texts) => texts.decided(decision === 'accept'))
  },
  suggest({ target, text }) {
    const { find } = target
    if (text === '') return onEach('suggest_deletion', target, (texts) => texts.suggestedDeletion(find))
    const line: Answer = (texts) => texts.suggestedReplacement(find, text)
    return onEach('suggest_replacement', target, line, { replaceWith: text })
  },
  resolve: (parts) => onThreads('resolve_comment', parts, {}, (texts) => texts.resolved),
  reply: (parts) => onThreads('reply_to_comment', parts, { text: parts.text }, (texts) => texts.replied(parts.text)),
  comment({ target, text }) {
    if (text === '') return { unsure: (texts) => texts.whatComment }
    if (target.find === '') return { unsure: (texts) => texts.commentOnWhat }
    if (target.scope.everywhere) return { unsure: (texts) => texts.oneComment }
    return onEach('add_comment', target, (texts) => texts.commented(target.find), { text }, true)
  },
  highlight: ({ target }) => onEach('highlight_text', target, (texts) => texts.highlighted(target.find)),
  help: () => stop(helpText),
  outline,
  countWords: () =>
    once('get_document_info', {}, (result) => {
      const words = Number(/^Blocks: .*?\bwords: (\d+)/m.exec(result)?.[1] ?? 0)
      return (texts) => texts.wordCount(words)
    }),
  find: ({ target: { find: query }, word }) =>
    once('search_document', { query }, (result) => {
      const total = Number(/^(\d+) match/.exec(result)?.[1] ?? 0)
      const head: Answer = (texts) => texts.occurs(query, total)
      if (total === 0 || word('count') !== '') return (texts) => `${head(texts)}.`
      const blocks = readBlocks(result).filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()))
      const lines = listed(
        blocks.map(
          ({ text }): Answer =>
            (texts) =>
              texts.line(text),
        ),
        result,
      )
      return (texts) => `${head(texts)}:\n${lines(texts)}`
    }),
}

// The entries of a list, and the lines in a result that say that there is more; `otherwise` if there is nothing.
function listed(entries: readonly Answer[], result: string, otherwise: Answer = () => ''): Answer {
  const more = result.match(/^…and \d+ more/gm) ?? []
  return (texts) => {
    const lines = [...entries.map((entry) => `- ${entry(texts)}`), ...more.map(texts.more)]
    return lines.join('\n') || otherwise(texts)
  }
}

// One call for each open thread that is meant: all, the one on a text, or the only one.
function* onThreads(name: string, { target, word }: Parts, input: Input, line: Answer): Plan {
  const on = word('passage') === '' ? '' : target.find
  const threads = readThreads(yield* ask('read_comments', { resolved: false }))
  const found = threads.filter((thread) => thread.quote.toLowerCase().includes(on.toLowerCase()))
  if (found.length === 0) return (texts) => texts.noOpenComments(on)
  if (found.length > 1 && word('many') === '') return (texts) => texts.whichComment(found.length, on)
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
  if (words === undefined || words === '0') return (texts) => texts.emptyDocument
  return (texts) => [texts.size(Number(count), Number(words), headings.length), ...headings.slice(0, 40)].join('\n')
}
