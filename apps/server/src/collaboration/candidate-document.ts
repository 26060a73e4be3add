import { STRUCTURE_LIMITS } from '@copydesk/protocol'
import { completeContainers, contentTypes, isIncomplete, schema } from '@copydesk/schema'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import type { Room } from '../quotas/log-quota.ts'
import { applyUpdates } from '../store/apply-updates.ts'
import { findMissing, hasId, type StructId } from '../store/causal-order.ts'
import { type DecodedUpdate, decodeUpdate } from '../store/decode-update.ts'
import { countDeleted, divideDeletions } from '../store/divide-deletions.ts'
import { scanUpdate, type UpdateScan, UpdateTooCostlyError } from '../store/scan-update.ts'
import { createVerbatimDoc } from '../store/verbatim-doc.ts'
import { checkUpdate, type LookAtClient, type Refused } from './check-update.ts'
import { DocumentSize } from './document-size.ts'
import { findIntroducedChanges } from './introduced-changes.ts'
import { findPersonMentions, type PersonMention } from './person-mentions.ts'
import { ownPart } from './own-part.ts'
import { PlainTyping } from './plain-typing.ts'
import { ReviewCount } from './review-cost.ts'
import { findSentMentions, sendersOf, type SentMention } from './sent-mentions.ts'
import { readTouched } from './touched.ts'
import { WrittenChanges } from './written-changes.ts'

/**
 * What an update does that concerns more than the text: mentions of the agent that it sends, mentions of people and ids
 * of suggested changes that it brings in, and the ids of those that it brings something under.
 */
export type UpdateEffects = { mentions: SentMention[]; people: PersonMention[]; changes: string[]; written: string[] }

const noEffects: UpdateEffects = { mentions: [], people: [], changes: [], written: [] }

/**
 * What trying an update on a document's head showed. `bytes` of a new one is what belongs into the log: a full sync
 * repeats what is known already, of which only the new part is kept; what completes a list that it would leave broken
 * is added. `clients` are the ids that it is the first to write under, `work` what it cost in steps of some 50 ns. A
 * large one has to be cut into parts first.
 */
export type TriedUpdate =
  | { kind: 'new'; bytes: Uint8Array; effects: UpdateEffects; clients: number[]; work: number }
  | { kind: 'large' }
  | Refused
  | { kind: 'failed'; message: string }
  | { kind: 'known' }
  | { kind: 'gap'; missing: StructId }

/**
 * How an update is tried: with `isPersons` one that newly writes or deletes a receipt of a run is `invalid`; to repeat
 * those that are there is not. `newClients`: how many client ids its sender may still bring. `isPart`: it is as small
 * as it can be cut. `takeRoom`: whether its sender may store so many bytes more, which count from then on.
 */
export type TryOptions = {
  isPersons?: boolean
  lookAt?: LookAtClient
  newClients?: number
  isPart?: boolean
  takeRoom?: (bytes: number) => Room
}

/** What is larger is looked at and applied in parts, so that others have their turn in between. */
const largeUpdate = { bytes: 128 * 1024, structs: 5000, ranges: 1000, deleted: 20_000 } as const
const deletedInPart = 10_000

/**
 * A copy of a document that is ahead of the one people see: it also has the updates that are still on their way to the
 * disk. Each update is tried here before it is logged, because a throw inside Yjs leaves half an update behind.
 */
export class CandidateDocument {
  /** Everything but what `#typing` keeps. */
  #latest: Y.Doc
  #typing: PlainTyping
  #size: DocumentSize
  #steps: number
  readonly #written = new WrittenChanges()
  #review: ReviewCount
  /** The client id under which updates of people are completed. */
  #completer: number | undefined

  /**
   * Takes the document over; it must be one that `createVerbatimDoc` has made. `steps`: what it took to find the places
   * of its items.
   */
  constructor(doc: Y.Doc, steps = 0) {
    this.#latest = asHead(doc)
    this.#size = new DocumentSize(doc)
    this.#steps = steps
    this.#typing = new PlainTyping(doc, this.#size)
    this.#review = new ReviewCount(doc)
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

  /** How many client ids have written in it. */
  get clients(): number {
    return this.#latest.store.clients.size
  }

  /**
   * Tries an update and keeps it if it is new. What isn't taken leaves no trace, unless it has `failed`: Yjs can't
   * apply what was checked; `rebuild` the head before the next.
   */
  try(update: Uint8Array, isFullSync: boolean, options: TryOptions = {}): TriedUpdate {
    const { isPersons = false, lookAt = () => 'own', newClients = Infinity, isPart = false, takeRoom } = options
    const isOwn = (client: number, isKnown: boolean): boolean => lookAt(client, isKnown) === 'own'
    const hasRoom = (): boolean => takeRoom?.(update.byteLength).ok !== false
    if (!isFullSync && this.#typing.keep(update, isOwn, this.#written.isPlain, hasRoom)) {
      return { kind: 'new', bytes: update, effects: noEffects, clients: [], work: workOfUpdate }
    }
    const scan = readScan(update)
    if ('kind' in scan) return scan
    if (!isPart && isLarge(update, scan)) return { kind: 'large' }
    const doc = this.#doc
    const decoded = decode(update)
    if ('kind' in decoded) return decoded
    const missing = findMissing(decoded, (client) => Y.getState(doc.store, client))
    if (missing) return { kind: 'gap', missing }
    if (!isPart && countDeleted(decoded.ds, doc, largeUpdate.deleted) > largeUpdate.deleted) return { kind: 'large' }
    const stepsLeft = STRUCTURE_LIMITS.steps - this.#steps
    const [size, review] = [this.#size, this.#review]
    const checked = checkUpdate(decoded, { doc, size, review, lookAt, newClients, isPersons, stepsLeft })
    if (checked.kind !== 'checked') return checked
    // Only a full sync repeats what is known; the vector names every client that ever wrote here.
    const before = isFullSync ? Y.encodeStateVector(doc) : undefined
    const bytes = before ? Y.diffUpdate(update, before) : update
    // Who only deletes needs no room.
    const room = decoded.structs.length > 0 ? takeRoom?.(bytes.byteLength) : undefined
    if (room?.ok === false) return { kind: 'refused', code: 'quota_exceeded', message: room.message, hint: room.hint }
    const seen = this.#apply(update, lookAt)
    if (seen instanceof Error) {
      return { kind: 'failed', message: `an update that can't be applied: ${seen.message}` }
    }
    if (!seen) return { kind: 'known' }
    this.#steps += checked.steps
    this.#size.grow(checked.size, decoded.ds.clients.size > 0)
    for (const { parent, key, added } of checked.lists) if (key === null) this.#size.growList(parent, added)
    const looked = checked.looked + this.#written.looked
    return {
      kind: 'new',
      bytes: this.#complete(bytes, seen.incomplete, isPersons),
      effects: seen.effects,
      clients: checked.clients,
      work: workOfUpdate + (scan.structs + scan.ranges) * workOfStruct + checked.steps * 3 + looked,
    }
  }

  /** What the update has done, or the error if Yjs can't apply it. */
  #apply(update: Uint8Array, lookAt: LookAtClient): Seen | Error | undefined {
    let seen: Seen | undefined
    // To listen for 'update' would make Yjs encode every update anew.
    const note = (transaction: Y.Transaction): void => {
      if (bringsSomething(transaction)) seen = this.#look(transaction, lookAt)
    }
    const doc = this.#latest
    doc.on('beforeObserverCalls', note)
    try {
      Y.applyUpdate(doc, update)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      doc.off('beforeObserverCalls', note)
    }
    const isHeldBack = doc.store.pendingStructs !== null || doc.store.pendingDs !== null
    return isHeldBack ? new Error('a part of it was held back') : seen
  }

  #look(transaction: Y.Transaction, lookAt: LookAtClient): Seen {
    const { items, elements } = readTouched(transaction)
    return {
      effects: {
        mentions: findSentMentions(elements, sendersOf(transaction, lookAt)),
        people: findPersonMentions(elements),
        changes: findIntroducedChanges(items),
        written: this.#written.find(transaction, items),
      },
      // What it has left without something that the schema demands.
      incomplete: [...elements].filter((element) => element._item?.deleted === false && isIncomplete(element, schema)),
    }
  }

  /** What others are shown holds no container that an editor would delete for what it lacks. */
  #complete(bytes: Uint8Array, incomplete: readonly Y.XmlElement[], isPersons: boolean): Uint8Array {
    if (incomplete.length === 0) return bytes
    const parts = [bytes]
    const note = (update: Uint8Array): void => void parts.push(update)
    // The log may refuse a row of a run and take those after it, so what completes one builds on nothing of another.
    // One id serves all people.
    const completer = isPersons ? (this.#completer ??= uint32()) : uint32()
    this.#doc.clientID = completer
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

  /** A part of a large update, or, where it deletes much, that in parts of its own. */
  divideDeletions(part: Uint8Array): Uint8Array[] {
    const { structs, ds } = decodeUpdate(part)
    const deletesMuch = structs.length === 0 && countDeleted(ds, this.#doc, deletedInPart) > deletedInPart
    return deletesMuch ? divideDeletions(ds, this.#doc, deletedInPart) : [part]
  }

  has(id: StructId): boolean {
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
    this.#completer = undefined
    applyUpdates(this.#latest, [state, ...inFlight])
    this.#size = new DocumentSize(this.#latest)
    this.#typing = new PlainTyping(this.#latest, this.#size)
    this.#review = new ReviewCount(this.#latest)
  }

  destroy(): void {
    this.#latest.destroy()
  }
}

/** What follows from a transaction. */
type Seen = { effects: UpdateEffects; incomplete: Y.XmlElement[] }

/** To take an update, however small: to store it, and to tell everybody. */
const workOfUpdate = 400
/** To decode and check a struct, and to apply it here and to the copy that people see, which takes its steps again. */
const workOfStruct = 40

function isLarge({ byteLength }: Uint8Array, { structs, ranges }: UpdateScan): boolean {
  return byteLength > largeUpdate.bytes || structs > largeUpdate.structs || ranges > largeUpdate.ranges
}

/** Counts what an update holds before anything of it is built. */
function readScan(update: Uint8Array): UpdateScan | Refused {
  try {
    const scan = scanUpdate(update)
    const foreign = [...scan.roots].find((root) => !roots.has(root))
    if (foreign === undefined) return scan
    return { kind: 'refused', code: 'schema_refused', message: `unknown root type ${foreign.slice(0, 40)}` }
  } catch (error) {
    if (error instanceof UpdateTooCostlyError) return { kind: 'refused', code: 'too_costly', message: error.message }
    return notAnUpdate(error)
  }
}

function decode(update: Uint8Array): DecodedUpdate | Refused {
  try {
    return decodeUpdate(update)
  } catch (error) {
    return notAnUpdate(error)
  }
}

function notAnUpdate(error: unknown): Refused {
  return { kind: 'invalid', message: `not a Yjs update: ${error instanceof Error ? error.message : String(error)}` }
}

function bringsSomething({ deleteSet, beforeState, afterState }: Y.Transaction): boolean {
  if (deleteSet.clients.size > 0) return true
  for (const [client, clock] of afterState) if (clock !== beforeState.get(client)) return true
  return false
}

const roots: ReadonlySet<string> = new Set(Object.values(contentTypes))

function fragmentOf(doc: Y.Doc): Y.XmlFragment {
  return doc.getXmlFragment(contentTypes.fragment)
}

function asHead(doc: Y.Doc): Y.Doc {
  // What is checked must be of these types before the first update is tried.
  fragmentOf(doc)
  doc.getMap(contentTypes.meta)
  doc.getMap(contentTypes.receipts)
  return doc
}
