import type { Command, Rule } from './command.ts'
import type { Phrase } from './phrases.ts'
import { readTarget } from './targets.ts'

/** The rules for commands that show a position, and for those about whole sections. */
export const pointingRules: readonly Rule[] = [
  [
    /^(?:remove|clear|delete|take away) (?:the )?highlight(?:ing)?s? (?:from|on|of) (.+)$/i,
    (part, phrase) => highlighting(part(1), phrase, true),
  ],
  [/^highlight (.+?) (?:permanently|for good|in the text)$/i, (part, phrase) => highlighting(part(1), phrase, false)],
  [
    /^highlight (.+?)(?: (?:in|with) (yellow|green|blue|pink|orange))?$/i,
    (part, phrase) => {
      const target = readTarget(part(1), phrase)
      if ('kind' in target) return target
      return { kind: 'highlight', target, color: part(2).toLowerCase() || undefined }
    },
  ],
  [
    /^(?:scroll|go|jump|navigate)(?: (?:down|up|back))? to (.+)$|^(?:take|bring) me to (.+)$|^show me where (.+?) (?:is|are|stands?)$/i,
    (part, phrase) => pointing(part(1) || part(2) || part(3), false, phrase),
  ],
  [/^select (.+)$/i, (part, phrase) => pointing(part(1), true, phrase)],
  [
    /^(?:delete|remove|erase|drop|cut|get rid of|take out) (?:the )?(?:whole |entire )?(?:(first|second|third|fourth|fifth|last) )?section(?: (?:called|named|titled|about|on|number))?(?: (.+))?$/i,
    (part, phrase) => deletingSection(part(1), part(2), phrase),
  ],
  [
    /^(?:delete|remove|erase|drop|cut|get rid of|take out) (?:the )?(?:whole |entire )?(.+) section$/i,
    (part, phrase) => (/^(?:this|that|next)$/i.test(part(1)) ? undefined : deletingSection('', part(1), phrase)),
  ],
]

function highlighting(raw: string, phrase: Phrase, remove: boolean): Command {
  const target = readTarget(raw, phrase)
  if ('kind' in target) return target
  const format = { type: 'highlight', name: 'highlighted' }
  return { kind: 'format', target, format, remove, instead: undefined }
}

function pointing(raw: string, select: boolean, phrase: Phrase): Command | undefined {
  if (raw === '') return undefined
  const bare = raw.replace(/^(?:the )?(?:section|heading|part|chapter)(?: (?:about|on|called|named))? (?=\S)/i, '')
  const target = readTarget(bare.replace(/^the (.+) (?:section|heading|part|chapter)$/i, '$1'), phrase)
  return 'kind' in target ? target : { kind: 'point', target, select }
}

const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth']

function deletingSection(ordinal: string, raw: string, phrase: Phrase): Command {
  const word = ordinal.toLowerCase()
  if (raw === '' && word === 'last') return { kind: 'delete-section', section: 'last' }
  if (raw === '' && word !== '') return { kind: 'delete-section', section: { index: ordinals.indexOf(word) } }
  if (/^\d{1,4}$/.test(raw)) return { kind: 'delete-section', section: { index: Number(raw) } }
  const target = readTarget(raw, phrase)
  if ('kind' in target || target.isSelection) return { kind: 'unclear-target', target: 'the section' }
  return { kind: 'delete-section', section: { title: target.find } }
}
