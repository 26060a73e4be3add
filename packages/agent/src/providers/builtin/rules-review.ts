import type { Command, Rule } from './command.ts'
import { takePlace } from './parse-place.ts'
import { readDictated, readTerm, takeScope } from './phrases.ts'
import type { Phrase } from './phrases.ts'
import { readTarget } from './targets.ts'

const changes = '(?:suggestions?|suggested changes?|tracked changes?|changes?|suggested edits?|edits?)'
const decide = '(accept|approve|reject|decline)'
const suggest = '(?:suggest|propose|recommend)(?: that (?:we|you)| to)?'
const verbOfReplacing =
  '(?:replac(?:e|ing)|chang(?:e|ing)|swap(?:ping)?|renam(?:e|ing)|turn(?:ing)?|rephras(?:e|ing)|reword(?:ing)?|correct(?:ing)?)'

const commentOn = '(?:(?:leave|make|put|write|add) )?(?:an? |the )?comment (?:on|at|about|to|for|beside|next to)'

/** The rules for commands about comments and suggested changes. */
export const reviewRules: readonly Rule[] = [
  [
    /^(?:(?:what|which|are there|show|list|read|summari[sz]e|give|tell|see)\b(?: (?:me|us|are|is|the|all|any|of|about))*(?: (open|unresolved|resolved))?|any(?: (open|unresolved|resolved))?|(open|unresolved|resolved)) comments?\b(?! (?:to|on|about) \uE000)(?:.*\b(open|unresolved|resolved))?/i,
    (part) => listingComments(part(1) || part(2) || part(3) || part(4)),
  ],
  [/^comments$/i, () => listingComments('')],
  [
    new RegExp(
      `^(?:(?:what|which|are there|show|list|read|summari[sz]e|give|tell|see)\\b(?: (?:me|us|are|is|the|all|any|of|about|open))*|any) ${changes}(?: (?:are|is) (?:there|here|open))*(?: (?:in|of|on) (?:this|the) (?:document|text|page))?$`,
      'i',
    ),
    () => ({ kind: 'list-changes' }),
  ],
  [
    new RegExp(
      `^${decide}(?: (?:(?:all|every|each|the|of|open|my|your|these|those)(?: |$))*)(?:(?:all|everything|them(?: all)?|${changes})(?: (?:in|of) (?:this|the) (?:document|text|page))?)?$`,
      'i',
    ),
    (part, phrase) => deciding(part(1), phrase.text),
  ],
  [
    new RegExp(`^${suggest} ${verbOfReplacing} (.+?) (?:with|by|to|into|for|as|->|→|=>) ?(.+)$`, 'i'),
    (part, phrase) => suggesting(part(1), part(2), phrase),
  ],
  [
    new RegExp(`^${suggest} (?:delet(?:e|ing)|remov(?:e|ing)|cut(?:ting)?|drop(?:ping)?) (.+)$`, 'i'),
    (part, phrase) => suggesting(part(1), '', phrase),
  ],
  [
    new RegExp(`^${suggest} (?:add(?:ing)?|insert(?:ing)?) (.+)$`, 'i'),
    (part, phrase) => suggestingInsertion(part(1), phrase),
  ],
  [
    new RegExp(`^${suggest} (.+?) (?:instead of|in place of|rather than|for) (.+)$`, 'i'),
    (part, phrase) => suggesting(part(2), part(1), phrase),
  ],
  [
    /^(?:resolve|close)(?: (all|every))?(?: (?:of|the|open|these|those))* (comments?|threads?)(?: (?:on|about) (.+))?$/i,
    (part, phrase) => {
      const on = part(3) === '' ? undefined : readTerm(part(3), phrase)
      return { kind: 'resolve-comments', on, all: part(1) !== '' || part(2).endsWith('s') }
    },
  ],
  [
    /^(?:reply|answer|respond)(?: to)?(?: (?:the|this))? (?:comment|thread)(?: (?:on|about) (.+?))?(?: (?:saying|with) |: ?)(?:that )?(.+)$/i,
    (part, phrase) => {
      const on = part(1) === '' ? undefined : readTerm(part(1), phrase)
      return { kind: 'reply', on, text: readDictated(part(2), phrase) }
    },
  ],
  [
    /^(?:(?:leave|make|put|write|add) )?(?:an? |the )?comment ?(?:saying |that says |: ?)?(\uE000\d+\uE001) (?:on|at|about|to|for) (.+)$/i,
    (part, phrase) => commenting(part(2), part(1), phrase),
  ],
  ...[' (?:saying|that says)(?: that)? ', ': ?', ' with '].map((between): Rule => [
    new RegExp(`^${commentOn} (${between.startsWith(':') ? '.+?' : '[^:]+?'})${between}(.+)$`, 'i'),
    (part, phrase) => commenting(part(1), part(2), phrase),
  ]),
  [new RegExp(`^${commentOn} (.+?):?$`, 'i'), (part, phrase) => commenting(part(1), '', phrase)],
  [
    /^(?:(?:leave|make|put|write|add) )?(?:an? |the )?comment(?: here)?(?: (?:saying|that says|that) (.+)|: ?(.+)| (\uE000\d+\uE001))?$/i,
    (part, phrase) => commenting('', part(1) || part(2) || part(3), phrase),
  ],
]

function listingComments(state: string): Command {
  if (state === '') return { kind: 'list-comments' }
  return { kind: 'list-comments', resolved: state.toLowerCase() === 'resolved' }
}

// One of several changes is never guessed: the command has to say "all" or use the plural.
function deciding(verb: string, said: string): Command | undefined {
  const decision = /^(?:accept|approve)$/i.test(verb) ? 'accept' : 'reject'
  if (/\b(?:all|every|each|everything|suggestions|changes|edits)\b/i.test(said)) return { kind: 'decide', decision }
  return /\b(?:suggestion|change|edit)\b/i.test(said) ? { kind: 'decide-one', decision } : undefined
}

function suggesting(rawFind: string, rawReplace: string, phrase: Phrase): Command {
  const { rest, scope } = takeScope(rawReplace)
  const target = readTarget(rawFind, phrase)
  if ('kind' in target) return target
  const occurrence = target.scope.occurrence === 'all' ? scope.occurrence : target.scope.occurrence
  const block = target.scope.block ?? scope.block
  return {
    kind: 'suggest',
    target: { ...target, scope: { ...target.scope, occurrence, block } },
    replace: readTerm(rest, phrase),
  }
}

function suggestingInsertion(raw: string, phrase: Phrase): Command {
  const { rest, place } = takePlace(raw, phrase, 'end')
  const text = readTerm(rest, phrase)
  if (place.kind !== 'relative') return { kind: 'unclear-target', target: 'the place' }
  return { kind: 'suggest-insertion', text, anchor: place.anchor, placement: place.placement }
}

// Without a target the comment is on the selection; `target` is undefined if there is none.
function commenting(rawTarget: string, rawText: string, phrase: Phrase): Command {
  const text = readDictated(rawText, phrase)
  if (rawTarget !== '') {
    const target = readTarget(rawTarget, phrase)
    return 'kind' in target ? target : { kind: 'comment', target, text }
  }
  const { selection } = phrase
  const find = selection === undefined ? undefined : phrase.quotations[selection]
  const target = find === undefined ? undefined : { find, scope: { occurrence: 'all' as const }, isSelection: true }
  return { kind: 'comment', target, text }
}
