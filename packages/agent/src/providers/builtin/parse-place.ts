import type { Place } from './command.ts'
import { readTerm, takeScope } from './phrases.ts'
import type { Phrase } from './phrases.ts'

/** Cuts the insertion position from the end of a command; `fallback` if the command names none. */
export function takePlace(raw: string, phrase: Phrase, fallback: 'start' | 'end'): { rest: string; place: Place } {
  const here =
    /^(.*?)(?<![,\s])[,\s]+(?:right )?(?:here|at (?:the|my) (?:cursor|caret|selection)|after (?:this|the selection|the selected text))$/i.exec(
      raw,
    )
  if (here?.[1]) return { rest: here[1], place: { kind: 'selection' } }
  const absolute =
    /^(.*?)(?<![,\s])[,\s]*\b(?:at|to|on|in) (?:the )?(?:very )?(start|beginning|top|end|bottom)(?: of (?:the |this )?(?:document|page|text))?$/i.exec(
      raw,
    )
  if (absolute?.[1]) {
    const location = /^(?:end|bottom)$/i.test(absolute[2] ?? '') ? 'end' : 'start'
    return { rest: absolute[1], place: { kind: 'absolute', location } }
  }
  const relative =
    /^(.+?)(?<![,\s])[,\s]+(?:right |just |directly )?(before|above|after|below|under|behind) (.+)$/i.exec(raw)
  if (relative?.[1] && relative[3]) {
    const placement = /^(?:before|above)$/i.test(relative[2] ?? '') ? 'before' : 'after'
    const { rest: anchor, scope } = takeScope(relative[3])
    const which = scope.occurrence === 'all' ? {} : { occurrence: scope.occurrence }
    return { rest: relative[1], place: { kind: 'relative', anchor: readTerm(anchor, phrase), placement, which } }
  }
  return { rest: raw, place: { kind: 'absolute', location: fallback } }
}
