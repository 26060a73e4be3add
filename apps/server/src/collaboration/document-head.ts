import { checkAdded, completeContainers, contentTypes, isIncomplete, schema } from '@copydesk/schema'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import { applyUpdates } from '../store/apply-updates.ts'
import { createVerbatimDoc } from '../store/verbatim-doc.ts'
import { findMissing, hasId, type MissingId } from './causality.ts'
import type { Ownership } from './client-ids.ts'
import { findIntroducedChanges } from './introduced-changes.ts'
import { findPersonMentions, type PersonMention } from './person-mentions.ts'
import { ownPart } from './own-part.ts'
import { PlainTyping } from './plain-typing.ts'
import { findSentMentions, type SentMention } from './sent-mentions.ts'
import { readTouched } from './touched.ts'
import { WrittenChanges } from './written-changes.ts'

/**
 * What an update does that concerns more than the text: mentions of the agent that it sends, mentions of people and ids of suggested
 * changes that it brings in, and the ids of those that it brings something under.
 */
export type Findings = { mentions: SentMention[]; people: PersonMention[]; changes: string[]; written: string[] }

const nothingFound: Findings = { mentions: [], people: [], changes: [], written: [] }

/** What a client id that an update brings something new under is to its sender; `isKnown`: whether the document has it already. */
export type LookAtClient = (client: number, isKnown: boolean) => Ownership

/** Why an update is refused that Yjs could apply. */
export type RefusalCode = 'schema_refused' | 'client_id_taken' | 'client_id_unknown'

/**
 * What trying an update on a document's head showed. `bytes` of a new one is what belongs into the log: a full sync
 * repeats what is known already, of which only the new part is kept; what completes a list that it would leave broken is added. `clients`
 * are the ids that it is the first to write under.
 */
export type TriedUpdate =
  | { kind: 'new'; bytes: Uint8Array; findings: Findings; clients: number[] }
  | { kind: 'refused'; code: RefusalCode; message: string }
  | { kind: 'known' }
  | { kind: 'gap'; missing: MissingId }
  | { kind: 'invalid'; message: string }

/**
 * A copy of a document that is ahead of the one people see: it also has the updates that are still on their way to the
 * disk. Each update is tried here before it is logged, because a throw inside Yjs leaves half an update behind.
 */
export class DocumentHead {
  /** Everything but what `#typing` keeps. */
  #latest: Y.Doc
  #typing: PlainTyping
  readonly #written = new WrittenChanges()

  /** Takes the document over; it must be one that `createVerbatimDoc` has made. */
  constructor(doc: Y.Doc) {
    this.#latest = asHead(doc)
    this.#typing = new PlainTyping(doc)
  }

  /** Everything. */
  get #doc(): Y.Doc {
    const typed = this.#typing.take()
    if (typed.length > 0) applyUpdates(this.#latest, typed)
    return this.#latest
  }

  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#doc)
  }

  /**
   * Tries an update and keeps it if it is new. With `isPersons` one that newly writes or deletes a receipt of a run is `invalid`; to
   * repeat those that are there is not. After `invalid` and `refused` the head may be damaged: `rebuild` it before the next.
   */
  try(update: Uint8Array, isFullSync: boolean, isPersons = false, lookAt: LookAtClient = () => 'own'): TriedUpdate {
    const isOwn = (client: number, isKnown: boolean): boolean => lookAt(client, isKnown) === 'own'
    if (!isFullSync && this.#typing.keep(update, isOwn, this.#written.isPlain)) {
      return { kind: 'new', bytes: update, findings: nothingFound, clients: [] }
    }
    try {
      const missing = findMissing(update, this.#doc)
      if (missing) return { kind: 'gap', missing }
    } catch (error) {
      return { kind: 'invalid', message: `not a Yjs update: ${describe(error)}` }
    }
    // Only a full sync repeats what is known; the vector names every client that ever wrote here.
    const before = isFullSync ? Y.encodeStateVector(this.#doc) : undefined
    const hadPending = this.#hasPending
    let seen: Seen | undefined
    // To listen for 'update' would make Yjs encode every update anew.
    const note = (transaction: Y.Transaction): void => {
      if (bringsSomething(transaction)) seen = look(transaction, lookAt, this.#written)
    }
    this.#doc.on('beforeObserverCalls', note)
    try {
      Y.applyUpdate(this.#doc, update)
    } catch (error) {
      return { kind: 'invalid', message: `an update that can't be applied: ${describe(error)}` }
    } finally {
      this.#doc.off('beforeObserverCalls', note)
    }
    if (this.#hasPending && !hadPending) return { kind: 'invalid', message: 'an update that depends on itself' }
    if (!seen) return { kind: 'known' }
    // Who brings along what somebody else has written, receipts of a run too, isn't its author.
    if (seen.refusal) return { kind: 'refused', ...seen.refusal }
    if (isPersons && seen.hasReceipts) return { kind: 'invalid', message: 'receipts are written by runs only' }
    const bytes = before ? Y.diffUpdate(update, before) : update
    return {
      kind: 'new',
      bytes: this.#complete(bytes, seen.incomplete),
      findings: seen.findings,
      clients: seen.clients,
    }
  }

  /** What others are shown holds no container that an editor would delete for what it lacks. */
  #complete(bytes: Uint8Array, incomplete: readonly Y.XmlElement[]): Uint8Array {
    if (incomplete.length === 0) return bytes
    const parts = [bytes]
    const note = (update: Uint8Array): void => void parts.push(update)
    // Under one id this would build on what completed another update before, which the log may refuse.
    this.#doc.clientID = uint32()
    this.#doc.on('update', note)
    try {
      this.#doc.transact(() => completeContainers(incomplete, schema))
    } finally {
      this.#doc.off('update', note)
    }
    return Y.mergeUpdates(parts)
  }

  /** What of an update that was refused may be tried on its own, see `ownPart`. */
  ownPart(update: Uint8Array, isOwn: (client: number) => boolean): Uint8Array | undefined {
    return ownPart(update, this.#doc, isOwn)
  }

  has(id: MissingId): boolean {
    return hasId(this.#doc, id)
  }

  /** Applies an update that is in the log already. */
  apply(update: Uint8Array): void {
    this.#written.forget()
    Y.applyUpdate(this.#doc, update)
  }

  /** Starts anew from the state that people see and the updates that are on their way to the disk. */
  rebuild(state: Uint8Array, inFlight: Iterable<Uint8Array>): void {
    this.#latest.destroy()
    this.#latest = asHead(createVerbatimDoc())
    this.#typing = new PlainTyping(this.#latest)
    applyUpdates(this.#latest, [state, ...inFlight])
  }

  destroy(): void {
    this.#latest.destroy()
  }

  get #hasPending(): boolean {
    return this.#doc.store.pendingStructs !== null || this.#doc.store.pendingDs !== null
  }
}

/** What a transaction did that decides whether it is taken, and what follows from it. */
type Seen = {
  findings: Findings
  hasReceipts: boolean
  refusal: { code: RefusalCode; message: string } | undefined
  incomplete: Y.XmlElement[]
  clients: number[]
}

function look(transaction: Y.Transaction, lookAt: LookAtClient, written: WrittenChanges): Seen {
  const { refusal, clients } = lookAtClients(transaction, lookAt)
  const { items, elements } = readTouched(transaction)
  const fault = refusal ? undefined : checkAdded(items, fragmentOf(transaction.doc), schema)
  return {
    findings: {
      mentions: findSentMentions(elements),
      people: findPersonMentions(elements),
      changes: findIntroducedChanges(items),
      written: written.find(transaction, items),
    },
    hasReceipts: changesReceipts(transaction),
    refusal: fault === undefined ? refusal : { code: 'schema_refused', message: fault },
    // What it has left without something that the schema demands.
    incomplete: [...elements].filter((element) => element._item?.deleted === false && isIncomplete(element, schema)),
    clients,
  }
}

function bringsSomething({ deleteSet, beforeState, afterState }: Y.Transaction): boolean {
  if (deleteSet.clients.size > 0) return true
  for (const [client, clock] of afterState) if (clock !== beforeState.get(client)) return true
  return false
}

function lookAtClients(
  { beforeState, afterState }: Y.Transaction,
  lookAt: LookAtClient,
): Pick<Seen, 'refusal' | 'clients'> {
  const clients: number[] = []
  for (const [client, clock] of afterState) {
    const known = beforeState.get(client) ?? 0
    if (clock === known) continue
    switch (lookAt(client, known > 0)) {
      case 'free':
        clients.push(client)
        break
      case 'own':
        break
      case 'taken':
        return { clients, refusal: { code: 'client_id_taken', message: `client id ${client} is somebody else's` } }
      case 'unknown':
        return { clients, refusal: { code: 'client_id_unknown', message: `client id ${client} is the server's` } }
    }
  }
  return { clients, refusal: undefined }
}

function fragmentOf(doc: Y.Doc): Y.XmlFragment {
  return doc.getXmlFragment(contentTypes.fragment)
}

function asHead(doc: Y.Doc): Y.Doc {
  // What is checked must be of this type before the first update is tried.
  fragmentOf(doc)
  return doc
}

function changesReceipts({ doc, changed }: Y.Transaction): boolean {
  const receipts = doc.share.get(contentTypes.receipts)
  return receipts !== undefined && changed.has(receipts)
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
