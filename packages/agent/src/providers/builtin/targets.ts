import type { Command, Target } from './command.ts'
import { isSelection, readTerm, takeScope } from './phrases.ts'
import type { Phrase } from './phrases.ts'

/** Reads what a command is about; a place that can't be found as text is `unclear-target`. */
export function readTarget(raw: string, phrase: Phrase): Target | Extract<Command, { kind: 'unclear-target' }> {
  const { rest, scope } = takeScope(raw)
  const find = readTerm(rest, phrase)
  if (find === '' || isStructural(rest)) return { kind: 'unclear-target', target: find }
  return { find, scope, isSelection: isSelection(rest, phrase) }
}

/** Whether a part of a command, unquoted, names a place and not a text: taken literally it would mean some other word. */
export function isStructural(raw: string): boolean {
  return /^(?:the |this |that )?(?:(?:very )?(?:top|start|beginning|end|bottom)|(?:(?:whole|entire|first|second|third|last|next|selected) )?(?:blocks?|paragraphs?|sentences?|sections?|lines?|headings?|lists?|tables?|items?|everything|all|document|page|text|words?|it|this|that|selection|here)(?: \[?\d+\]?)?)$/i.test(
    raw.trim(),
  )
}
