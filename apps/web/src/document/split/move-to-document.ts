import { createBindingMetadata, writeFragment } from '@copydesk/schema'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type * as Y from 'yjs'
import type { ConnectionState } from '../../collaboration/connection-state.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { documentPath } from '../../common/location.tsx'
import { asUndoStep } from '../../editor/typing/undo.ts'
import { t } from '../../i18n/translate.ts'

/**
 * The dependencies of a move: the text and the shared content it is bound to, and functions that create, open and
 * discard documents.
 */
export type MoveDeps = {
  view: EditorView
  fragment: Y.XmlFragment
  create: (title: string) => Promise<{ id: string }>
  open: (document: string) => DocumentConnection
  discard: (document: string) => Promise<void>
  signal: AbortSignal
}

/** The reason why blocks were not moved, as a text for the user. */
export class MoveError extends Error {
  override readonly name = 'MoveError'
}

// Peers may edit the blocks while they are moved: the blocks are then written again, at most this many times.
const roundsAtMost = 10

/**
 * Moves blocks to a new document and leaves a link to it in their place. Deletes them here, in one undo step, only when
 * the new document with their current content is on the server's disk. As in a copy, comments are omitted, suggested
 * changes are accepted and requests to the agent become drafts. Resolves to the new document's id; rejects with the
 * failure, after which this document is unchanged and the new one is discarded.
 */
export async function moveToDocument(plan: SplitPlan, title: string, deps: MoveDeps): Promise<string> {
  const { view, fragment, create, open, discard, signal } = deps
  const blocks = blocksOf(plan, view, fragment)
  const { id } = await create(title)
  const target = open(id)
  try {
    await settled(target, (state) => state.opened && state.synced, signal)
    let written: readonly Node[] = []
    for (let round = 0; round < roundsAtMost; round++) {
      const found = find(blocks, view, fragment)
      if (found.length > 0 && isSame(found, written)) {
        // There is no `await` between the check and the removal.
        remove(found, view, title, id)
        return id
      }
      written = found.map(({ node }) => node)
      write(written, view, target)
      await settled(target, isStored, signal)
    }
    throw new MoveError(t('Others are writing in these blocks. Try again when they have stopped.'))
  } catch (error) {
    target.close()
    await discard(id).catch(() => undefined)
    throw error
  } finally {
    target.close()
  }
}

type Found = { node: Node; position: number }

function blocksOf({ from, to }: SplitPlan, { state }: EditorView, fragment: Y.XmlFragment): Set<unknown> {
  const [first, last] = [state.doc.resolve(from).index(0), state.doc.resolve(to).index(0)]
  return new Set(fragment.toArray().slice(first, last))
}

/** The current blocks, without those that peers have deleted. */
function find(blocks: ReadonlySet<unknown>, { state }: EditorView, fragment: Y.XmlFragment): Found[] {
  const types = fragment.toArray()
  if (types.length !== state.doc.childCount) throw new MoveError(t('The text is being redrawn. Try again.'))
  const found: Found[] = []
  state.doc.forEach((node, position, index) => {
    if (blocks.has(types[index])) found.push({ node, position })
  })
  return found
}

function isSame(found: readonly Found[], written: readonly Node[]): boolean {
  return found.length === written.length && found.every(({ node }, index) => node === written[index])
}

function write(nodes: readonly Node[], view: EditorView, target: DocumentConnection): void {
  let copy = new Slice(Fragment.fromArray([...nodes]), 0, 0)
  view.someProp('transformPasted', (transform) => {
    copy = transform(copy, view, false)
  })
  const doc = view.state.schema.topNodeType.createAndFill(null, copy.content)
  if (!doc) throw new MoveError(t('These blocks can’t be moved to a separate document.'))
  writeFragment(target.fragment, doc, createBindingMetadata())
}

function remove(found: readonly Found[], view: EditorView, title: string, document: string): void {
  const { tr, schema } = view.state
  const link = schema.mark('link', { href: documentPath(document) })
  const words = [schema.text(`${t('Continued in')} `), schema.text(title, [link])]
  for (const { node, position } of found.toReversed()) tr.delete(position, position + node.nodeSize)
  tr.insert(found[0]?.position ?? 0, schema.node('paragraph', null, words))
  asUndoStep(view.state, () => view.dispatch(tr.scrollIntoView()))
}

function isStored({ connected, synced, unsynced, unsyncedSince, uploading }: ConnectionState): boolean {
  return connected && synced && unsynced === 0 && unsyncedSince === null && !uploading
}

/**
 * Resolves when a document's connection meets the condition; rejects when the server refuses it, or when `signal`
 * fires.
 */
function settled(
  { state }: DocumentConnection,
  isWanted: (state: ConnectionState) => boolean,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const now = state.get()
      const problem = signal.aborted ? t('Cancelled.') : now.refusal && t('The server didn’t take the new document.')
      if (!problem && !isWanted(now)) return
      stop()
      signal.removeEventListener('abort', look)
      if (problem) reject(new MoveError(problem))
      else resolve()
    }
    const stop = state.subscribe(look)
    signal.addEventListener('abort', look)
    look()
  })
}

/** The top-level blocks of a document to move: positions, number, and a title for them. */
export type SplitPlan = { from: number; to: number; blocks: number; title: string }

const proposedTitleLength = 100

/**
 * The blocks to move: those that the selection overlaps, or without a selection all from the block with the caret on.
 * Null if these are all empty.
 */
export function planSplit(doc: Node, selection: Selection): SplitPlan | null {
  const first = doc.resolve(selection.from).index(0)
  const last = selection.empty ? doc.childCount - 1 : doc.resolve(Math.max(selection.from, selection.to - 1)).index(0)
  let from = 0
  let to = 0
  let title = ''
  let isEmpty = true
  doc.forEach((block, position, index) => {
    if (index < first || index > last) return
    if (index === first) from = position
    to = position + block.nodeSize
    if (block.content.size > 0 || block.isLeaf) isEmpty = false
    if (title === '') title = block.textBetween(0, Math.min(block.content.size, proposedTitleLength), ' ', ' ').trim()
  })
  return isEmpty ? null : { from, to, blocks: last - first + 1, title }
}
