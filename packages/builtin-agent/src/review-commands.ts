import { arrow, type Entry, entry } from './command.ts'
import { type Hit, onEach } from './find.ts'
import { countOf, quote } from './messages.ts'
import { inCapitals } from './misspellings.ts'
import { ask, type Input, mostCalls, once, type Plan } from './plan.ts'
import { readMore, readSentence, readThreads } from './results.ts'
import type { Target } from './terms.ts'

const asked =
  '((what|which|are there|show|list|read|summari[sz]e|give|tell|see)( (me|us|are|is|the|all|any|of|about))*|any)'
const here = '( (are|is|there|here|open|in|on|of|this|the|document|text|page))*'
const state = '(?<state>open|unresolved|resolved)'
const changes = '(?<noun>((suggested|tracked) )?(change|suggestion|edit)s?)'
const suggest = '(suggest|propose|recommend)( that (we|you)| to)?'
const comment = '((leave|make|put|write|add) )?(an? |the )?comment'
const on = '(on|at|about|to|for|beside|next to)'

/** Commands about comments and suggested changes. */
export const reviewCommands: readonly Entry[] = [
  entry('list-comments', [`${asked}( ${state})? comments?${here}`, `(${state} )?comments`], ({ word }) => {
    const [which, resolved] = [word('state'), word('state') === 'resolved']
    return once('read_comments', which === '' ? {} : { resolved }, (result) => {
      const lines = readThreads(result).map((thread) => {
        const said = thread.comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')
        return `- on ${quote(thread.quote)}${thread.isResolved && which === '' ? ' (resolved)' : ''}: ${said}`
      })
      const none = `There are no ${which === '' ? '' : resolved ? 'resolved ' : 'open '}comments.`
      return [...lines, ...readMore(result)].join('\n') || none
    })
  }),
  entry('list-changes', [`${asked}( open)? ${changes}${here}`], () =>
    once('read_changes', {}, (result) => {
      const lines = [...result.matchAll(/^- \S+: (\w+) .*? by (.+?)(?: \((?:person|agent)\))?: (.+)$/gm)].map(
        ([, type, author, text]) => `- ${author}: ${type === 'formatting' ? 'formats ' : ''}${text}`,
      )
      return [...lines, ...readMore(result)].join('\n') || 'There are no suggestions.'
    }),
  ),
  entry(
    'decide',
    [
      `(?<verb>accept|approve|reject|decline)(?<all>( (all|everything|every|each|the|of|my|your|these|those|them))*)( open)?( ${changes})?${here}`,
    ],
    // One of several changes is never guessed: the command has to say "all" or use the plural.
    ({ word }) => {
      const decision = word('verb').startsWith('a') ? 'accept' : 'reject'
      if (!/\b(?:all|every|each|everything)\b/.test(word('all')) && !word('noun').endsWith('s'))
        return { unsure: `I ${decision} all suggestions at once if you say so; a single one you decide in the text.` }
      return once('decide_change', { all: true, decision }, (result) => {
        if (result.startsWith('There are no')) return 'There are no suggestions to decide on.'
        const count = Number(/^\w+ (\d+) suggested changes/.exec(result)?.[1] ?? 1)
        return `- ${result.startsWith('Rejected') ? 'rejected' : 'accepted'} ${countOf(count, 'suggestion')}`
      })
    },
  ),
  entry('suggest-insertion', [`${suggest} (add|insert)(ing)? {quoted} {place}`], ({ text, place }) => {
    if (place?.type !== 'relative') return { unsure: 'A suggested text needs a place before or after another text.' }
    const { anchor, placement, occurrence = 'all' } = place
    const target: Target = { find: anchor, scope: { occurrence }, isSelection: false, isQuoted: true }
    const written = { text: placement === 'after' ? ` ${text}` : `${text} `, position: placement }
    const line = `suggested ${quote(text)} ${placement} ${quote(anchor)}`
    const input = ({ block, inBlock }: Hit): Input => ({ ...written, block, occurrence: inBlock })
    return onEach('suggest_insertion', target, line, input, true)
  }),
  entry(
    'suggest',
    [
      `${suggest} (replac|chang|swapp?|renam|turn|reword|correct)(e|ing)? {target} (with|by|to|into|for|as|${arrow}) ?{new}`,
      `${suggest} (delet|remov|cutt?|dropp?)(e|ing)? {target}`,
      `${suggest} {new} (instead of|in place of|rather than|for) {target}`,
    ],
    ({ target, text }) => {
      if (text === '') return onEach('suggest_deletion', target, `suggested deleting ${quote(target.find)}`)
      const line = `suggested ${quote(target.find)} → ${quote(text)}`
      return onEach('suggest_replacement', target, line, ({ variant }) => {
        return { replaceWith: inCapitals(target.find, text, variant) }
      })
    },
  ),
  entry(
    'resolve-comments',
    [
      '(resolve|close)(?<all> all| every)?( (of|the|open|these|those))* (?<noun>comments?|threads?)( (on|about) {passage})?',
    ],
    ({ target, word }) => {
      const isAll = word('all') !== '' || word('noun').endsWith('s')
      return onThreads('resolve_comment', target.find, isAll, {}, (count) => `resolved ${countOf(count, 'comment')}`)
    },
  ),
  entry(
    'reply',
    [
      '(reply|answer|respond)( to)?( (the|this))? (comment|thread)( (on|about) {passage})?( (saying|with) |: ?)(that )?{said}',
    ],
    ({ target, text }) => onThreads('reply_to_comment', target.find, false, { text }, () => `replied ${quote(text)}`),
  ),
  entry(
    'comment',
    [
      `${comment} ?(saying |that says |: ?)?{quoted} ${on} {passage}`,
      `${comment} ${on} (?<passage>[^:]+?) (saying|that says)( that)? {said}`,
      `${comment} ${on} {passage}: ?{said}`,
      `${comment} ${on} {passage}:?`,
      `${comment}( here)?( (saying|that says|that) |: ?| (?=\uE000)){said}`,
      `${comment}( here)?`,
    ],
    ({ target, text }) => {
      if (text === '') return { unsure: 'What should the comment say?' }
      if (target.find === '') return { unsure: 'On what? Select it, or quote the words.' }
      return onEach('add_comment', target, `commented on ${quote(target.find)}`, () => ({ text }), true)
    },
  ),
]

// One call for each open thread that is meant: all, the one on a text, or the only one.
function* onThreads(name: string, on: string, isAll: boolean, input: Input, tell: (count: number) => string): Plan {
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
