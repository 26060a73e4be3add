import { Fragment, type Node } from 'prosemirror-model'
import { schema } from '../extensions.ts'
import { fencedFrontmatter } from '../frontmatter.ts'
import { type ChangesView, plainTexts, resolveChanges } from '../resolve-changes.ts'
import { type Flow, markdownWriter } from './processor.ts'
import { writeBlocks } from './write-blocks.ts'

/** The view of suggested changes in markdown: the text before them (default), or as if all were accepted. */
export type SerializeOptions = { changes?: ChangesView }

/**
 * Writes a document as markdown, ending in a line feed; `frontmatter` as returned by `parseMarkdown`. Parsing the
 * result and writing it again results in the same bytes. Lines of frontmatter that would end its block early are
 * indented. Empty paragraphs are omitted, since markdown can't represent them.
 */
export function serializeMarkdown(doc: Node, frontmatter?: string | null, options: SerializeOptions = {}): string {
  const body = write(doc, options)
  if (frontmatter === null || frontmatter === undefined) return body
  const fenced = frontmatter === '' ? '---\n---\n' : `---\n${fencedFrontmatter(frontmatter)}\n---\n`
  return body === '' ? fenced : `${fenced}\n${body}`
}

/** Writes one block (also a list item, a table row or a cell) as markdown, without a line feed at its end. */
export function serializeBlock(node: Node, options: SerializeOptions = {}): string {
  return write(schema.topNodeType.create(null, blocksOf(node)), options).replace(/\n$/, '')
}

/** Writes inline content as markdown; white space at its start and end is unchanged. */
export function serializeInline(content: Fragment, options: SerializeOptions = {}): string {
  const encoded = serializeBlock(schema.node('paragraph', null, content), options)
  // In a paragraph the outermost spaces would be lost, so the writer encodes them as references.
  return encoded.replace(/^&#x20;|&#x20;$/g, ' ').replace(/^&#x9;|&#x9;$/g, '\t')
}

function blocksOf(node: Node): Fragment {
  switch (node.type.name) {
    case 'doc':
    case 'tableCell':
    case 'tableHeader':
      return node.content
    case 'listItem':
      return Fragment.from(schema.node('bulletList', null, node))
    case 'taskItem':
      return Fragment.from(schema.node('taskList', null, node))
    case 'tableRow':
      return Fragment.from(schema.node('table', null, node))
    default:
      return Fragment.from(node)
  }
}

function write(doc: Node, { changes = 'original' }: SerializeOptions): string {
  try {
    const resolved = resolveChanges(doc, changes)
    return markdownWriter.stringify({ type: 'root', children: writeBlocks(resolved.content) })
  } catch (error) {
    // The serializer is recursive: blocks nested deeper than the call stack allows are written as plain text.
    if (!(error instanceof RangeError)) throw error
    const paragraphs = plainTexts(doc, changes).map((text): Flow => ({
      type: 'paragraph',
      children: [{ type: 'text', value: text.replace(/\s+/g, ' ').trim() }],
    }))
    return markdownWriter.stringify({ type: 'root', children: paragraphs })
  }
}
