import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Document } from '@hocuspocus/server'
import * as Y from 'yjs'
import { applyUpdates } from '../store/apply-updates.ts'
import type { AppendResult, AppendRow } from '../store/sqlite-protocol.ts'
import type { UpdateLog } from '../store/update-log.ts'
import type { MissingId } from './causality.ts'
import type { ClientIds } from './client-ids.ts'
import { DocumentHead, type Findings, type LookAtClient, type RefusalCode, type TriedUpdate } from './document-head.ts'
import type { Sender } from './sender.ts'

/**
 * What happens to an update: nothing to store, held back, refused, or on its way to the disk. What is known may still be on
 * its way there, from another sender: `stored` settles when it has arrived. `others` is the newest that it has brought along of somebody
 * else's, which only they may bring.
 */
export type Admission = { others?: MissingId | undefined } & (
  | { kind: 'known'; stored: Promise<unknown> | undefined }
  | { kind: 'gap'; missing: MissingId }
  | { kind: 'refused'; code: RefusalCode | 'invalid'; message: string }
  | { kind: 'appending'; stored: Promise<AppendResult> }
)

/** The origin of what is shown; Hocuspocus takes other objects for connections. */
const shown = { source: 'local' } as const

type NewUpdate = Extract<TriedUpdate, { kind: 'new' }>

/** An update that is on its way to the disk. */
type InFlight = { bytes: Uint8Array; stored: Promise<AppendResult> | undefined }

/** What goes into the transaction that appends an update, and what follows when that is on disk. */
export type Companions = { statements: AppendRow['also']; stored: () => void }

/** What an open document needs from its surroundings. */
export type OpenDocumentDeps = {
  log: UpdateLog
  clients: ClientIds
  /** Statements to store together with an update, and what to do when it is stored. */
  statementsFor: (findings: Findings, sender: Sender) => Companions
  /** An update could not be stored: people see it already and it is tried again, or it must come again from its sender. */
  onStoreFailure: (error: unknown) => void
  onIdle: () => void
  /** Resolves when a store that has failed may be tried again; rejects when the server closes. */
  beforeRetry: () => Promise<void>
}

/** A row without what the document adds to it. */
type Row = Parameters<UpdateLog['append']>[0]

/**
 * A document that people have open on this node: the copy that Hocuspocus serves (`live`), and its head, on which an update is tried
 * before anybody sees it. What a person types is shown at once and acknowledged when it is on disk. What the store may still refuse (a run's
 * writing, a client id's first update) is shown when it is on disk; so is all that comes meanwhile, since people see updates in the order in which they
 * are logged. See docs/decisions/0015.
 */
export class OpenDocument {
  readonly name: string
  readonly live: Document
  readonly #head: DocumentHead
  readonly #deps: OpenDocumentDeps
  readonly #inFlight = new Set<InFlight>()
  #seq: number
  /** The newest row that somebody has told of. */
  #announced = 0
  #catchingUp: Promise<void> | undefined
  /** Whether all rows that came from elsewhere were there when the owners of client ids were read. */
  #knowsOwners = true
  /** What `live` gets at the end of this turn of the event loop. */
  #gathered: Uint8Array[] = []
  #gathering: Promise<void> | undefined
  /** How many rows are on their way that nobody sees before they are on disk. */
  #hidden = 0
  /** How many rows people see that the store has failed to take. */
  #owed = 0
  #retry: Promise<void> | undefined
  readonly #waiting = new Set<() => void>()

  /** `loaded` is a copy of the document besides `live`, which becomes its head. */
  constructor(name: string, live: Document, loaded: { doc: Y.Doc; seq: number }, deps: OpenDocumentDeps) {
    this.name = name
    this.live = live
    this.#head = new DocumentHead(loaded.doc)
    this.#seq = loaded.seq
    this.#deps = deps
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0
  }

  get stateVector(): Uint8Array {
    return this.#head.stateVector
  }

  /** Whether what an update was held for has arrived. */
  has(id: MissingId): boolean {
    return this.#head.has(id)
  }

  /** Tries an update and, if it is new and whole, starts appending it to the log. */
  admit(update: Uint8Array, isFullSync: boolean, sender: Sender): Admission {
    const lookAt: LookAtClient = (client, isKnown) => this.#deps.clients.ownershipOf(client, isKnown, sender)
    const { update: own, others } = isFullSync ? this.#head.leaveOut(update, lookAt) : { update, others: undefined }
    const tried = this.#head.try(own, isFullSync, sender.run === null, lookAt)
    switch (tried.kind) {
      case 'known':
        // Any of those on their way may carry what is known here.
        return { kind: 'known', stored: this.isIdle ? undefined : this.#allStored(), others }
      case 'gap':
        return { ...tried, others }
      case 'invalid':
        this.#rebuildHead()
        return { kind: 'refused', code: 'invalid', message: tried.message }
      case 'refused':
        this.#rebuildHead()
        return this.#refuse(tried)
      case 'new':
        this.#tellWaiting()
        return { kind: 'appending', stored: this.#store(tried, sender), others }
    }
  }

  /** Calls `retry` whenever something new has arrived, until the returned function is called. */
  onArrival(retry: () => void): () => void {
    this.#waiting.add(retry)
    return () => this.#waiting.delete(retry)
  }

  /**
   * A row has been written to the log, here or elsewhere. Shows it, after whatever stands between it and this node's copy.
   * Rejects if the log can't be read; the next row tries again.
   */
  async noteLogged(seq: number, update: Uint8Array): Promise<void> {
    if (seq <= this.#seq) return
    this.#announced = Math.max(this.#announced, seq)
    this.#knowsOwners = false
    if (seq === this.#seq + 1 && !this.#catchingUp) this.#show(seq, update)
    else await this.catchUp()
  }

  /** Notes that a row from here is in the log, and shows it if nobody sees it yet. */
  async #noteOwn(seq: number, update: Uint8Array, isShown: boolean): Promise<void> {
    if (seq !== this.#seq + 1 || this.#catchingUp) return this.noteLogged(seq, update)
    this.#seq = seq
    if (!isShown) await this.#gather(update)
  }

  /** Shows what one turn of the event loop brings as one frame to everybody; the head has it already. */
  #gather(update: Uint8Array): Promise<void> {
    this.#gathered.push(update)
    if (!this.#gathering) {
      this.#gathering = endOfTurn().then(() => this.#showGathered())
      // Who gathers hears of a failure later, when the store has answered.
      this.#gathering.catch(() => undefined)
    }
    return this.#gathering
  }

  #showGathered(): void {
    const updates = this.#gathered
    this.#gathered = []
    this.#gathering = undefined
    if (updates.length > 0) applyUpdates(this.live, updates, shown)
  }

  /** Reads and shows what the log has beyond this node's copy. Rejects if the log can't be read. */
  async catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readTail().finally(() => (this.#catchingUp = undefined))
    await this.#catchingUp
  }

  destroy(): void {
    this.#head.destroy()
  }

  #allStored(): Promise<unknown> {
    return Promise.all([...this.#inFlight].flatMap(({ stored }) => stored ?? []))
  }

  #store(tried: NewUpdate, sender: Sender): Promise<AppendResult> {
    const update: InFlight = { bytes: tried.bytes, stored: undefined }
    this.#inFlight.add(update)
    return (update.stored = this.#append(update, tried, sender))
  }

  async #append(update: InFlight, { bytes, findings, clients }: NewUpdate, sender: Sender): Promise<AppendResult> {
    const { statements, stored } = this.#deps.statementsFor(findings, sender)
    const { actor, run, epoch } = sender
    const also = clients.length > 0 ? [...statements, ...this.#deps.clients.bind(clients, sender)] : statements
    const row = { name: this.name, bytes, actor, run, epoch, also }
    const isShown = this.#isShownAtOnce(sender, clients)
    if (!isShown) this.#hidden++
    try {
      const seen = isShown ? this.#gather(bytes) : undefined
      const result = await this.#appendRow(row, isShown)
      await seen
      if (result.ok) {
        stored()
        await this.#noteOwn(result.seq, bytes, isShown)
      }
      this.#inFlight.delete(update)
      if (!result.ok) this.#forget(clients)
      return result
    } catch (error) {
      this.#inFlight.delete(update)
      this.#forget(clients)
      this.#deps.onStoreFailure(error)
      throw error
    } finally {
      if (!isShown) this.#hidden--
      if (this.isIdle) this.#deps.onIdle()
    }
  }

  /** Not before its client ids are known to be the sender's: others will have it, and might bring it back as theirs. */
  #isShownAtOnce({ run }: Sender, newClients: readonly number[]): boolean {
    return run === null && newClients.length === 0 && this.#hidden === 0 && this.#owed === 0
  }

  /**
   * Appends a row. What people see already is tried until the store takes it, in its order and before anything else: what they
   * write next builds on it.
   */
  async #appendRow(row: Row, isShown: boolean): Promise<AppendResult> {
    if (this.#owed > 0) throw new Error('the store has not taken what came before')
    try {
      return await this.#deps.log.append(row, { isShown })
    } catch (error) {
      if (!isShown) throw error
      return this.#appendLater(row, error)
    }
  }

  async #appendLater(row: Row, failure: unknown): Promise<AppendResult> {
    this.#owed++
    try {
      for (let error = failure; ;) {
        this.#deps.onStoreFailure(error)
        // Those that failed together wait together, and go on in their order.
        await (this.#retry ??= this.#deps.beforeRetry().finally(() => (this.#retry = undefined)))
        try {
          return await this.#deps.log.append(row)
        } catch (again) {
          error = again
        }
      }
    } finally {
      this.#owed--
    }
  }

  /** What isn't on disk must not count as known: its sender will send it again. */
  #forget(clients: readonly number[]): void {
    this.#deps.clients.release(clients)
    this.#rebuildHead()
  }

  #refuse({ code, message }: Extract<TriedUpdate, { kind: 'refused' }>): Admission {
    if (code !== 'client_id_unknown') return { kind: 'refused', code, message }
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
      for (const row of await this.#deps.log.rowsAfter(this.name, this.#seq)) {
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
    this.#tellWaiting()
  }

  #tellWaiting(): void {
    if (this.#waiting.size > 0) setImmediate(() => this.#waiting.forEach((retry) => retry()))
  }

  #rebuildHead(): void {
    this.#showGathered()
    this.#head.rebuild(
      Y.encodeStateAsUpdate(this.live),
      Array.from(this.#inFlight, ({ bytes }) => bytes),
    )
  }
}
