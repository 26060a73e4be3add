import type { AuthorIds, Authorship } from '@copydesk/protocol'
import { type IdSpan, readIdSpans } from '@copydesk/schema'
import type { EditorState } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import { firstPast } from '../../common/first-past.ts'

/**
 * An author: a person, or a run of the agent. `at` is missing for what the user has written since the server was asked.
 */
export type Writing = { actor: string; run?: string | undefined; at?: string | undefined }

/** A range of the text that one author wrote on one day. */
export type AuthoredRange = { from: number; to: number; writing: Writing }

/**
 * The authors of a document's spans; adjoining ones of one author and day are merged. `own` is the author of the ids of
 * `client` that the server didn't know yet; other unknown ids are left out.
 */
export function findAuthors(
  spans: readonly IdSpan[],
  ids: readonly AuthorIds[],
  own: { client: number; actor: string },
): AuthoredRange[] {
  const clients = Map.groupBy(ids, ({ client }) => client)
  const ranges: AuthoredRange[] = []
  const add = (from: number, to: number, writing: Writing) => {
    const last = ranges.at(-1)
    if (last?.to === from && isSame(last.writing, writing)) {
      last.to = to
      if ((writing.at ?? '') > (last.writing.at ?? '')) last.writing = writing
    } else ranges.push({ from, to, writing })
  }
  for (const { from, to, client, clock } of spans) {
    const known = clients.get(client) ?? []
    let position = from
    for (let index = firstEndingAfter(known, clock); index < known.length && position < to; index++) {
      const entry = known[index]
      if (!entry || entry.clock >= clock + to - from) break
      const start = Math.max(position, from + entry.clock - clock)
      const end = Math.min(to, from + entry.clock + entry.length - clock)
      add(start, end, { actor: entry.actor, run: entry.run, at: entry.at })
      position = end
    }
    if (position < to && client === own.client) add(position, to, { actor: own.actor })
  }
  return ranges
}

function isSame(a: Writing, b: Writing): boolean {
  return a.actor === b.actor && a.run === b.run && a.at?.slice(0, 10) === b.at?.slice(0, 10)
}

// A client's entries are in the order of its clock.
function firstEndingAfter(entries: readonly AuthorIds[], clock: number): number {
  return firstPast(entries.length, (index) => {
    const entry = entries[index]
    return !entry || entry.clock + entry.length > clock
  })
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
