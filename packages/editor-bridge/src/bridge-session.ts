import {
  caretAt,
  createDocumentSession,
  createHeadlessHost,
  type DocumentSession,
  type HostAuthor,
  resolveSelection,
  type ReviewHost,
  type SessionMode,
} from '@copydesk/tools'
import { TextSelection } from 'prosemirror-state'
import * as Y from 'yjs'
import { createHighlights, type HighlightedEditor, type Highlights } from './highlights.ts'
import type { FollowedEditor, Mirror } from './mirror.ts'

/** The part of a TipTap editor that a bridge needs. */
export type BridgedEditor = FollowedEditor & HighlightedEditor

/** A session over the mirror of an editor, and its highlights there. */
export type BridgeSession = {
  session: DocumentSession
  host: ReviewHost
  highlights: Highlights
  /** Closes the session, not the mirror. May be called twice. */
  close(): void
}

type BridgeSessionOptions = {
  editor: BridgedEditor
  mirror: Mirror
  author: HostAuthor
  mode: () => SessionMode
  room: Y.Doc
}

/** Opens a session whose selection, highlights and scrolling are the editor's; comments are stored in `room`. */
export function openBridgeSession({ editor, mirror, author, mode, room }: BridgeSessionOptions): BridgeSession {
  const { doc, fragment, reader } = mirror
  const origin = {}
  const highlights = createHighlights(editor)
  const stored = createHeadlessHost({ doc, room, author, now: () => new Date() }, origin)
  const positionOf = (position: unknown): Y.RelativePosition => Y.createRelativePositionFromJSON(position)
  const host: ReviewHost = {
    ...stored,
    async highlight({ id, range, color, durationMs }) {
      const at = { anchor: positionOf(range.anchor), head: positionOf(range.head) }
      const shown = resolveSelection(at, fragment, reader)
      if (shown) highlights.add({ id, ...shown, color }, durationMs)
      return { ok: true, remove: async () => highlights.remove(id) }
    },
    scrollTo({ position, select }) {
      const at = { anchor: positionOf(position), head: positionOf(position) }
      const shown = resolveSelection(at, fragment, reader)
      if (shown) scrollEditor(editor, shown.from, select)
    },
  }
  const session = createDocumentSession({
    doc,
    origin,
    get mode() {
      return mode()
    },
    caller: { id: author.id, name: author.name },
    people: () => [],
    selection: () => selectionOf(editor, mirror),
    canEdit: true,
    isResumed: false,
    host,
    isOwnChange: (id) => stored.authorOfChange(id)?.id === author.id,
  })
  return {
    session,
    host,
    highlights,
    close() {
      session.close()
      stored.close()
      highlights.close()
    },
  }
}

function selectionOf({ state }: BridgedEditor, { fragment, reader }: Mirror) {
  const read = reader.read()
  if (!read.ok) return undefined
  const at = (pos: number) => Y.createRelativePositionFromJSON(caretAt(pos, read.view, fragment, reader).anchor)
  return { anchor: at(state.selection.anchor), head: at(state.selection.head) }
}

function scrollEditor(editor: BridgedEditor, pos: number, select: boolean): void {
  const $pos = editor.state.doc.resolve(pos)
  if (select && $pos.parent.inlineContent) {
    const selection = TextSelection.create(editor.state.doc, $pos.start(), $pos.end())
    editor.view.dispatch(editor.state.tr.setSelection(selection))
  }
  try {
    const { node } = editor.view.domAtPos(pos)
    const element = node instanceof Element ? node : node.parentElement
    element?.scrollIntoView({ block: 'center' })
  } catch {
    // An editor that isn't mounted has no view.
  }
}
