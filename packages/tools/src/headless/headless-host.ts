import { localizable } from '../common/localizable.ts'
import { contentTypes, decideChanges, differing, readChangeIds } from '@copydesk/schema'
import { Fragment, type Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import * as Y from 'yjs'
import { findThreadRanges, markThread } from '../review/thread-marks.ts'
import { failure, type ToolFailure } from '../common/result.ts'
import { type CaretPosition, resolveSelection } from '../session/host/caret.ts'
import type { Range } from '../document/changed-ranges.ts'
import type { DocumentView } from '../document/document-view.ts'
import type { HostAuthor, ReviewHost } from '../session/host/host.ts'
import { transformRange } from '../document/local-transform.ts'
import { createFragmentReader } from '../document/reader.ts'
import { applyTransform } from '../session/write/write-steps.ts'
import { openRoom, type Room } from './room.ts'

/**
 * The options of a headless host; the caller keeps ownership of both Y.Docs. `author` comments, suggests and decides.
 */
export type HeadlessHostOptions = { doc: Y.Doc; room: Y.Doc; author: HostAuthor; now: () => Date }

/**
 * A review host over a document and its room document, without a server: stores threads, authors of changes and
 * highlights in the room document with the server's layout, and comment marks and decisions in the document. Attributes
 * suggested changes made in transactions of origin `recorded` to the author. It has no viewers, so scrolling has no
 * effect, and images can't be stored. Close it when done.
 */
export function createHeadlessHost(options: HeadlessHostOptions, recorded?: object): ReviewHost & { close(): void } {
  const { doc, author, now } = options
  const content = openContent(doc)
  const room = openRoom(options.room, content.origin)
  const scope: HostScope = { content, room, author, stamp: () => now().toISOString() }
  let known: readonly Node[] = []
  const record = ({ origin }: Y.Transaction): void => {
    if (recorded !== undefined && origin === recorded) known = recordChanges(scope, known)
  }
  doc.on('afterTransaction', record)
  return {
    ...threadsOf(scope),
    ...changesOf(scope),
    async highlight({ id, range, color, durationMs }) {
      const at = now()
      const end = durationMs === undefined ? {} : { expiresAt: new Date(at.getTime() + durationMs).toISOString() }
      const place = { anchor: toBase64(range.anchor), head: toBase64(range.head) }
      room.setHighlight({ id, ...place, color, author, invokedBy: author.id, createdAt: at.toISOString(), ...end })
      return { ok: true, remove: async () => room.removeHighlight(id) }
    },
    scrollTo: () => false,
    storeImage: async () => noStore(),
    close() {
      doc.off('afterTransaction', record)
      content.close()
    },
  }
}

type HostScope = { content: ReturnType<typeof openContent>; room: Room; author: HostAuthor; stamp: () => string }

// Compares only with the children of the last document that it read.
function recordChanges({ content, room, author, stamp }: HostScope, known: readonly Node[]): readonly Node[] {
  const read = content.read()
  if (!read.ok) return known
  const { doc } = read.view
  const { first, oldEnd, newEnd } = differing(known, doc.children)
  const own = doc.children.slice(first, newEnd)
  const isEven = oldEnd === newEnd
  const changed = doc.copy(Fragment.from(isEven ? own.filter((node, at) => node !== known[first + at]) : own))
  for (const id of readChangeIds(changed)) room.addChange(id, author, stamp())
  return doc.children
}

function threadsOf({ content, room, author, stamp }: HostScope) {
  const say = (comment: { id: string; text: string; replacement?: string }) => ({
    ...comment,
    author,
    createdAt: stamp(),
  })
  return {
    threads() {
      const read = content.read()
      const places = read.ok ? findThreadRanges(read.view.doc) : undefined
      return room.threads().map((thread) => {
        return { ...thread, orphaned: places ? !places.has(thread.id) : thread.orphaned }
      })
    },
    thread: room.thread,
    async addThread({ id, comment, quote, text, range, replacement }) {
      if (room.thread(id)) return { ok: true }
      const marked = content.change((view) => {
        const place = content.resolve(range)
        const transform = place && transformRange(view, place, (part, range) => markThread(part, id, range))
        return transform && transform.steps.length > 0 ? transform : gone()
      })
      if (marked.ok) {
        const first = say({ id: comment, text, ...(replacement === undefined ? {} : { replacement }) })
        room.setThread({ id, quote, resolved: false, orphaned: false, comments: [first] })
      }
      return marked
    },
    async reply(id, comment) {
      const thread = room.thread(id)
      if (!thread) return noThread(id)
      if (thread.comments.some((each) => each.id === comment.id)) return { ok: true }
      room.setThread({ ...thread, comments: [...thread.comments, say(comment)] })
      return { ok: true }
    },
    async setResolved(id, resolved) {
      const thread = room.thread(id)
      if (!thread) return noThread(id)
      room.setThread({ ...thread, resolved })
      return { ok: true }
    },
  } satisfies Partial<ReviewHost>
}

function changesOf({ content, room }: HostScope) {
  return {
    authorOfChange(id) {
      const change = room.change(id)
      if (!change) return undefined
      const { author, run, alsoBy } = change
      return { ...author, ...(run === undefined ? {} : { run }), ...(alsoBy ? { alsoBy } : {}) }
    },
    async decide(ids, decision) {
      const decided = content.change((view) => {
        const chosen = new Set(ids)
        const isOpen = readChangeIds(view.doc).some((id) => chosen.has(id))
        return isOpen ? decideChanges(view.doc, chosen, decision) : noChange()
      })
      if (decided.ok) room.removeChanges(ids)
      return decided
    },
  } satisfies Partial<ReviewHost>
}

// The document's content, read at each call and changed in one synchronous block.
function openContent(doc: Y.Doc) {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const reader = createFragmentReader(doc, fragment)
  const origin = {}
  return {
    origin,
    read: () => reader.read(),
    close: () => reader.close(),
    /** The current positions of a range; `undefined` if its text was removed. */
    resolve(range: CaretPosition): Range | undefined {
      const at = (position: unknown) => Y.createRelativePositionFromJSON(position)
      return resolveSelection({ anchor: at(range.anchor), head: at(range.head) }, fragment, reader)
    },
    change(plan: (view: DocumentView) => Transform | ToolFailure): { ok: true } | ToolFailure {
      const read = reader.read()
      if (!read.ok) return read
      const planned = plan(read.view)
      if ('ok' in planned) return planned
      doc.transact(() => applyTransform(fragment, planned, reader), origin)
      return { ok: true }
    },
  }
}

function toBase64(position: unknown): string {
  const bytes = Y.encodeRelativePosition(Y.createRelativePositionFromJSON(position))
  return btoa(String.fromCharCode(...bytes))
}

function noChange(): ToolFailure {
  return failure('not_found', 'There is no such suggested change.', 'read_changes lists those that are open.')
}

function gone(): ToolFailure {
  return failure(
    'stale',
    'The text to comment on was deleted meanwhile.',
    'Read the document again with read_document, then repeat the call.',
  )
}

function noThread(id: string): ToolFailure {
  return failure('not_found', localizable`There is no thread ${id}.`, 'read_comments shows the threads with their ids.')
}

function noStore(): ToolFailure {
  return failure(
    'not_configured',
    'Without a server there is no place to store images.',
    'Insert the image in the editor, or work on the document through the server.',
  )
}
