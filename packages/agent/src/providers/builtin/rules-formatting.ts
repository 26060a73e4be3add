import type { Command, Format, List, Replace, Rule } from './command.ts'
import { isSelection, readTerm } from './phrases.ts'
import type { Phrase } from './phrases.ts'
import { isStructural, readTarget } from './targets.ts'

const bold = { type: 'bold', name: 'bold', fence: '**' }
const italic = { type: 'italic', name: 'italic', fence: '*' }
const code = { type: 'code', name: 'code', fence: '`' }
const strike = { type: 'strike', name: 'strikethrough', fence: '~~' }
const underline = { type: 'underline', name: 'underlined' }
const highlight = { type: 'highlight', name: 'highlighted' }

type TextFormat = Format & { fence?: string }

const formats: Record<string, TextFormat> = {
  bold,
  italic,
  italics: italic,
  code,
  'inline code': code,
  strikethrough: strike,
  'struck through': strike,
  'strike through': strike,
  underline,
  underlined: underline,
  highlighted: highlight,
}
const formatNames = Object.keys(formats).join('|')

const lists = {
  bullet: { type: 'bulletList', name: 'a list' },
  ordered: { type: 'orderedList', name: 'a numbered list' },
  task: { type: 'taskList', name: 'a task list' },
}

const blockFormats: Record<string, Format> = {
  quote: { type: 'blockquote', name: 'a quote' },
  blockquote: { type: 'blockquote', name: 'a quote' },
  'code block': { type: 'codeBlock', name: 'a code block' },
  'normal paragraph': { type: 'paragraph', name: 'a paragraph' },
  paragraph: { type: 'paragraph', name: 'a paragraph' },
  'normal text': { type: 'paragraph', name: 'a paragraph' },
}

/** The rules for commands that format text or blocks. */
export const formattingRules: readonly Rule[] = [
  [
    new RegExp(`^(?:make|set|format|turn|mark|put) (.+?) (?:into |in |as )?(${formatNames})$`, 'i'),
    (part, phrase) => formatting(part(1), formats[part(2).toLowerCase()], phrase),
  ],
  [/^(?:embolden|bold) (.+)$/i, (part, phrase) => formatting(part(1), bold, phrase)],
  [/^(?:italici[sz]e) (.+)$/i, (part, phrase) => formatting(part(1), italic, phrase)],
  [/^(?:strike(?: ?through| out)?|cross out) (.+)$/i, (part, phrase) => formatting(part(1), strike, phrase)],
  [/^underline (.+)$/i, (part, phrase) => formatting(part(1), underline, phrase)],
  [
    new RegExp(`^(?:remove|take away|clear) (?:the )?(${formatNames})(?: formatting)? (?:from|of|on) (.+)$`, 'i'),
    (part, phrase) => formatting(part(2), formats[part(1).toLowerCase()], phrase, true),
  ],
  [
    new RegExp(`^(?:make|set) (.+?) (?:not|no longer) (${formatNames})$`, 'i'),
    (part, phrase) => formatting(part(1), formats[part(2).toLowerCase()], phrase, true),
  ],
  [
    /^(?:link|make|turn) (.+?) (?:into |to )?(?:(?:be )?an? link to )?((?:https?:\/\/|mailto:)\S+)$/i,
    (part, phrase) => formatting(part(1), { type: 'link', name: 'a link', href: part(2) }, phrase),
  ],
  [
    /^(?:make|turn|format|set|convert|change) (.+?) (?:into |as |to |in )?(?:an? )?(?:h([1-6])|(title|(?:sub)?heading)(?: ?(?:of )?(?:level )?([1-6]))?)$/i,
    (part, phrase) => {
      const level = Number(part(2) || part(4)) || (/^title$/i.test(part(3)) ? 1 : /^sub/i.test(part(3)) ? 3 : 2)
      return heading(part(1), level, phrase)
    },
  ],
  [
    /^(?:make|turn|format|convert|change) (.+?) (?:into |as |to )?(?:an? )?(bullet(?:ed|s)? |numbered |ordered |task |check)?list$/i,
    (part, phrase) => listing(part(1), part(2), phrase),
  ],
  [
    new RegExp(
      `^(?:make|turn|format|convert|change) (.+?) (?:into |as |to )?(?:an? )?(${Object.keys(blockFormats).join('|')})$`,
      'i',
    ),
    (part, phrase) => blockFormatting(part(1), blockFormats[part(2).toLowerCase()], phrase),
  ],
]

function formatting(raw: string, format: TextFormat | undefined, phrase: Phrase, remove = false): Command | undefined {
  const target = readTarget(raw, phrase)
  if ('kind' in target) return target.target === '' ? undefined : target
  if (!format) return undefined
  const { find, scope } = target
  const fence = format.fence
  const instead: Replace | undefined =
    fence === undefined || remove
      ? undefined
      : { kind: 'replace', find, replace: `${fence}${find}${fence}`, scope, anyCase: false }
  return { kind: 'format', target, format, remove, instead }
}

function blockFormatting(raw: string, format: Format | undefined, phrase: Phrase): Command | undefined {
  const target = readTarget(raw, phrase)
  if ('kind' in target) return target.target === '' ? undefined : target
  return format && { kind: 'format', target, format, remove: false, instead: undefined }
}

function heading(raw: string, level: number, phrase: Phrase): Command | undefined {
  const command = blockFormatting(raw, { type: 'heading', name: 'a heading', level }, phrase)
  if (command?.kind !== 'format') return command
  const { find, scope } = command.target
  const replace = `${'#'.repeat(level)} ${find}`
  return { ...command, instead: { kind: 'replace', find, replace, scope, anyCase: false, whole: true } }
}

// "a, b and c" is split into items; a text that already is one or more lines becomes a list unchanged.
function listing(raw: string, kind: string, phrase: Phrase): Command | undefined {
  const text = readTerm(raw, phrase)
  if (isStructural(raw)) return { kind: 'unclear-target', target: text }
  if (text === '') return undefined
  const list: List = { kind: 'list', text, content: toList(text, kind) }
  if (!isSelection(raw, phrase) && list.content.includes('\n')) return list
  const command = blockFormatting(raw, listFormat(kind), phrase)
  return command?.kind === 'format' ? { ...command, instead: list } : command
}

function listFormat(kind: string): Format {
  if (/^(?:numbered|ordered)/i.test(kind)) return lists.ordered
  return /^(?:task|check)/i.test(kind) ? lists.task : lists.bullet
}

function toList(text: string, kind: string): string {
  const items = text.split(/\n|(?:,\s*(?:and )?)/).map((item) => item.trim())
  const bullet = (index: number): string => {
    if (/^(?:numbered|ordered)/i.test(kind)) return `${index + 1}.`
    return /^(?:task|check)/i.test(kind) ? '- [ ]' : '-'
  }
  return items
    .filter((item) => item !== '')
    .map((item, index) => `${bullet(index)} ${item}`)
    .join('\n')
}
