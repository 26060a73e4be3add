import type { Document } from '@hocuspocus/server'
import * as Y from 'yjs'
import type { Room } from '../quotas/log-quota.ts'
import { applyUpdates } from '../store/apply-updates.ts'
import type { StructId } from '../store/causal-order.ts'
import { encodeInSlices, nextSlice } from '../store/time-slicing.ts'
import type { AppendResult, AppendRow } from '../store/sqlite-protocol.ts'
import type { LoadedLog, UpdateLog } from '../store/update-log.ts'
import type { ClientIds } from './client-ids.ts'
import type { RefusalCode } from './check-update.ts'
import { CandidateDocument, type UpdateEffects, type TriedUpdate } from './candidate-document.ts'
import type { LargeUpdates } from './large-updates.ts'
import { groupOf, type Sender } from './sender.ts'

/**
 * What happens to an update: nothing to store, held back, refused, too large to be taken at once, or on its way to the
 * disk. What is known may still be on its way there, from another sender: `stored` settles when it has arrived. `work`
 * is what it cost in steps of some 50 ns.
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
  message: 'this change could not be taken now; connect again',
}

/** The origin of what is shown; Hocuspocus takes other objects for connections. */
const shown = { source: 'local' } as const

/** An update that came from here, on its way to the log and to everybody. */
type Own = { bytes: Uint8Array; seq: number; waitsForDisk: boolean; showing: Promise<void> | undefined }

type NewUpdate = Extract<TriedUpdate, { kind: 'new' }>

/** What goes into the transaction that appends an update, and what follows when that is on disk. */
export type SideEffects = { statements: AppendRow['also']; stored: () => void }

/** What an open document needs from its surroundings. */
export type OpenDocumentDeps = {
  log: UpdateLog
  clients: ClientIds
  large: LargeUpdates
  /** Whether there is room for an update of so many bytes, which counts from then on. */
  takeRoom: (sender: Sender, bytes: number) => Room
  /** Statements to store together with an update, and what to do when it is stored. */
  statementsFor: (effects: UpdateEffects, sender: Sender) => SideEffects
  /** Somebody could not be sent what they lack. */
  onSendFailure: (error: unknown) => void
  /** An update could not be stored and must come again from its sender. */
  onStoreFailure: (error: unknown) => void
  onIdle: () => void
}

/**
 * A document that people have open on this node: the copy that Hocuspocus serves (`live`), which shows only what is in
 * the log, and its head, which is ahead of it by what is in flight. What is shown outlives this process; only when it
 * is on disk, too, it is acknowledged.
 */
export class OpenDocument {
  readonly name: string
  readonly live: Document
  readonly #head: CandidateDocument
  readonly #deps: OpenDocumentDeps
  /** What isn't on disk yet. */
  readonly #inFlight = new Map<Own, Uint8Array>()
  /** What is in the log and isn't shown yet, in its order. */
  readonly #unshown: Own[] = []
  #seq: number
  /** The newest row that somebody has told of. */
  #announced = 0
  #catchingUp: Promise<void> | undefined
  /** Whether all rows that came from elsewhere were there when the owners of client ids were read. */
  #knowsOwners = true
  readonly #storing = new Set<Promise<AppendResult>>()
  /** Settles when what was loaded is on disk: others may have written it only just now. */
  #loading: Promise<unknown> | undefined
  /** Rows of the commit that is being told of, which `live` gets in a moment. */
  #gathered: Uint8Array[] = []
  #gathering: Promise<void> | undefined

  /** `loaded` is a copy of the document besides `live`, which becomes its head. */
  constructor(name: string, live: Document, loaded: Omit<LoadedLog, 'quarantined'>, deps: OpenDocumentDeps) {
    this.name = name
    this.live = live
    this.#head = new CandidateDocument(loaded.doc, loaded.steps)
    this.#seq = loaded.seq
    this.#deps = deps
    const loading = deps.log.sync().then(() => (this.#loading = undefined))
    // Whoever waits for it is told.
    loading.catch(() => undefined)
    this.#loading = loading
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0
  }

  get stateVector(): Uint8Array {
    return this.#head.stateVector
  }

  /** How many client ids have written in it. */
  get clients(): number {
    return this.#head.clients
  }

  /** Whether what an update was held for has arrived. */
  has(id: StructId): boolean {
    return this.#head.has(id)
  }

  /** What somebody lacks of what people see; nothing if `signal` is aborted, or it can't be encoded. */
  async updateSince(stateVector: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await encodeInSlices(this.live, stateVector, signal)
    } catch (error) {
      if (!signal.aborted) this.#deps.onSendFailure(error)
      return undefined
    }
  }

  /**
   * Tries an update and, if it is new and whole, starts appending it to the log. `isPart`: it is as small as it can be
   * cut.
   */
  admit(update: Uint8Array, isFullSync: boolean, sender: Sender, isPart = false): Admission {
    const { clients } = this.#deps
    const tried = this.#head.try(update, isFullSync, {
      isPersons: sender.run === null,
      lookAt: (client, isKnown) => clients.ownershipOf(client, isKnown, sender),
      newClients: clients.roomFor(sender, this.clients),
      isPart,
      takeRoom: (bytes) => this.#deps.takeRoom(sender, bytes),
    })
    switch (tried.kind) {
      case 'known':
        // Any of those on their way may carry what is known here.
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
   * Takes an update that is too large to be looked at at once: in parts, each of which is one of the log, with others'
   * turns in between. A refusal leaves those before it in the document, as if they had come alone. `mayWrite` is asked
   * before each.
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
        // Who waits for all of them is told.
        admission.stored.catch(() => undefined)
        storing.push(admission.stored)
        work += admission.work
      } else if (admission.kind === 'gap') return refusal ?? admission
      else if (admission.kind === 'refused') {
        refusal ??= admission
        // Of what follows, too, that is taken which is the sender's own.
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
    // What was known already may be on its way from others.
    await Promise.all(this.#storing)
    return results.find(({ ok }) => !ok) ?? results.at(-1) ?? { ok: true, seq: this.#seq }
  }

  /**
   * Who brings something of somebody else's that the log lacks is refused; what is their own and doesn't build on it is
   * taken all the same.
   */
  #admitOwnPart(update: Uint8Array, sender: Sender): void {
    const { clients } = this.#deps
    const own = this.#head.ownPart(update, (client) => clients.ownershipOf(client, true, sender) === 'own')
    const admission = own && this.admit(own, true, sender, true)
    // A failure is told to `onStoreFailure`; they come back in any case.
    if (admission?.kind === 'appending') admission.stored.catch(() => undefined)
  }

  /**
   * A row has been written to the log, here or elsewhere. Shows it, after whatever stands between it and this node's
   * copy. Rejects if the log can't be read; the next row tries again.
   */
  async noteLogged(seq: number, update: Uint8Array): Promise<void> {
    if (seq <= this.#seq) return
    this.#announced = Math.max(this.#announced, seq)
    this.#knowsOwners = false
    if (seq === this.#seq + 1 && !this.#catchingUp) this.#show(seq, update)
    else await this.catchUp()
  }

  /**
   * Shows a row that came from here: the head has it already. Rows of one commit are shown together, as one frame to
   * everybody.
   */
  async #showOwn(seq: number, update: Uint8Array): Promise<void> {
    if (seq !== this.#seq + 1 || this.#catchingUp) return this.noteLogged(seq, update)
    this.#seq = seq
    this.#gathered.push(update)
    await (this.#gathering ??= Promise.resolve().then(() => this.#showGathered()))
  }

  /** Shows what is written up to where something waits for the disk. */
  #showWritten(): void {
    for (let own = this.#unshown[0]; own && !own.waitsForDisk; own = this.#unshown[0]) {
      this.#unshown.shift()
      own.showing = this.#showOwn(own.seq, own.bytes)
      // Whoever waits for it is told.
      own.showing.catch(() => undefined)
    }
  }

  #showGathered(): void {
    const updates = this.#gathered
    this.#gathered = []
    this.#gathering = undefined
    if (updates.length > 0) applyUpdates(this.live, updates, shown)
  }

  /**
   * Reads and shows what the log has beyond this node's copy, when that is on disk. Rejects if the log can't be read.
   */
  async catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readTail().finally(() => (this.#catchingUp = undefined))
    await this.#catchingUp
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
    // What is shown and then lost because the power goes, its author brings back: unless they aren't known yet, or end
    // with this process.
    const own: Own = { bytes, seq: 0, waitsForDisk: clients.length > 0 || run !== null, showing: undefined }
    this.#inFlight.set(own, bytes)
    const onWritten = (seq: number): void => {
      own.seq = seq
      this.#unshown.push(own)
      this.#showWritten()
    }
    try {
      const result = await this.#deps.log.append({ name: this.name, bytes, actor, run, epoch, also }, onWritten)
      if (result.ok) {
        stored()
        own.waitsForDisk = false
        this.#showWritten()
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

  /** What isn't on disk must not count as known: its sender will send it again. */
  #forget(clients: readonly number[]): void {
    this.#deps.clients.release(clients)
    this.#rebuildHead()
  }

  #refuse(tried: Extract<TriedUpdate, { kind: 'refused' }>): Admission {
    const { code, message } = tried
    if (code !== 'client_id_unknown') return tried
    if (this.#knowsOwners) return { kind: 'refused', code: 'client_id_taken', message }
    // Its owner may have written it by another way; the sender comes back when that is known.
    this.#knowsOwners = true
    this.#deps.clients.load().catch(() => (this.#knowsOwners = false))
    return { kind: 'refused', code, message }
  }

  async #readTail(): Promise<void> {
    let announced: number
    do {
      announced = this.#announced
      const rows = await this.#deps.log.rowsAfter(this.name, this.#seq)
      if (rows.length > 0) await this.#deps.log.sync()
      for (const row of rows) {
        if (row.seq > this.#seq) this.#show(row.seq, row.bytes)
      }
      // A row that was announced while this was reading may be missing from what was read.
    } while (this.#announced > Math.max(announced, this.#seq))
  }

  #show(seq: number, update: Uint8Array): void {
    this.#showGathered()
    this.#head.apply(update)
    Y.applyUpdate(this.live, update, shown)
    this.#seq = seq
  }

  #rebuildHead(): void {
    this.#head.rebuild(Y.encodeStateAsUpdate(this.live), this.#inFlight.values())
  }
}
