import { randomUUID } from 'node:crypto'
import type { Node } from 'prosemirror-model'

/** Content for a copy of a document, and the names of the stored images in it. */
export type CopiedContent = { doc: Node; images: string[] }

/**
 * The content for a copy: without comments, with mentions as unsent drafts, and with the addresses of the images of
 * document `from` changed to those of document `to`. Suggested changes are copied: the caller omits them first. Throws
 * a RangeError if blocks nest deeper than the call stack allows.
 */
export function copyContent(doc: Node, from: string, to: string): CopiedContent {
  const images = new Set<string>()
  const path = `/api/documents/${from}/images/`
  const copy = (node: Node): Node => {
    const marks = node.marks.filter(({ type }) => type.name !== 'comment')
    if (node.isText) return node.mark(marks)
    const attributes: Record<string, unknown> = { ...node.attrs }
    if ('threads' in attributes) attributes.threads = null
    if (node.type.name === 'mention') Object.assign(attributes, { requestId: randomUUID(), state: 'draft' })
    if (node.type.name === 'image' && typeof attributes.src === 'string' && attributes.src.startsWith(path)) {
      const name = attributes.src.slice(path.length)
      images.add(name)
      attributes.src = `/api/documents/${to}/images/${name}`
    }
    return node.type.create(attributes, node.children.map(copy), marks)
  }
  return { doc: copy(doc), images: [...images] }
}
