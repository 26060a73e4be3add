import type { Document } from '@hocuspocus/server'
import * as Y from 'yjs'
import type { Room } from '../../quotas/log-quota.ts'
import type { StructId } from '../../store/updates/causal-order.ts'
import { encodeInSlices, nextSlice } from '../../store/updates/time-slicing.ts'
import type { Replica } from '../../store/log/replica-cache.ts'
import type { AppendResult, AppendRow } from '../../store/sqlite/sqlite-protocol.ts'
import type { LoadedLog, UpdateLog } from '../../store/log/update-log.ts'
import type { ClientIds } from '../admission/client-ids.ts'
import type { RefusalCode } from '../admission/check-update.ts'
import { CandidateDocument, type TriedUpdate, type UpdateEffects } from '../admission/candidate-document.ts'
import { groupOf, type Sender } from '../../common/identity.ts'
import { LiveDocument, type OwnUpdate } from './live-document.ts'
import type { LargeUpdates } from './large-updates.ts'

/**
 * The outcome of an update: already known, held because of a gap, refused, too large to be applied in one piece, or
 * being stored. An update that is known from another sender may not be on disk yet: `stored` settles when it is. `work`
 * is the cost in steps of some 50 ns.
 */
export type Admission =
  | { kind: 'known'; stored: Promise<unknown> | undefined }
  | { kind: 'gap'; missing: StructId }
  | { kind: 'large' }
  | { kind: 'refused'; code: RefusalCode | 'invalid' | 'busy'; message: string; hint?: string }
  | { kind: 'appending'; stored: Promise<AppendResult>; work: number }

const busy: Admission & { kind: 'refused' } = {
  kind: 'refused',
  code: 'busy',
  message: 'this change could not be processed now; connect again',
}

type NewUpdate = Extract<TriedUpdate, { kind: 'new' }>

/** Statements for the transaction that appends an update, and a callback for when the update is on disk. */
export type SideEffects = { statements: AppendRow['also']; stored: () => void }

export type OpenDocumentDeps = {
  log: UpdateLog
  clients: ClientIds
  large: LargeUpdates
  /** Whether there is room for an update of this many bytes; reserves them. */
  reserveBytes: (sender: Sender, bytes: number) => Room
  /** Statements to store together with an update, and a callback for when it is stored. */
  statementsFor: (effects: UpdateEffects, sender: Sender) => SideEffects
  /** Called when the changes that a client lacks could not be sent. */
  onSendFailure: (error: unknown) => void
  /** Called when an update could not be stored; its sender must send it again. */
  onStoreFailure: (error: unknown) => void
  onIdle: () => void
}

/**
 * A document that users have open on this node: the copy that Hocuspocus serves (`live`), which contains only updates
 * that are in the log, and the candidate document, which also contains updates in flight. An update in `live` survives
 * the end of this process; it is acknowledged only when it is also on disk.
 */
export class OpenDocument {
  readonly name: string
  readonly live: Document
  readonly #head: CandidateDocument
  readonly #shown: LiveDocument
  readonly #deps: OpenDocumentDeps
  /** Updates that aren't on disk yet. */
  readonly #inFlight = new Map<OwnUpdate, Uint8Array>()
  /** Whether the owners of client ids were read after the newest row of another node. */
  #knowsOwners = true
  readonly #storing = new Set<Promise<AppendResult>>()
  /** Settles when the loaded state is on disk: another process may have written it only a moment ago. */
  #loading: Promise<unknown> | undefined
  /** `loaded` is a second copy of the document besides `live`; it becomes the candidate document. */
  constructor(name: string, live: Document, loaded: Omit<LoadedLog, 'quarantined'>, deps: OpenDocumentDeps) {
    this.name = name
    this.live = live
    this.#head = new CandidateDocument(loaded.doc, loaded.steps)
    this.#shown = new LiveDocument(name, live, loaded.seq, deps.log, {
      onAnnounced: () => (this.#knowsOwners = false),
      onRow: (update) => this.#head.apply(update),
    })
    this.#deps = deps
    const loading = deps.log.sync().then(() => (this.#loading = undefined))
    // Callers that await it get the error.
    loading.catch(() => undefined)
    this.#loading = loading
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0
  }

  /** The live document and its row of the log, for reading only. Valid until the next `await`. */
  get replica(): Replica {
    return this.#shown.replica
  }

  get stateVector(): Uint8Array {
    return this.#head.stateVector
  }

  /** The number of client ids that have written in the document. */
  get clients(): number {
    return this.#head.clients
  }

  /** Whether the candidate document has this struct, which a held update may depend on. */
  has(id: StructId): boolean {
    return this.#head.has(id)
  }

  /** The updates of the live document that a client lacks; undefined if `signal` is aborted or encoding fails. */
  async updateSince(stateVector: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await encodeInSlices(this.live, stateVector, signal)
    } catch (error) {
      if (!signal.aborted) this.#deps.onSendFailure(error)
      return undefined
    }
  }

  /**
   * Tries an update and, if it is new and has no gap, starts to append it to the log. `isPart`: the update can't be
   * divided further.
   */
  admit(update: Uint8Array, isFullSync: boolean, sender: Sender, isPart = false): Admission {
    const { clients } = this.#deps
    const tried = this.#head.try(update, isFullSync, {
      isPersons: sender.run === null,
      ownershipOf: (client, isKnown) => clients.ownershipOf(client, isKnown, sender),
      newClients: () => clients.roomFor(sender, this.clients),
      isPart,
      reserveBytes: (bytes) => this.#deps.reserveBytes(sender, bytes),
    })
    switch (tried.kind) {
      case 'known':
        // Each update in flight may contain the known changes.
        return { kind: 'known', stored: this.isIdle ? this.#loading : Promise.all([...this.#storing, this.#loading]) }
      case 'gap':
      case 'large':
        return tried
      case 'failed':
        this.#rebuildHead()
        return { kind: 'refused', code: 'invalid', message: tried.message }
      case 'invalid':
        return { kind: 'refused', code: 'invalid', message: tried.message }
      case 'refused':
        if (tried.code === 'client_id_taken' && isFullSync) this.#admitOwnPart(update, sender)
        return this.#refuse(tried)
      case 'new':
        return { kind: 'appending', stored: this.#track(this.#append(tried, sender)), work: tried.work }
    }
  }

  /**
   * Admits an update that is too large to be checked in one piece. Each part becomes one log row, and other work runs
   * between the parts. After a refusal the earlier parts stay in the document, as if they had been sent alone. Calls
   * `mayWrite` before each part.
   */
  async admitInParts(
    update: Uint8Array,
    isFullSync: boolean,
    sender: Sender,
    mayWrite: () => boolean,
  ): Promise<Exclude<Admission, { kind: 'large' }>> {
    const divided = await this.#deps.large.divide(update, this.stateVector, groupOf(sender))
    if (divided.kind === 'gap') return divided
    if (divided.kind === 'invalid')
      return { kind: 'refused', code: 'invalid', message: 'it depends on itself, or is none' }
    if (divided.kind === 'busy') return busy
    const storing: Promise<AppendResult>[] = []
    let refusal: Extract<Admission, { kind: 'refused' }> | undefined
    let work = 0
    for (const part of this.#smallParts(divided.parts)) {
      await nextSlice()
      if (!mayWrite()) return busy
      const admission = this.admit(part, isFullSync, sender, true)
      if (admission.kind === 'appending') {
        // The caller awaits all of them together.
        admission.stored.catch(() => undefined)
        storing.push(admission.stored)
        work += admission.work
      } else if (admission.kind === 'gap') return refusal ?? admission
      else if (admission.kind === 'refused') {
        refusal ??= admission
        // The sender's own changes in the following parts are still admitted.
        if (admission.code !== 'client_id_taken' || !isFullSync) break
      }
    }
    return refusal ?? { kind: 'appending', stored: this.#allStored(storing), work }
  }

  *#smallParts(parts: readonly Uint8Array[]): Generator<Uint8Array> {
    for (const part of parts) yield* this.#head.divideDeletions(part)
  }

  async #allStored(storing: readonly Promise<AppendResult>[]): Promise<AppendResult> {
    await this.#loading
    const results = await Promise.all(storing)
    // Parts that were already known may still be on their way to disk from other senders.
    await Promise.all(this.#storing)
    return results.find(({ ok }) => !ok) ?? results.at(-1) ?? { ok: true, seq: this.#shown.seq }
  }

  /**
   * Admits the sender's own changes of a refused update that contains changes of another owner that the log lacks, as
   * far as they don't depend on those.
   */
  #admitOwnPart(update: Uint8Array, sender: Sender): void {
    const { clients } = this.#deps
    const own = this.#head.ownPart(update, (client) => clients.ownershipOf(client, true, sender) === 'own')
    const admission = own && this.admit(own, true, sender, true)
    // `onStoreFailure` gets the error; the client reconnects in any case.
    if (admission?.kind === 'appending') admission.stored.catch(() => undefined)
  }

  /** A row was written to the log by this node or another, see `LiveDocument.noteLogged`. */
  noteLogged(seq: number, update: Uint8Array): Promise<void> {
    return this.#shown.noteLogged(seq, update)
  }

  /** Shows the rows of the log that this node's copy lacks, see `LiveDocument.catchUp`. */
  catchUp(): Promise<void> {
    return this.#shown.catchUp()
  }

  destroy(): void {
    this.#head.destroy()
  }

  #track(storing: Promise<AppendResult>): Promise<AppendResult> {
    this.#storing.add(storing)
    const forget = (): boolean => this.#storing.delete(storing)
    storing.then(forget, forget)
    return storing
  }

  async #append({ bytes, effects, clients }: NewUpdate, sender: Sender): Promise<AppendResult> {
    const { statements, stored } = this.#deps.statementsFor(effects, sender)
    const { actor, run, epoch } = sender
    const also = [...statements, ...this.#deps.clients.bind(clients, sender)]
    // If a power failure loses an update that was already shown, its author's client sends it again. That fails for new
    // client ids, whose owner is not stored yet, and for runs, which end with this process: their updates wait for the
    // disk.
    const own: OwnUpdate = { bytes, seq: 0, waitsForDisk: clients.length > 0 || run !== null, showing: undefined }
    this.#inFlight.set(own, bytes)
    const onWritten = (seq: number): void => {
      own.seq = seq
      this.#shown.written(own)
    }
    try {
      const result = await this.#deps.log.append({ name: this.name, bytes, actor, run, epoch, also }, onWritten)
      if (result.ok) {
        stored()
        own.waitsForDisk = false
        this.#shown.showWritten()
        await own.showing
      }
      this.#inFlight.delete(own)
      if (!result.ok) this.#forget(clients)
      return result
    } catch (error) {
      this.#inFlight.delete(own)
      this.#forget(clients)
      this.#deps.onStoreFailure(error)
      throw error
    } finally {
      if (this.isIdle) this.#deps.onIdle()
    }
  }

  /** Updates that aren't on disk must not count as known: their sender will send them again. */
  #forget(clients: readonly number[]): void {
    this.#deps.clients.release(clients)
    this.#rebuildHead()
  }

  #refuse(tried: Extract<TriedUpdate, { kind: 'refused' }>): Admission {
    const { code, message } = tried
    if (code !== 'client_id_unknown') return tried
    if (this.#knowsOwners) return { kind: 'refused', code: 'client_id_taken', message }
    // The owner may have written through another process; the sender retries after the owners are read again.
    this.#knowsOwners = true
    this.#deps.clients.load().catch(() => (this.#knowsOwners = false))
    return { kind: 'refused', code, message }
  }

  #rebuildHead(): void {
    this.#head.rebuild(Y.encodeStateAsUpdate(this.live), this.#inFlight.values())
  }
}
