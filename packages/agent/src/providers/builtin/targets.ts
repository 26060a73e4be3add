import type { Command, Target } from './command.ts'
import { isSelection, readTerm, takeScope } from './phrases.ts'
import type { Phrase } from './phrases.ts'

/** Parses the target of a command; a target that can't be found as text is `unclear-target`. */
export function readTarget(raw: string, phrase: Phrase): Target | Extract<Command, { kind: 'unclear-target' }> {
  const { rest, scope } = takeScope(raw)
  const find = readTerm(rest, phrase)
  if (find === '' || isStructural(rest)) return { kind: 'unclear-target', target: find }
  return { find, scope, isSelection: isSelection(rest, phrase) }
}

/**
 * Whether an unquoted part of a command names a position instead of a text: as literal text it would match other words.
 */
export function isStructural(raw: string): boolean {
  return /^(?:the |this |that )?(?:(?:very )?(?:top|start|beginning|end|bottom)|(?:(?:whole|entire|first|second|third|last|next|selected) )?(?:blocks?|paragraphs?|sentences?|sections?|lines?|headings?|lists?|tables?|items?|everything|all|document|page|text|words?|it|this|that|selection|here)(?: \[?\d+\]?)?)$/i.test(
    raw.trim(),
  )
}
