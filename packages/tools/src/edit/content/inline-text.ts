import { schema } from '@copydesk/schema'
import { parseInlineMarkdown } from '@copydesk/schema/markdown'
import { Fragment, type Mark } from 'prosemirror-model'
import { atomText } from '../../document/blocks.ts'
import { isHtml } from './html.ts'
import { readInlineContent } from './read-content.ts'

/**
 * Inline content in the form used for comparing replacements: its plain text and the marks of each UTF-16 unit.
 * `content` is the source; `hasAtoms` : whether it contains nodes other than text.
 */
export type InlineText = { text: string; marks: (readonly Mark[])[]; content: Fragment; hasAtoms: boolean }

/** `text` as literal text, without markup. */
export function literalInline(text: string): InlineText {
  return fromFragment(Fragment.from(text === '' ? null : schema.text(text)))
}

// Notation that a model intends as markup. All other text is literal: parsing `5 * 3` or `a_b` as markdown could only
// damage it.
const marked = /\*\S|\b_\S|`[^`]|~~\S|\[[^\]]*\]\(|\\[!-/:-@[-`{-~]|<\/?(?:u|mark)\b|&[a-z]+;|&#|\$[^$\s]/i

// Markdown parses this line break as a space.
const softBreak = /(?<!\\|  )\n/

/**
 * Parses `text` as inline markdown or HTML; literal if it has no markup or is more than one paragraph, with line breaks
 * in the notation of reads.
 */
export function readInline(text: string): InlineText {
  const html = isHtml(text) ? readInlineContent(text) : null
  if (html) return fromFragment(html)
  if (!(marked.test(text) || text.includes('\n')) || softBreak.test(text)) return literalInline(text)
  const content = parseInlineMarkdown(text) ?? parseInlineMarkdown(withLiteralMarker(text))
  return content ? fromFragment(content) : literalInline(text)
}

// In a line of text the marker of a block is literal, as in `4. **Board**`.
function withLiteralMarker(text: string): string {
  return text.replace(/^[ \t]*(?:[-*+#>]|\d{1,9}(?=[.)]))/, (start) =>
    /\d$/.test(start) ? `${start}\\` : `${start.slice(0, -1)}\\${start.slice(-1)}`,
  )
}

/** Inline content with its plain text and marks. */
export function fromFragment(content: Fragment): InlineText {
  let text = ''
  let hasAtoms = false
  const marks: (readonly Mark[])[] = []
  content.forEach((node) => {
    const part = node.isText ? (node.text ?? '') : atomText(node)
    if (!node.isText) hasAtoms = true
    for (let unit = 0; unit < part.length; unit++) marks.push(node.marks)
    text += part
  })
  return { text, marks, content, hasAtoms }
}

const marker = /^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|(?:>[ \t]?)+)/

/** A line of markdown without the marker of its list item, heading or quote. */
export function withoutMarker(line: string): string {
  let rest = line.replace(/^\[\d+\]\s+/, '').trimStart()
  for (let match = marker.exec(rest); match; match = marker.exec(rest)) rest = rest.slice(match[0].length)
  return rest
}
