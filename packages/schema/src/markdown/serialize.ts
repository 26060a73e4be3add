import { Fragment, type Node } from 'prosemirror-model'
import { schema } from '../extensions.ts'
import { resolveChanges, type ChangesView } from '../resolve-changes.ts'
import { type Flow, markdownWriter } from './processor.ts'
import { writeBlocks } from './write-blocks.ts'

/** How suggested changes appear in markdown: as before them (default), or as if all were accepted. */
export type SerializeOptions = { changes?: ChangesView }

/** Writes a document as markdown, ending in a line feed; `frontmatter` as `parseMarkdown` gave it. */
export function serializeMarkdown(doc: Node, frontmatter?: string | null, options: SerializeOptions = {}): string {
  const body = write(resolveChanges(doc, options.changes ?? 'original'))
  if (frontmatter === null || frontmatter === undefined) return body
  const fenced = frontmatter === '' ? '---\n---\n' : `---\n${frontmatter}\n---\n`
  return body === '' ? fenced : `${fenced}\n${body}`
}

/** Writes one block (also a list item, a table row or a cell) as markdown, without a line feed at its end. */
export function serializeBlock(node: Node, options: SerializeOptions = {}): string {
  const doc = schema.topNodeType.create(null, blocksOf(node))
  return write(resolveChanges(doc, options.changes ?? 'original')).replace(/\n$/, '')
}

/** Writes inline content as markdown; white space at its start and end stays as it is. */
export function serializeInline(content: Fragment, options: SerializeOptions = {}): string {
  const paragraph = resolveChanges(schema.node('doc', null, schema.node('paragraph', null, content)), options.changes ?? 'original')
  // Spaces at the ends are written as references in a paragraph, where they would be lost otherwise.
  const encoded = write(paragraph).replace(/\n$/, '')
  return encoded.replace(/^&#x20;|&#x20;$/g, ' ').replace(/^&#x9;|&#x9;$/g, '\t')
}

function blocksOf(node: Node): Fragment {
  switch (node.type.name) {
    case 'doc':
      return node.content
    case 'listItem':
      return Fragment.from(schema.node('bulletList', null, node))
    case 'taskItem':
      return Fragment.from(schema.node('taskList', null, node))
    case 'tableRow':
      return Fragment.from(schema.node('table', null, node))
    case 'tableCell':
    case 'tableHeader':
      return node.content
    default:
      return Fragment.from(node)
  }
}

function write(doc: Node): string {
  try {
    return markdownWriter.stringify({ type: 'root', children: writeBlocks(doc.content) })
  } catch (error) {
    // The writer is recursive: blocks nested deeper than the stack are written as their bare text.
    if (!(error instanceof RangeError)) throw error
    const paragraphs = plainText(doc).map((text): Flow => ({ type: 'paragraph', children: [{ type: 'text', value: text }] }))
    return markdownWriter.stringify({ type: 'root', children: paragraphs })
  }
}

function plainText(doc: Node): string[] {
  const texts: string[] = []
  const pending: Node[] = [doc]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.isTextblock) texts.push(node.textContent.replace(/\s+/g, ' '))
    else pending.push(...node.children.toReversed())
  }
  return texts.filter((text) => text !== '')
}
