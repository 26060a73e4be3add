import { readSuggestions } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'

/** Tests whether an open change is this user's, and creates the ids of new ones. */
export type OwnChanges = { isOwn(id: string): boolean; create(): string }

/**
 * The changes that one user suggests in this window. `isMine` knows those from other windows and earlier; ids created
 * here are known before the server has received them.
 */
export function createOwnChanges(createId: () => string, isMine: (id: string) => boolean): OwnChanges {
  const created = new Set<string>()
  return {
    isOwn: (id) => created.has(id) || isMine(id),
    create() {
      const id = createId()
      created.add(id)
      return id
    },
  }
}

/**
 * The user's own change that an edit of this range of a document extends: an insertion or deletion of text or blocks in
 * the range, adjacent to it or around it.
 */
export function ownChangeAt(doc: Node, from: number, to: number, isOwn: (id: string) => boolean): string | undefined {
  const [$from, $to] = [doc.resolve(from), doc.resolve(to)]
  const nodes = [$from.nodeBefore, $to.nodeAfter, $from.nodeAfter, $to.nodeBefore].flatMap((node) => node ?? [])
  for (let depth = $from.depth; depth > 0; depth -= 1) nodes.push($from.node(depth))
  const beside = nodes.flatMap((node) => idsOn(node)).find(isOwn)
  if (beside !== undefined || from === to) return beside
  let within: string | undefined
  doc.nodesBetween(from, to, (node) => {
    within ??= idsOn(node).find(isOwn)
    return within === undefined
  })
  return within
}

function idsOn(node: Node): string[] {
  const marks = node.marks.filter(({ type }) => type.name === 'insertion' || type.name === 'deletion')
  const entries = readSuggestions(node.attrs.suggestion).filter(({ operation }) => operation !== 'change')
  return [...marks.map(({ attrs }) => String(attrs.id)), ...entries.map(({ id }) => id)]
}
