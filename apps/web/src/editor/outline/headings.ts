import type { Node } from 'prosemirror-model'

/** A heading of the document: its text, its level (1–6), and its position. */
export type Heading = { text: string; level: number; position: number }

const longestShown = 300

/** The headings of a document in order, without empty ones. */
export function readHeadings(doc: Node): Heading[] {
  const headings: Heading[] = []
  doc.descendants((node, position) => {
    if (node.type.name === 'heading') {
      const text = node.textBetween(0, Math.min(node.content.size, longestShown), ' ', leafText).trim()
      const level: unknown = node.attrs.level
      if (text !== '') headings.push({ text, level: typeof level === 'number' ? level : 1, position })
    }
    return !node.isTextblock
  })
  return headings
}

/** The index of the last heading that begins at or before a position; -1 above the first. */
export function headingAt(headings: readonly Heading[], position: number): number {
  return headings.findLastIndex((heading) => heading.position <= position)
}

function leafText(leaf: Node): string {
  return leaf.type.name === 'mention' ? `@${String(leaf.attrs.label)}` : leaf.type.name === 'hardBreak' ? ' ' : ''
}
