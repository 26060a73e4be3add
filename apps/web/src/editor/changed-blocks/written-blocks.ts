import type { Authorship } from '@copydesk/protocol'
import { readIdSpans } from '@copydesk/schema'
import type { EditorState } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import { findAuthors } from '../../authorship/authored-ranges.ts'

const nobody = { client: -1, actor: '' }

/**
 * The start positions of the text blocks that contain words of a run, however they were edited since; empty while the
 * editor and its fragment differ.
 */
export function writtenBlocks(state: EditorState, { ids = [] }: Pick<Authorship, 'ids'>, run: string): number[] {
  const { type } = ySyncPluginKey.getState(state) ?? {}
  const own = ids.filter((each) => each.run === run)
  if (!type || own.length === 0) return []
  const { spans, size } = readIdSpans(type, state.schema)
  if (size !== state.doc.content.size) return []
  const blocks = findAuthors(spans, own, nobody).flatMap(({ from, to }) => {
    const found: number[] = []
    state.doc.nodesBetween(from, to, (node, position) => {
      if (node.isTextblock) found.push(position)
      return !node.isTextblock
    })
    return found
  })
  return [...new Set(blocks)]
}
