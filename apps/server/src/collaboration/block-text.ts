import * as Y from 'yjs'

/** The text of a block as people read it: mentions as `@label`, formulas as LaTeX; `except` is left out. */
export function blockText(block: Y.XmlElement, except?: Y.XmlElement): string {
  const parts = block.toArray().map((child) => {
    if (child === except) return ' '
    if (child instanceof Y.XmlText) return plainText(child)
    if (!(child instanceof Y.XmlElement)) return ''
    if (child.nodeName === 'mention') return `@${textAttribute(child, 'label')}`
    return child.nodeName === 'hardBreak' ? '\n' : textAttribute(child, 'latex')
  })
  return parts
    .join('')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

// Clients can write any JSON where text belongs.
function textAttribute(element: Y.XmlElement, name: string): string {
  const value: unknown = element.getAttribute(name)
  return typeof value === 'string' ? value : ''
}

function plainText(text: Y.XmlText): string {
  const delta: { insert?: unknown }[] = text.toDelta()
  return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
}
