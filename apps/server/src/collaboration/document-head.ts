import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../store/verbatim-doc.ts'
import { findMissing, hasId, type MissingId } from './causality.ts'
import { findIntroducedChanges } from './introduced-changes.ts'
import { findPersonMentions, type PersonMention } from './person-mentions.ts'
import { findSentMentions, type SentMention } from './sent-mentions.ts'

/**
 * What an update does that concerns more than the text: mentions of the agent that it sends, mentions of people and ids of suggested
 * changes that it brings in.
 */
export type Findings = { mentions: SentMention[]; people: PersonMention[]; changes: string[] }

/**
 * What trying an update on a document's head showed. `bytes` of a new one is what belongs into the log: a full sync
 * repeats what is known already, of which only the new part is kept.
 */
export type TriedUpdate =
  | { kind: 'new'; bytes: Uint8Array; findings: Findings }
  | { kind: 'known' }
  | { kind: 'gap'; missing: MissingId }
  | { kind: 'invalid'; message: string }

/**
 * A copy of a document that is ahead of the one people see: it also has the updates that are still on their way to the
 * disk. Each update is tried here before it is logged, because a throw inside Yjs leaves half an update behind.
 */
export class DocumentHead {
  #doc: Y.Doc

  /** Takes the document over; it must be one that `createVerbatimDoc` has made. */
  constructor(doc: Y.Doc) {
    this.#doc = doc
  }

  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#doc)
  }

  /**
   * Tries an update and keeps it if it is new. With `isPersons` one that newly writes or deletes a receipt of a run is `invalid`; to
   * repeat those that are there is not. After `invalid` the head may be damaged: `rebuild` it before the next.
   */
  try(update: Uint8Array, isFullSync: boolean, isPersons = false): TriedUpdate {
    try {
      const missing = findMissing(update, this.#doc)
      if (missing) return { kind: 'gap', missing }
    } catch (error) {
      return { kind: 'invalid', message: `not a Yjs update: ${describe(error)}` }
    }
    // Only a full sync repeats what is known; the vector names every client that ever wrote here.
    const before = isFullSync ? Y.encodeStateVector(this.#doc) : undefined
    const hadPending = this.#hasPending
    let isNew = false
    let hasReceipts = false
    let findings: Findings = { mentions: [], people: [], changes: [] }
    const noteUpdate = (): void => void (isNew = true)
    const noteFindings = (transaction: Y.Transaction): void => {
      findings = {
        mentions: findSentMentions(transaction),
        people: findPersonMentions(transaction),
        changes: findIntroducedChanges(transaction),
      }
      hasReceipts = changesReceipts(transaction)
    }
    this.#doc.on('update', noteUpdate)
    this.#doc.on('beforeObserverCalls', noteFindings)
    try {
      Y.applyUpdate(this.#doc, update)
    } catch (error) {
      return { kind: 'invalid', message: `an update that can't be applied: ${describe(error)}` }
    } finally {
      this.#doc.off('update', noteUpdate)
      this.#doc.off('beforeObserverCalls', noteFindings)
    }
    if (this.#hasPending && !hadPending) return { kind: 'invalid', message: 'an update that depends on itself' }
    if (!isNew) return { kind: 'known' }
    if (isPersons && hasReceipts) return { kind: 'invalid', message: 'receipts are written by runs only' }
    return { kind: 'new', bytes: before ? Y.diffUpdate(update, before) : update, findings }
  }

  has(id: MissingId): boolean {
    return hasId(this.#doc, id)
  }

  /** Applies an update that is in the log already. */
  apply(update: Uint8Array): void {
    Y.applyUpdate(this.#doc, update)
  }

  /** Starts anew from the state that people see and the updates that are on their way to the disk. */
  rebuild(state: Uint8Array, inFlight: Iterable<Uint8Array>): void {
    this.#doc.destroy()
    this.#doc = createVerbatimDoc()
    Y.applyUpdate(this.#doc, state)
    for (const update of inFlight) Y.applyUpdate(this.#doc, update)
  }

  destroy(): void {
    this.#doc.destroy()
  }

  get #hasPending(): boolean {
    return this.#doc.store.pendingStructs !== null || this.#doc.store.pendingDs !== null
  }
}

function changesReceipts({ doc, changed }: Y.Transaction): boolean {
  const receipts = doc.share.get(contentTypes.receipts)
  return receipts !== undefined && changed.has(receipts)
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
