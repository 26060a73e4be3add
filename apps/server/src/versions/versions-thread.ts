import type { VersionChange } from '@copydesk/protocol'
import { contentTypes, readFragment, resolveChanges, schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { applyUpdates, createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { answerRequests } from '../threads/thread-worker.ts'
import { type MergedRow, type MergeRow, mergeWindows } from './merge-rows.ts'
import { compareVersions, type Comparison, countChanged } from './compare-versions.ts'

/**
 * Requests to the thread: fold updates into one state, merge windows of rows, compare two states, or count the
 * paragraphs that differ between them.
 */
export type VersionsRequest =
  | { kind: 'fold'; updates: Uint8Array[] }
  | { kind: 'merge'; windows: MergeRow[][] }
  | { kind: 'compare' | 'count'; before: Uint8Array | undefined; after: Uint8Array }

export type VersionsResponse =
  | { kind: 'fold'; state: Uint8Array }
  | { kind: 'merge'; merged: MergedRow[] }
  | { kind: 'compare'; document: Record<string, unknown>; changes: VersionChange[] }
  | { kind: 'count'; paragraphs: number }

answerRequests<VersionsRequest, VersionsResponse>((request) => {
  switch (request.kind) {
    case 'fold':
      return { kind: 'fold', state: fold(request.updates) }
    case 'merge':
      return { kind: 'merge', merged: mergeWindows(request.windows) }
    case 'compare': {
      const { doc, changes } = compare(request)
      return { kind: 'compare', document: doc.toJSON() as Record<string, unknown>, changes }
    }
    case 'count':
      return { kind: 'count', paragraphs: countChanged(compare(request).doc) }
  }
})

function compare({ before, after }: { before: Uint8Array | undefined; after: Uint8Array }): Comparison {
  const now = readBare(after)
  return compareVersions(before ? readBare(before) : now, now)
}

function fold(updates: readonly Uint8Array[]): Uint8Array {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  return Y.encodeStateAsUpdate(doc)
}

// Suggested changes aren't part of a version's text.
function readBare(state: Uint8Array): Node {
  const doc = createVerbatimDoc()
  Y.applyUpdate(doc, state)
  const read = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) throw new Error(`the content doesn't fit the schema: ${read.problems[0]?.message ?? ''}`)
  return resolveChanges(read.doc, 'original')
}
