import * as Y from 'yjs'
import { type HeadlessSessionOptions, openHeadlessSession } from '../headless/headless-session.ts'
import type { LiveSelection } from '../session/host/caret.ts'
import type { DocumentSession } from '../session/document-session.ts'
import { documentOf, plain, textHolding } from './test-document.ts'

/** A live selection from the beginning of `first` to the end of `last`, each at its first occurrence. */
export function selectionOf(doc: Y.Doc, first: string, last = first): LiveSelection {
  const start = textHolding(doc, first)
  const end = textHolding(doc, last)
  return {
    anchor: Y.createRelativePositionFromTypeIndex(start, plain(start).indexOf(first)),
    head: Y.createRelativePositionFromTypeIndex(end, plain(end).indexOf(last) + last.length),
  }
}

/** A headless session on this markdown, with a fixed clock and sequential ids. */
export function headlessOn(
  markdown: string | Y.Doc,
  options: Partial<HeadlessSessionOptions> = {},
): { doc: Y.Doc; room: Y.Doc; session: DocumentSession } {
  const doc = typeof markdown === 'string' ? documentOf(markdown) : markdown
  const room = options.room ?? new Y.Doc()
  let ids = 0
  const createId = (): string => `change${++ids}`
  const now = (): Date => new Date('2026-01-02T03:04:05Z')
  const caller = { id: 'ada', name: 'Ada', kind: 'person' as const }
  return { doc, room, session: openHeadlessSession({ doc, now, createId, caller, ...options, room }) }
}
