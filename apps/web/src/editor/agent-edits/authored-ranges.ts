import type { AuthorIds, Authorship } from '@copydesk/protocol'
import { type IdSpan, readIdSpans, valuesOfSpans } from '@copydesk/schema'
import { IdMap } from '@copydesk/schema/ids'
import type { EditorState } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'

/**
 * An author: a person, or a run of the agent. `at` is missing for text that the user has written since the server's
 * response.
 */
export type Writing = { actor: string; run?: string | undefined; at?: string | undefined }

/** A range of the text that one author wrote on one day. */
export type AuthoredRange = { from: number; to: number; writing: Writing }

/**
 * The authors of a document's spans; adjoining ones of one author and day are merged. `own` is the author of the ids of
 * `client` that the server didn't know yet; other unknown ids are omitted.
 */
export function findAuthors(
  spans: readonly IdSpan[],
  ids: readonly AuthorIds[],
  own: { client: number; actor: string },
): AuthoredRange[] {
  const known = new IdMap<Writing>()
  for (const { client, clock, length: len, actor, run, at } of ids)
    known.add({ client, clock, len }, { actor, run, at })
  known.addNew({ client: own.client, clock: 0, len: Infinity }, { actor: own.actor })
  return valuesOfSpans(spans, known, joined).map(({ from, to, value: writing }) => ({ from, to, writing }))
}

// Joins ranges of one author on one day, with the latest time.
function joined(a: Writing, b: Writing): Writing | undefined {
  if (a.actor !== b.actor || a.run !== b.run || a.at?.slice(0, 10) !== b.at?.slice(0, 10)) return undefined
  return (b.at ?? '') > (a.at ?? '') ? b : a
}

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
