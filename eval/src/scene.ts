import {
  contentTypes,
  createBindingMetadata,
  readChanges,
  readFragment,
  resolveChanges,
  schema,
  writeFragment,
} from '@copydesk/schema'
import { parseMarkdown, serializeBlock, serializeMarkdown } from '@copydesk/schema/markdown'
import { type DocumentSession, executeToolCall, type LiveSelection, openHeadlessSession } from '@copydesk/tools'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { EvalCase, SelectedText } from './eval-case.ts'
import type { DocumentState, SeenThread } from './outcome.ts'
import { readThreadsOf } from './room-threads.ts'

/** A case's document with its room, ready for runs. Close it when done; may be called twice. */
export type Scene = {
  readonly session: DocumentSession
  state(): DocumentState
  close(): void
}

/**
 * Builds the document of a case: its text, the comments and suggestions that others left, and what the person has selected.
 * @throws if the case is wrong: its review steps fail, or the selected text isn't there.
 */
export async function openScene(given: EvalCase): Promise<Scene> {
  const doc = new Y.Doc()
  const room = new Y.Doc()
  const { doc: content, frontmatter, title } = parseMarkdown(given.document)
  writeFragment(doc.getXmlFragment(contentTypes.fragment), content, createBindingMetadata())
  const meta = doc.getMap(contentTypes.meta)
  if (title !== null) meta.set('title', title)
  if (frontmatter !== null) meta.set('frontmatter', frontmatter)
  await review(given, doc, room)
  let selection: LiveSelection | undefined
  const session = openHeadlessSession({ doc, room, mode: given.mode ?? 'edit', selection: () => selection })
  selection = select(given, session)
  return {
    session,
    state: () => readState(doc, room, frontmatter),
    close() {
      session.close()
      doc.destroy()
      room.destroy()
    },
  }
}

async function review({ id, review: steps = [] }: EvalCase, doc: Y.Doc, room: Y.Doc): Promise<void> {
  for (const [index, { by, tool, input }] of steps.entries()) {
    const caller = { id: by.toLowerCase(), name: by, kind: 'person' as const }
    const session = openHeadlessSession({ doc, room, caller })
    try {
      const result = await executeToolCall(tool, input, session, { callId: `review-${index}` })
      if (!result.ok) throw new Error(`${id}: its review can't be set up: ${result.text}`)
    } finally {
      session.close()
    }
  }
}

function select({ id, selection, caret }: EvalCase, session: DocumentSession): LiveSelection | undefined {
  const wanted: SelectedText | undefined = selection ?? caret
  if (wanted === undefined) return undefined
  const read = session.view()
  if (!read.ok) throw new Error(`${id}: ${read.text}`)
  const first = placeOf(read.view.doc, typeof wanted === 'string' ? wanted : wanted.from)
  const last = typeof wanted === 'string' ? first : placeOf(read.view.doc, wanted.to)
  if (!first || !last) throw new Error(`${id}: the selected text isn't in the document`)
  const { anchor, head } = session.rangeAt(selection === undefined ? last.to : first.from, last.to)
  return { anchor: Y.createRelativePositionFromJSON(anchor), head: Y.createRelativePositionFromJSON(head) }
}

// Every inline atom counts as one character, as it does in positions.
function placeOf(doc: Node, text: string): { from: number; to: number } | undefined {
  let found: { from: number; to: number } | undefined
  doc.descendants((node, pos) => {
    if (found || !node.isTextblock) return !found
    const at = node.textBetween(0, node.content.size, undefined, '\uFFFC').indexOf(text)
    if (at >= 0) found = { from: pos + 1 + at, to: pos + 1 + at + text.length }
    return false
  })
  return found
}

function readState(doc: Y.Doc, room: Y.Doc, frontmatter: string | null): DocumentState {
  const read = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) throw new Error(`the document can't be read: ${JSON.stringify(read.problems)}`)
  read.doc.check()
  const given: unknown = doc.getMap(contentTypes.meta).get('frontmatter')
  const yaml = typeof given === 'string' ? given : frontmatter
  const blocks = (view: 'original' | 'accepted'): string[] => {
    return resolveChanges(read.doc, view).children.map((node) => serializeBlock(node))
  }
  const threads: SeenThread[] = readThreadsOf(room)
  return {
    markdown: serializeMarkdown(read.doc, yaml),
    accepted: serializeMarkdown(read.doc, yaml, { changes: 'accepted' }),
    blocks: { original: blocks('original'), accepted: blocks('accepted') },
    changes: readChanges(read.doc),
    threads,
    highlights: room.getMap('highlights').size,
  }
}
