import { contentTypes, readFragment, schema } from '@copydesk/schema'
import * as Y from 'yjs'
import { orThrow } from '../common/errors.ts'
import { agentIdentity } from '../common/identity.ts'
import type { StepEnd, UndonePart } from '../history/effect-set.ts'
import type { Copy, HistoryRow } from '../provenance/log-rows.ts'
import { createUndoPlanner, type Goal } from '../history/undo-requests.ts'
import { readContent, writeContent } from '../review/content.ts'
import { createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { planRestore } from '../versions/restore.ts'

/** A content log in memory and the users and runs that write it, for tests of undo. */
export type LogScene = {
  rows: HistoryRow[]
  /** The current document. */
  doc: Y.Doc
  /**
   * Adds a writer with its own replica. Each of its updates is immediately a row: a user's, the run's, or with
   * `decides` the server's for a user's decision on the run's suggestions.
   */
  join(run?: string, options?: { deaf?: boolean; decides?: boolean }): Y.Doc
  /** Ends a step of a run at the newest row. */
  endStep(run: string, step: string): void
  /**
   * Applies `undone`, the undone parts of all runs, to the document for one run; returns whether that changed anything.
   */
  make(run: string, undone: readonly UndonePart[]): boolean
  /** Restores, as a user, the content as it was after the row `seq`. */
  restore(seq: number): void
  texts(): string[]
}

type Author = Pick<HistoryRow, 'actor' | 'copies' | 'restored'> & { run?: string }

/** Starts a log with paragraphs of these texts. */
export function createLogScene(paragraphs: readonly string[]): LogScene {
  const rows: HistoryRow[] = []
  const steps: StepEnd[] = []
  let clients = 0
  const createClientId = (): number => ++clients
  const doc = createVerbatimDoc()
  const members: { doc: Y.Doc; deaf: boolean }[] = []
  const planner = createUndoPlanner(createClientId)
  const append = (bytes: Uint8Array, { run, ...from }: Author, sender?: Y.Doc): void => {
    rows.push({ seq: rows.length + 1, bytes, run: run ?? null, ...from })
    Y.applyUpdate(doc, bytes)
    for (const member of members) {
      if (member.doc !== sender && !member.deaf) Y.applyUpdate(member.doc, bytes, 'remote')
    }
  }
  const join: LogScene['join'] = (run, { deaf = false, decides = false } = {}) => {
    // A run's peer writes only its edits; browsers also delete redundant formatting.
    const copy = run === undefined ? new Y.Doc() : createVerbatimDoc()
    copy.clientID = createClientId()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc), 'remote')
    copy.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === 'remote') return
      append(update, run === undefined ? { actor: 'ana' } : { actor: decides ? 'ana' : agentIdentity.id, run }, copy)
    })
    members.push({ doc: copy, deaf })
    return copy
  }
  // No listener deletes redundant formatting of others.
  const seed = join(undefined, { deaf: true })
  fragmentOf(seed).insert(0, paragraphs.map(paragraph))
  return {
    rows,
    doc,
    join,
    endStep: (run, step) => void steps.push({ run, step, lastSeq: rows.length }),
    make(run, undone) {
      planner({ kind: 'load', ticket: 'scene', rows: rows.slice(0, -1) })
      const goal: Goal = { kind: 'run', run, steps, undone: [...undone] }
      const planned = planner({ kind: 'plan', ticket: 'scene', rows: rows.slice(-1), goal })
      if (planned.kind !== 'planned') throw new Error(`the plan is ${planned.kind}`)
      if (planned.update) append(planned.update, { actor: 'ana', run, copies: planned.copies })
      return planned.update !== undefined
    },
    restore(seq) {
      const clientId = createClientId()
      const { update, copies } = restored(rows, seq, doc, clientId, planner)
      append(update, { actor: 'ana', restored: { version: seq, copies } })
    },
    texts: () =>
      fragmentOf(doc)
        .toArray()
        .map((block) => textOf(block)),
  }
}

/** The update that restores a version, created as in `restoreIn`, and its copies. */
function restored(
  rows: readonly HistoryRow[],
  seq: number,
  doc: Y.Doc,
  clientId: number,
  planner: ReturnType<typeof createUndoPlanner>,
): { update: Uint8Array; copies: readonly Copy[] } {
  const [old, present] = [createVerbatimDoc(), createVerbatimDoc()]
  for (const { bytes } of rows.slice(0, seq)) Y.applyUpdate(old, bytes)
  planner({ kind: 'load', ticket: 'scene', rows: [...rows] })
  const goal: Goal = { kind: 'version', state: Y.encodeStateAsUpdate(old) }
  const planned = planner({ kind: 'plan', ticket: 'scene', rows: [], goal })
  if (planned.kind !== 'planned' || !planned.update) throw new Error(`the plan is ${planned.kind}`)
  Y.applyUpdate(present, Y.encodeStateAsUpdate(doc))
  present.clientID = clientId
  const known = Y.encodeStateVector(present)
  Y.applyUpdate(present, planned.update)
  const content = orThrow(readContent(present))
  const version = readFragment(fragmentOf(old), schema)
  if (!version.ok) throw new Error('the version does not fit the schema')
  writeContent(content, planRestore(content.node, version.doc, new Set(), []))
  return { update: Y.encodeStateAsUpdate(present, known), copies: planned.copies }
}

/** A paragraph with this text. */
export function paragraph(text: string): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  element.insert(0, [new Y.XmlText(text)])
  return element
}

/** The content of a document. */
export function fragmentOf(doc: Y.Doc): Y.XmlFragment {
  return doc.getXmlFragment(contentTypes.fragment)
}

/** The text of a top-level block. */
export function textAt(doc: Y.Doc, index: number): Y.XmlText {
  const block = fragmentOf(doc).get(index)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${index} has no text`)
  return text
}

function textOf(node: unknown): string {
  if (node instanceof Y.XmlText) {
    const delta: { insert?: unknown }[] = node.toDelta()
    return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
  }
  return node instanceof Y.XmlFragment ? node.toArray().map(textOf).join('') : ''
}
