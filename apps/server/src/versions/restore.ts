import type { User } from '@copydesk/protocol'
import {
  compareDocuments,
  contentName,
  contentTypes,
  decideChanges,
  fencedFrontmatter,
  nestsTooDeep,
  readChangeIds,
  readFragment,
  roomName,
  schema,
} from '@copydesk/schema'
import type { Transaction } from 'kysely'
import { Fragment, type Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { Transform } from 'prosemirror-transform'
import { RequestError, orThrow } from '../common/errors.ts'
import type { LoadedLog } from '../history/log-replay.ts'
import { showReopenedChanges } from '../history/reopened-changes.ts'
import { type Content, readContent, writeContent } from '../review/content.ts'
import type { Copy } from '../provenance/log-rows.ts'
import { type Check, findChanges } from '../review/review-rows.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Tables } from '../store/tables.ts'
import { createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { shareBlocks } from './compare-versions.ts'
import { type DeletedText, recordTexts } from './restore-forwarder.ts'

/**
 * A version to restore, and the requesting person; `state` is the content of the version, as of the row `seq` of its
 * log. `loaded` is the replayed log; without it undo of runs treats restored content as new text.
 */
export type RestoreOrder = {
  document: string
  seq: number
  state: Uint8Array
  loaded: LoadedLog | undefined
  by: User
  check: Check | undefined
}

/**
 * Makes a document's present text that of `state`, on a replica at the head of its log, in the transaction that stores
 * it: earlier typing of users is in the version that `note` stores, and later typing is merged by Yjs. Returns the
 * result of `note`, and the texts that were deleted with their blocks.
 * @throws RequestError `conflict` if there is nothing to change, `unavailable` if either text can't be read.
 */
export async function restoreIn<T>(
  writer: DocumentTransactions,
  { document, seq, state, loaded, by, check }: RestoreOrder,
  note: (trx: Transaction<Tables>) => Promise<T>,
): Promise<{ noted: T; deleted: DeletedText[] }> {
  const names = [contentName(document), roomName(document)] as const
  const old = createVerbatimDoc()
  Y.applyUpdate(old, state)
  const version = readFragment(old.getXmlFragment(contentTypes.fragment), schema)
  if (!version.ok) throw new RequestError('unavailable', 'This version can’t be read any more.', 'Choose another one.')
  const ids = readChangeIds(version.doc)
  return writer.writeMany(names, { actor: by.id }, async ({ docs, trx }) => {
    await check?.(trx)
    const [content, room] = names.map((name) => docs.get(name))
    if (!content || !room) throw new Error(`no documents of ${document}`)
    const known = await findChanges(trx, document, ids)
    const open = new Set([...known.values()].flatMap(({ id, decision }) => (decision === null ? id : [])))
    const noted = await note(trx)
    const present = orThrow(readContent(content))
    const findDeleted = recordTexts(content)
    const transform = planRestore(present.node, version.doc, open, ids)
    const isChanged = restoreFrontmatter(content, old)
    if (transform.steps.length === 0 && !isChanged) {
      throw new RequestError('conflict', 'The text already equals this version.', 'There is nothing to restore.')
    }
    requireDeepBlocks(present, transform.doc)
    const planned = await loaded?.plan(trx, { kind: 'version', state })
    if (planned?.kind === 'planned') {
      if (planned.update) Y.applyUpdate(content, planned.update)
      await noteRestored(trx, names[0], seq, planned.copies)
      // Completes the plan: later decisions, comments, and differences that ids don't show.
      const rest = orThrow(readContent(content))
      writeContent(rest, planRestore(rest.node, version.doc, open, ids))
    } else {
      writeContent(present, transform)
    }
    await showReopenedChanges(trx, document, content, room)
    return { noted, deleted: findDeleted() }
  })
}

/** Records the row that this transaction will append as the restore of a version, for undo of runs. */
async function noteRestored(trx: Transaction<Tables>, name: string, version: number, copies: readonly Copy[]) {
  const { seq } = await trx.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirstOrThrow()
  await trx
    .insertInto('restored_rows')
    .values({ name, seq: seq + 1, version, copies: JSON.stringify(copies) })
    .execute()
}

/**
 * Yjs deletes nested content recursively, here and whenever the log is loaded from then on: content nested deeper than
 * the call stack allows can't be deleted any more.
 * @throws RequestError `conflict` if `after` replaces such blocks.
 */
function requireDeepBlocks({ node, reader }: Content, after: Node): void {
  const kept = new Set(after.children)
  const isGone = reader.children().some((block, index) => nestsTooDeep(block) && !kept.has(node.child(index)))
  if (!isGone) return
  const message = 'A part of the current text is nested too deep to be replaced.'
  throw new RequestError('conflict', message, 'Export that version, and create a document from it.')
}

function restoreFrontmatter(content: Y.Doc, old: Y.Doc): boolean {
  const [now, then] = [content, old].map((doc) => doc.getMap(contentTypes.meta).get('frontmatter'))
  if (now === then) return false
  const meta = content.getMap(contentTypes.meta)
  if (typeof then === 'string') meta.set('frontmatter', fencedFrontmatter(then))
  else meta.delete('frontmatter')
  return true
}

/**
 * The steps that change the present text into that of a version, one per difference, so that carets and other positions
 * in unchanged text are kept. Comments stay on unchanged text; the others are anchored again by their quotes. Of the
 * changes suggested in the version, only those in `open` are suggested again; the others are omitted.
 */
export function planRestore(
  present: Node,
  version: Node,
  open: ReadonlySet<string>,
  all: readonly string[],
): Transform {
  const settled = new Set(all.filter((id) => !open.has(id)))
  const target = settled.size > 0 ? decideChanges(version, settled, 'reject').doc : version
  const before = withoutThreads(present)
  const { steps } = compareDocuments(before, shareBlocks(before, withoutThreads(target)))
  // Comment marks take no space, so positions are the same with them.
  const transform = new Transform(present)
  for (const step of steps) transform.step(step)
  return transform
}

function withoutThreads(node: Node): Node {
  const marks = node.marks.filter(({ type }) => type.name !== 'comment')
  if (node.isText) return marks.length === node.marks.length ? node : node.mark(marks)
  const children = node.children.map(withoutThreads)
  const isSame = children.every((child, index) => child === node.child(index))
  const hasThreads = typeof node.attrs.threads === 'string'
  if (isSame && !hasThreads && marks.length === node.marks.length) return node
  const attributes = hasThreads ? { ...node.attrs, threads: null } : node.attrs
  return node.type.create(attributes, isSame ? node.content : Fragment.fromArray(children), marks)
}
