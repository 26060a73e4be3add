import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import { type Block, blockText, isVisible } from './blocks.ts'
import type { DocumentView } from './document-view.ts'

/** A top-level node of the document and the ProseMirror position before it. */
export type PlacedNode = { node: Node; pos: number }

/**
 * One section of a document: section 0 is the `h1` title and everything before the first top-level `h2`, and each such
 * `h2` starts the next. `title` is the heading's plain text, empty without a heading; `headingPos` is the position
 * before the heading, missing if section 0 has no `h1`. `from` and `to` span the whole section, including the heading
 * and nodes that suggestions delete; the last section ends at the end of the document. `nodes` is the content: the
 * visible top-level nodes without the heading, in order (in section 0 some may precede the `h1`). `blocks` are their
 * blocks.
 */
export type Section = {
  index: number
  title: string
  headingPos?: number
  heading?: Node
  from: number
  to: number
  nodes: PlacedNode[]
  blocks: Block[]
}

/**
 * The sections of the document with all suggested changes accepted, in order, `index` from 0. A document without text
 * or leaf block has none.
 */
export function listSections(view: DocumentView): Section[] {
  if (view.blocks.every(({ node, kind }) => kind !== 'leaf' && blockText(node) === '')) return []
  let current: Section = { index: 0, title: '', from: 0, to: 0, nodes: [], blocks: [] }
  const sections = [current]
  view.doc.forEach((node, pos) => {
    const shown = isVisible(node)
    if (shown && levelOf(node) === 2) {
      current = { index: sections.length, ...headed(node, pos), from: pos, to: pos, nodes: [], blocks: [] }
      sections.push(current)
    } else if (shown && current.index === 0 && levelOf(node) === 1 && !current.heading) {
      Object.assign(current, headed(node, pos))
    } else if (shown) current.nodes.push({ node, pos })
    current.to = pos + node.nodeSize
  })
  for (const block of view.blocks) addBlock(sections, block)
  return sections
}

function headed(node: Node, pos: number): { title: string; heading: Node; headingPos: number } {
  return { title: blockText(node), heading: node, headingPos: pos }
}

function levelOf(node: Node): unknown {
  return node.type.name === 'heading' ? node.attrs.level : undefined
}

function addBlock(sections: readonly Section[], block: Block): void {
  const section = sections[firstIndex(sections, ({ to }) => block.pos < to)] ?? sections.at(-1)
  if (section && section.headingPos !== block.pos) section.blocks.push(block)
}
