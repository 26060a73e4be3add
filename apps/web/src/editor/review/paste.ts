import { readSuggestions, readThreads, writeSuggestions, writeThreads } from '@copydesk/schema'
import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'

/** The ids that already exist in the document. */
export type KnownIds = { changes: ReadonlyMap<string, unknown>; threads: ReadonlyMap<string, unknown> }

/**
 * Prepares a slice for pasting. Cut content keeps its comments and suggested changes; a copy of content that still
 * exists in the document loses them, and of suggested deletions the text is dropped, too, unless the slice has no other
 * text.
 */
export function cleanPasted(slice: Slice, known: KnownIds): Slice {
  const withoutDeleted = clean(slice.content, known, true)
  const content =
    withoutDeleted.textBetween(0, withoutDeleted.size).trim() === ''
      ? clean(slice.content, known, false)
      : withoutDeleted
  return new Slice(content, slice.openStart, slice.openEnd)
}

function clean(fragment: Fragment, known: KnownIds, dropsDeleted: boolean): Fragment {
  const nodes: Node[] = []
  fragment.forEach((node) => {
    if (node.isText) {
      if (!dropsDeleted || !node.marks.some((mark) => mark.type.name === 'deletion' && isKnown(mark, known))) {
        nodes.push(node.mark(node.marks.filter((mark) => !isKnown(mark, known))))
      }
      return
    }
    const content = clean(node.content, known, dropsDeleted)
    nodes.push(node.type.create(cleanAttributes(node, known), content, node.marks))
  })
  return Fragment.fromArray(nodes)
}

function isKnown({ type, attrs }: Mark, { changes, threads }: KnownIds): boolean {
  if (type.name === 'comment') return threads.has(String(attrs.threadId))
  return ['insertion', 'deletion', 'formattingChange'].includes(type.name) && changes.has(String(attrs.id))
}

function cleanAttributes({ attrs }: Node, { changes, threads }: KnownIds): Node['attrs'] {
  if (!attrs.suggestion && !attrs.threads) return attrs
  return {
    ...attrs,
    suggestion: writeSuggestions(readSuggestions(attrs.suggestion).filter(({ id }) => !changes.has(id))),
    threads: writeThreads(readThreads(attrs.threads).filter((id) => !threads.has(id))),
  }
}
