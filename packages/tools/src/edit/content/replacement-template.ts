import { localizable } from '../../common/localizable.ts'
import { failure, type ToolFailure } from '../../common/result.ts'
import { type InlineText, literalInline, readInline } from './inline-text.ts'

/** The captured groups of a match, by number (`0` is the whole match) and by name. */
export type Groups = { numbered: readonly string[]; named: Readonly<Record<string, string>> }

/** New text for each match: inline markdown, or literal text where markup isn't interpreted (code). */
export type Template = { expand(groups: Groups, isLiteral: boolean): InlineText }

/** A template whose text is the same for every match. */
export function plainTemplate(text: string): Template {
  const inline = readInline(text)
  const literal = literalInline(text)
  return { expand: (_, isLiteral) => (isLiteral ? literal : inline) }
}

const reference = /\$(?:(\$)|(\d{1,2})|\{(\w+)\}|(&))/g
// Noncharacters, which Unicode reserves for internal use, represent the groups while the markdown is parsed.
const firstPlaceholder = 0xfdd0
const placeholders = 32
const reserved = /[\uFDD0-\uFDEF]/

/**
 * Parses new text with `$1`, `${name}`, `$&` (the whole match) and `$$` (a dollar). The text of a captured group is
 * never interpreted as markup. A group that the pattern doesn't have is `invalid_input` for `replace`.
 */
export function groupTemplate(
  text: string,
  groups: { count: number; names: readonly string[] },
): { ok: true; template: Template } | ToolFailure {
  const names: string[] = []
  let unknown: string | undefined
  const source = text.replace(reference, (whole, dollar: string, digits: string, name: string) => {
    if (dollar) return '$'
    const group = whole === '$&' ? '0' : (name ?? groupNumber(digits, groups.count))
    const isKnown = /^\d+$/.test(group) ? Number(group) <= groups.count : groups.names.includes(group)
    if (!isKnown) unknown ??= whole
    if (!names.includes(group)) names.push(group)
    return String.fromCharCode(firstPlaceholder + names.indexOf(group)) + digitsAfter(digits, group)
  })
  if (unknown !== undefined || names.length > placeholders || reserved.test(text)) return refuse(unknown, groups)
  const inline = readInline(source)
  const literal = literalInline(source)
  return {
    ok: true,
    template: { expand: (captured, isLiteral) => fill(isLiteral ? literal : inline, names, captured) },
  }
}

// `$12` is group 12 only if that group exists; otherwise group 1 followed by a 2.
function groupNumber(digits: string, count: number): string {
  const number = Number(digits)
  return String(number > count && digits.length === 2 ? Number(digits[0]) : number)
}

function digitsAfter(digits: string | undefined, group: string): string {
  return digits !== undefined && digits.length === 2 && String(Number(digits)) !== group ? (digits[1] ?? '') : ''
}

function refuse(unknown: string | undefined, groups: { count: number; names: readonly string[] }): ToolFailure {
  const named = groups.names.length > 0 ? ` and ${groups.names.map((name) => `\${${name}}`).join(', ')}` : ''
  const has = groups.count === 0 ? 'no groups' : `the groups $1 to $${groups.count}${named}`
  return failure(
    'invalid_input',
    unknown === undefined ? "replace can't be used with groups." : localizable`replace names the group ${unknown}.`,
    localizable`replace: the pattern has ${has}; write $$ for a dollar sign.`,
  )
}

function fill(template: InlineText, names: readonly string[], { numbered, named }: Groups): InlineText {
  if (names.length === 0) return template
  let text = ''
  const marks: InlineText['marks'] = []
  for (let unit = 0; unit < template.text.length; unit++) {
    const group = names[template.text.charCodeAt(unit) - firstPlaceholder]
    const character = template.text[unit] ?? ''
    const part =
      group === undefined ? character : ((/^\d+$/.test(group) ? numbered[Number(group)] : named[group]) ?? '')
    for (let each = 0; each < part.length; each++) marks.push(template.marks[unit] ?? [])
    text += part
  }
  // Groups can't be inserted into a formula or another atom: the atom becomes its text form.
  return { ...literalInline(text), marks }
}
