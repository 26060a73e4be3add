import { Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { readSuggestions, writeSuggestions } from '../review-attributes.ts'

const changeMarks = ['insertion', 'deletion', 'formattingChange']

/** Removes the marks and attributes of these suggested changes and leaves all text unchanged, undecided. */
export function stripChanges(doc: Node, ids: ReadonlySet<string>): Transform {
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
