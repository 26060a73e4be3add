import type { Attrs, Mark, Node } from 'prosemirror-model'

/**
 * The text form of a node without text content: a mention as `@label`, math as `$latex$`, a break as a line feed, an
 * image as its description.
 */
export function atomText(node: Node): string {
  switch (node.type.name) {
    case 'text':
      return node.text ?? ''
    case 'mention':
      return `@${String(node.attrs.label)}`
    case 'inlineMath':
      return `$${String(node.attrs.latex)}$`
    case 'blockMath':
      return `$$${String(node.attrs.latex)}$$`
    case 'hardBreak':
      return '\n'
    case 'horizontalRule':
      return '---'
    case 'image':
      return `[${String(node.attrs.alt ?? '') || 'image'}]`
    default:
      return ''
  }
}

/** The names of types of blocks and of formats, in a language. */
export type ChangeWords = {
  block: (type: string, attributes: Attrs) => string
  format: (mark: Mark) => string
  /** The name of text without the format. */
  plain: string
  quote: (text: string) => string
}

/** Such as `heading 2`, `done` for a checked task, `bold` and `link to https://…`. */
export const englishWords: ChangeWords = {
  block: describeBlock,
  format: describeFormat,
  plain: 'plain',
  quote: (text) => `“${text}”`,
}

function describeBlock(type: string, attributes: Attrs): string {
  switch (type) {
    case 'heading':
      return `heading ${String(attributes.level)}`
    case 'codeBlock':
      return typeof attributes.language === 'string' ? `code (${attributes.language})` : 'code'
    case 'bulletList':
      return 'bullet list'
    case 'orderedList':
      return attributes.start === 1 ? 'numbered list' : `numbered list from ${String(attributes.start)}`
    case 'taskItem':
      return attributes.checked === true ? 'done' : 'to do'
    case 'image':
      return describeImage(attributes)
    case 'blockMath':
      return `$$${String(attributes.latex)}$$`
    case 'tableHeader':
      return `header cell${alignment(attributes)}`
    case 'tableCell':
      return `cell${alignment(attributes)}`
    default:
      return type
  }
}

function describeImage({ src, alt, title, width, align }: Attrs): string {
  const size: unknown = typeof width === 'number' ? `${width} pixels wide` : width ? `${String(width)} wide` : ''
  return `image ${[src, alt, title, size, align].filter(Boolean).map(String).join(', ')}`
}

function alignment({ align }: Attrs): string {
  return typeof align === 'string' ? `, ${align}` : ''
}

function describeFormat(mark: Mark): string {
  if (mark.type.name === 'link') return `link to ${String(mark.attrs.href)}`
  if (mark.type.name === 'highlight' && typeof mark.attrs.color === 'string') return `highlight ${mark.attrs.color}`
  return mark.type.name
}
