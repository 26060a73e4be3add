import { schema } from '@copydesk/schema'
import type { Mark, Node } from 'prosemirror-model'

/**
 * A paragraph from a line in the notation `+added+`, `-deleted-`, with all other text unchanged; `attributes` go to the
 * paragraph.
 */
export function suggested(line: string, attributes: Record<string, unknown> = {}): Node {
  return schema.node('paragraph', attributes, suggestedText(line))
}

/** Text with suggested changes in the same notation; every part has its own id, which begins with its text. */
export function suggestedText(line: string): Node[] {
  return [...line.matchAll(/\+([^+]*)\+|-([^-]*)-|([^+-]+)/g)].map(([, added, deleted, kept]) => {
    if (added !== undefined) return schema.text(added, [review('insertion', added)])
    return deleted === undefined ? schema.text(kept ?? '') : schema.text(deleted, [review('deletion', deleted)])
  })
}

function review(mark: 'insertion' | 'deletion', text: string): Mark {
  return schema.mark(mark, { id: `${text.trim()}-1` })
}

/** The attribute of a block that a suggestion of this id deletes or inserts. */
export function suggestion(operation: 'insert' | 'delete', id = 'block-1'): { suggestion: string } {
  return { suggestion: JSON.stringify([{ id, operation }]) }
}

/** A document of these blocks. */
export function documentNode(...blocks: Node[]): Node {
  return schema.node('doc', null, blocks)
}
