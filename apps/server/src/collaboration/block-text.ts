import * as Y from 'yjs'

/** Replaces text that is left out, so that the words before and after it neither join nor become an address. */
const gap = '…'

/**
 * The text of a block as readers see it: mentions as `@label`, formulas as LaTeX. Leaves out `except`, and text whose
 * id `isWanted` rejects; an ellipsis replaces rejected text that has wanted text on both sides.
 */
export function blockText(block: Y.XmlElement, except?: Y.XmlElement, isWanted: (id: Y.ID) => boolean = all): string {
  const parts = block.toArray().map((child) => {
    if (child === except) return ' '
    if (child instanceof Y.XmlText) return plainText(child, isWanted)
    if (!(child instanceof Y.XmlElement) || !child._item) return ''
    if (!isWanted(child._item.id)) return gap
    if (child.nodeName === 'mention') return `@${textAttribute(child, 'label', isWanted)}`
    return child.nodeName === 'hardBreak' ? '\n' : textAttribute(child, 'latex', isWanted)
  })
  const text = parts.join('').replace(/[ \t]+/g, ' ')
  return isWanted === all ? text.trim() : text.replace(/…+/g, gap).replace(/^[\s…]+|[\s…]+$/g, '')
}

function all(): boolean {
  return true
}

// Clients can write any JSON where text belongs, and can set attributes on elements that other clients inserted.
function textAttribute(element: Y.XmlElement, name: string, isWanted: (id: Y.ID) => boolean): string {
  const value: unknown = element.getAttribute(name)
  const written = element._map.get(name)
  if (typeof value !== 'string' || !written) return ''
  return isWanted(written.id) ? value : gap
}

function plainText(text: Y.XmlText, isWanted: (id: Y.ID) => boolean): string {
  let plain = ''
  for (let item = text._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue
    plain += isWanted(item.id) ? item.content.str : gap
  }
  return plain
}
