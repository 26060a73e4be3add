import { type Hit, onEach } from './find.ts'
import { countOf, quote } from './messages.ts'
import { inCapitals } from './misspellings.ts'
import { ask, type Input, mostCalls, once, type Parts, type Plan, type Plans } from './plan.ts'
import { readMore, readSentence, readThreads } from './results.ts'
import type { Target } from './terms.ts'

/** Plans about comments and suggested changes. */
export const reviewPlans: Plans = {
  listComments({ word }) {
    const [which, resolved] = [word('state'), word('state') === 'resolved']
    return once('read_comments', which === '' ? {} : { resolved }, (result) => {
      const lines = readThreads(result).map((thread) => {
        const said = thread.comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')
        return `- on ${quote(thread.quote)}${thread.isResolved && which === '' ? ' (resolved)' : ''}: ${said}`
      })
      const none = `There are no ${which === '' ? '' : resolved ? 'resolved ' : 'open '}comments.`
      return [...lines, ...readMore(result)].join('\n') || none
    })
  },
  listChanges: () =>
    once('read_changes', {}, (result) => {
      const lines = [...result.matchAll(/^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (.+)$/gm)].map(
        ([, type, author, text]) => `- ${author}: ${type === 'formatting' ? 'formats ' : ''}${text}`,
      )
      return [...lines, ...readMore(result)].join('\n') || 'There are no suggestions.'
    }),
  // One of several changes is never guessed: the command has to say "all" or use the plural.
  decide({ word }) {
    const decision = word('verb').startsWith('a') ? 'accept' : 'reject'
    if (!/\b(?:all|every|each|everything)\b/.test(word('all')) && !word('changes').endsWith('s'))
      return { unsure: `I ${decision} all suggestions at once if you say so; a single one you decide in the text.` }
    return once('decide_change', { all: true, decision }, (result) => {
      if (result.startsWith('There are no')) return 'There are no suggestions to decide on.'
      const count = Number(/^\w+ (\d+) suggested changes/.exec(result)?.[1] ?? 1)
      return `- ${result.startsWith('Rejected') ? 'rejected' : 'accepted'} ${countOf(count, 'suggestion')}`
    })
  },
  suggestInsert({ text, place }) {
    if (place?.type !== 'relative') return { unsure: 'A suggested text needs a place before or after another text.' }
    const { anchor, placement, occurrence = 'all' } = place
    const target: Target = { find: anchor, scope: { occurrence }, isSelection: false, isQuoted: true }
    const written = { text: placement === 'after' ? ` ${text}` : `${text} `, position: placement }
    const line = `suggested ${quote(text)} ${placement} ${quote(anchor)}`
    const input = (hit: Hit): Input => ({ ...written, block: hit.block, occurrence: hit.inBlock })
    return onEach('suggest_insertion', target, line, input, true)
  },
  suggest({ target, text }) {
    const { find } = target
    if (text === '') return onEach('suggest_deletion', target, `suggested deleting ${quote(find)}`)
    return onEach('suggest_replacement', target, `suggested ${quote(find)} → ${quote(text)}`, ({ variant }) => {
      return { replaceWith: inCapitals(find, text, variant) }
    })
  },
  resolve(parts) {
    const isAll = parts.word('all') !== '' || parts.word('many') !== ''
    return onThreads('resolve_comment', parts, isAll, {}, (count) => `resolved ${countOf(count, 'comment')}`)
  },
  reply: (parts) =>
    onThreads('reply_to_comment', parts, false, { text: parts.text }, () => `replied ${quote(parts.text)}`),
  comment({ target, text }) {
    if (text === '') return { unsure: 'What should the comment say?' }
    if (target.find === '') return { unsure: 'On what? Select it, or quote the words.' }
    if (target.scope.everywhere) return { unsure: 'I comment on one place at a time.' }
    return onEach('add_comment', target, `commented on ${quote(target.find)}`, () => ({ text }), true)
  },
}

// One call for each open thread that is meant: all, the one on a text, or the only one.
function* onThreads(name: string, parts: Parts, isAll: boolean, input: Input, tell: (count: number) => string): Plan {
  const on = parts.word('passage') === '' ? '' : parts.target.find
  const threads = readThreads(yield* ask('read_comments', { resolved: false }))
  const found = threads.filter((thread) => thread.quote.toLowerCase().includes(on.toLowerCase()))
  const where = on === '' ? '' : ` on ${quote(on)}`
  if (found.length === 0) return on === '' ? 'There are no open comments.' : `There is no open comment${where}.`
  if (found.length > 1 && !isAll)
    return `There are ${found.length} open comments${where}. Say which, by the text that it is on.`
  const calls = found.slice(0, mostCalls).map(({ id }) => ({ name, arguments: { ...input, commentId: id } }))
  const failed = (yield { calls }).find(({ result }) => result.isError)
  return failed ? `- Not done: ${readSentence(failed.result)}` : `- ${tell(calls.length)}`
}
