import { parseInlineMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'

const reference = /(?<!\\)&#x([0-9a-f]{1,6});/gi
const escaped = /\\([!-/:-@[-`{-~])/g

/**
 * A text block in markdown without needless escapes: character references as characters, and no backslashes where the
 * same text without them has the same meaning.
 */
export function withoutEscapes(markdown: string, { type, textContent }: Node): string {
  if (type.spec.code === true || textContent.includes('&#x') || !(markdown.includes('\\') || markdown.includes('&#x')))
    return markdown
  const plain = withoutReferences(markdown)
  const heading = type.name === 'heading' ? (/^#{1,6} /.exec(plain)?.[0] ?? '') : ''
  const text = plain.slice(heading.length)
  const bare = text.replace(escaped, '$1')
  return heading + (hasSameMeaning(text, bare) ? bare : text)
}

/** A table row in markdown without needless escapes in its cells. */
export function withoutEscapesInRow(markdown: string, { textContent }: Node): string {
  if (textContent.includes('&#x') || !(markdown.includes('\\') || markdown.includes('&#x'))) return markdown
  return withoutReferences(markdown)
    .split(/(?<!\\)\|/)
    .map((cell) => {
      const bare = cell.replace(/\\([!-/:-@[-`{}~])/g, '$1')
      return hasSameMeaning(cell.trim(), bare.trim()) ? bare : cell
    })
    .join('|')
}

/** Markdown with character references replaced by their characters. */
export function withoutReferences(markdown: string): string {
  return markdown.replace(reference, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16)
    // A line break inside a line would begin another block.
    return code === 10 || code === 13 || code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}

function hasSameMeaning(text: string, bare: string): boolean {
  if (text === bare) return true
  const [meant, read] = [parseInlineMarkdown(text.trim()), parseInlineMarkdown(bare.trim())]
  return meant !== null && read !== null && meant.eq(read)
}
