import { readSuggestions, writeSuggestions } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { putChanges } from '../room/review.ts'
import type { ChangeRow } from '../store/tables.ts'
import { readContent, writeContent } from './content.ts'
import { toChangeRecord } from './review-rows.ts'

const changeMarks = ['insertion', 'deletion', 'formattingChange']

/**
 * Looks after changes whose marks stand in the content: the room shows those that nobody has decided on, the marks of the others are
 * taken off again.
 */
export function showOrStrip(content: Y.Doc, room: Y.Doc, rows: readonly ChangeRow[]): void {
  const done = rows.filter(({ decision }) => decision !== null)
  putChanges(room, rows.filter(({ decision }) => decision === null).map(toChangeRecord))
  const read = done.length > 0 ? readContent(content) : undefined
  if (read?.ok) writeContent(read, stripChanges(read.node, new Set(done.map(({ id }) => id))))
}

/** Takes the marks and attributes of these changes off and leaves all text where it is. */
function stripChanges(doc: Node, ids: ReadonlySet<string>): Transform {
  const transform = new Transform(doc)
  doc.descendants((node, pos) => {
    for (const mark of node.marks) {
      const isStray = changeMarks.includes(mark.type.name) && ids.has(String(mark.attrs.id))
      if (isStray) transform.removeMark(pos, pos + node.nodeSize, mark)
    }
    const suggestions = readSuggestions(node.attrs.suggestion)
    const left = suggestions.filter(({ id }) => !ids.has(id))
    if (left.length < suggestions.length) transform.setNodeAttribute(pos, 'suggestion', writeSuggestions(left))
  })
  return transform
}
