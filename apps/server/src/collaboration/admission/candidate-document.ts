import { STRUCTURE_LIMITS } from '@copydesk/protocol'
import { completeContainers, contentTypes, isIncomplete, schema } from '@copydesk/schema'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import type { Room } from '../../quotas/log-quota.ts'
import { applyUpdates, createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import { findMissing, hasId, ownPart, type StructId } from '../../store/updates/causal-order.ts'
import { type DecodedUpdate, decodeUpdate } from '../../store/updates/decode-update.ts'
import { countDeleted, divideDeletions } from '../../store/updates/divide-deletions.ts'
import { scanUpdate, type UpdateScan, UpdateTooCostlyError } from '../../store/updates/scan-update.ts'
import { checkUpdate, type FindOwnership, type Refused } from './check-update.ts'
import { DocumentSize } from './document-size.ts'
import { findIntroducedChanges } from './introduced-changes.ts'
import { findPersonMentions, findSentMentions, type PersonMention, sendersOf, type SentMention } from './mentions.ts'
import { PlainTyping } from './plain-typing.ts'
import { ReviewCount } from './review-cost.ts'
import { WrittenChanges } from './written-changes.ts'

/**
 * Effects of an update beyond the text: mentions of the agent that it sends, mentions of people and ids of suggested
 * changes that it introduces, and ids of the suggested changes that it writes into (`written`).
 */
export type UpdateEffects = { mentions: SentMention[]; people: PersonMention[]; changes: string[]; written: string[] }

const noEffects: UpdateEffects = { mentions: [], people: [], changes: [], written: [] }

/**
 * Result of trying an update on the candidate document. `bytes` of a `new` update are the bytes for the log: of a full
 * sync only the part that is not yet known, plus the content that completes containers that would be invalid after the
 * update. `clients` are the client ids that first occur in this update; `work` is its cost in steps of some 50 ns. A
 * `large` update has to be divided into parts first.
 */
export type TriedUpdate =
  | { kind: 'new'; bytes: Uint8Array; effects: UpdateEffects; clients: number[]; work: number }
  | { kind: 'large' }
  | Refused
  | { kind: 'failed'; message: string }
  | { kind: 'known' }
  | { kind: 'gap'; missing: StructId }

/**
 * Options of `try`. With `isPersons`, an update that newly writes or deletes a receipt of a run is `invalid`; repeating
 * existing receipts is allowed. `newClients`: how many new client ids the sender may still introduce. `isPart`: the
 * update can't be divided further. `reserveBytes` reserves additional bytes for the sender, if they may store that
 * many.
 */
export type TryOptions = {
  isPersons?: boolean
  ownershipOf?: FindOwnership
  newClients?: () => number
  isPart?: boolean
  reserveBytes?: (bytes: number) => Room
}

/** Larger updates are checked and applied in parts, so that other work runs in between. */
const largeUpdate = { bytes: 128 * 1024, structs: 5000, ranges: 1000, deleted: 20_000 } as const
const deletedInPart = 10_000

/**
 * A copy of a document that is ahead of the copy shown to users: it also contains updates that are not yet on disk.
 * Each update is tried here before it is logged, because an exception inside Yjs leaves an update half applied.
 */
export class CandidateDocument {
  /** Everything except the updates buffered in `#typing`. */
  #latest: Y.Doc
  #typing: PlainTyping
  #size: DocumentSize
  #steps: number
  readonly #written = new WrittenChanges()
  #review: ReviewCount
  /** The client id under which the server completes updates of people. */
  #completer: number | undefined

  /**
   * Takes ownership of `doc`, which must come from `createVerbatimDoc`. `steps`: the steps that integrating its items
   * took.
   */
  constructor(doc: Y.Doc, steps = 0) {
    this.#latest = asHead(doc)
    this.#size = new DocumentSize(doc)
    this.#steps = steps
    this.#typing = new PlainTyping(doc, this.#size)
    this.#review = new ReviewCount(doc)
  }

  /** The document with all updates, including those buffered in `#typing`. */
  get #doc(): Y.Doc {
    const typed = this.#typing.take()
    if (typed.length > 0) applyUpdates(this.#latest, typed)
    return this.#latest
  }

  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#doc)
  }

  /** The number of client ids that have written in the document. */
  get clients(): number {
    return this.#latest.store.clients.size
  }

  /**
   * Tries an update and keeps it if it is new. A rejected update leaves the document unchanged, except when the result
   * is `failed`: the update passed the checks but Yjs could not apply it. The caller must then call `rebuild` before
   * the next `try`.
   */
  try(update: Uint8Array, isFullSync: boolean, options: TryOptions = {}): TriedUpdate {
    const {
      isPersons = false,
      ownershipOf = () => 'own',
      newClients = () => Infinity,
      isPart = false,
      reserveBytes,
    } = options
    const isOwn = (client: number, isKnown: boolean): boolean => ownershipOf(client, isKnown) === 'own'
    const hasRoom = (): boolean => reserveBytes?.(update.byteLength).ok !== false
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
    const checked = checkUpdate(decoded, { doc, size, review, ownershipOf, newClients, isPersons, stepsLeft })
    if (checked.kind !== 'checked') return checked
    // Only a full sync repeats known content. The state vector is long: it contains every client that ever wrote here.
    const before = isFullSync ? Y.encodeStateVector(doc) : undefined
    const bytes = before ? Y.diffUpdate(update, before) : update
    // An update that only deletes needs no room.
    const room = decoded.structs.length > 0 ? reserveBytes?.(bytes.byteLength) : undefined
    if (room?.ok === false) return { kind: 'refused', code: 'quota_exceeded', message: room.message, hint: room.hint }
    const seen = this.#apply(update, ownershipOf)
    if (seen instanceof Error) {
      return { kind: 'failed', message: `an update that can't be applied: ${seen.message}` }
    }
    if (!seen) return { kind: 'known' }
    this.#steps += checked.steps
    this.#size.grow(checked.size, decoded.ds.clients.size > 0)
    for (const { parent, key, added } of checked.lists) if (key === null) this.#size.growList(parent, added)
    const examined = checked.examined + this.#written.examined
    return {
      kind: 'new',
      bytes: this.#complete(bytes, seen.incomplete, isPersons),
      effects: seen.effects,
      clients: checked.clients,
      work: workOfUpdate + (scan.structs + scan.ranges) * workOfStruct + checked.steps * 3 + examined,
    }
  }

  /** The effects of the update, or the error if Yjs can't apply it. */
  #apply(update: Uint8Array, ownershipOf: FindOwnership): Observed | Error | undefined {
    let seen: Observed | undefined
    // A listener for 'update' would make Yjs encode every update again.
    const note = (transaction: Y.Transaction): void => {
      if (changesAnything(transaction)) seen = this.#inspect(transaction, ownershipOf)
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
    const hasPending = doc.store.pendingStructs !== null || doc.store.pendingDs !== null
    return hasPending ? new Error('a part of it was held back') : seen
  }

  #inspect(transaction: Y.Transaction, ownershipOf: FindOwnership): Observed {
    const { items, elements } = readTouched(transaction)
    return {
      effects: {
        mentions: findSentMentions(elements, sendersOf(transaction, ownershipOf)),
        people: findPersonMentions(elements),
        changes: findIntroducedChanges(items),
        written: this.#written.find(transaction, items),
      },
      // Elements without content that the schema requires after the update.
      incomplete: [...elements].filter((element) => element._item?.deleted === false && isIncomplete(element, schema)),
    }
  }

  /** Completes containers, so that no peer receives one that an editor would delete as invalid. */
  #complete(bytes: Uint8Array, incomplete: readonly Y.XmlElement[], isPersons: boolean): Uint8Array {
    if (incomplete.length === 0) return bytes
    const parts = [bytes]
    const note = (update: Uint8Array): void => void parts.push(update)
    // The log may refuse a row of a run and accept later rows, so each completion uses its own client id and depends on
    // no other completion. Updates of people share one id.
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

  /** The part of a refused update that may be tried on its own, see `ownPart`. */
  ownPart(update: Uint8Array, isOwn: (client: number) => boolean): Uint8Array | undefined {
    return ownPart(update, this.#doc, isOwn)
  }

  /** Returns a part of a large update unchanged or, if it deletes much, divided into several updates. */
  divideDeletions(part: Uint8Array): Uint8Array[] {
    const { structs, ds } = decodeUpdate(part)
    const deletesMuch = structs.length === 0 && countDeleted(ds, this.#doc, deletedInPart) > deletedInPart
    return deletesMuch ? divideDeletions(ds, this.#doc, deletedInPart) : [part]
  }

  has(id: StructId): boolean {
    return hasId(this.#doc, id)
  }

  /** Applies an update that is already in the log. */
  apply(update: Uint8Array): void {
    this.#written.forget()
    Y.applyUpdate(this.#doc, update)
  }

  /** Rebuilds the document from the state shown to users and the updates that are not yet on disk. */
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

/** The observations of `try` in a transaction. */
type Observed = { effects: UpdateEffects; incomplete: Y.XmlElement[] }

/** Fixed cost of an update of any size: storing and broadcasting it. */
const workOfUpdate = 400
/**
 * Cost of a struct: decoding, checking, and applying it both here and to the copy shown to users, where Yjs repeats the
 * integration steps.
 */
const workOfStruct = 40

function isLarge({ byteLength }: Uint8Array, { structs, ranges }: UpdateScan): boolean {
  return byteLength > largeUpdate.bytes || structs > largeUpdate.structs || ranges > largeUpdate.ranges
}

/** Counts the contents of an update before it is decoded. */
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

function changesAnything({ deleteSet, beforeState, afterState }: Y.Transaction): boolean {
  if (deleteSet.clients.size > 0) return true
  for (const [client, clock] of afterState) if (clock !== beforeState.get(client)) return true
  return false
}

const roots: ReadonlySet<string> = new Set(Object.values(contentTypes))

function fragmentOf(doc: Y.Doc): Y.XmlFragment {
  return doc.getXmlFragment(contentTypes.fragment)
}

function asHead(doc: Y.Doc): Y.Doc {
  // The root types must exist with these types before the first update is tried.
  fragmentOf(doc)
  doc.getMap(contentTypes.meta)
  doc.getMap(contentTypes.receipts)
  return doc
}

/**
 * The items that a transaction added and did not delete again, and the elements that it added or changed; in one pass
 * over the state vectors, which have an entry per client id of the document.
 */
export function readTouched({ doc, beforeState, afterState, changed }: Y.Transaction) {
  const items: Y.Item[] = []
  for (const [client, clock] of afterState) {
    const from = beforeState.get(client) ?? 0
    const structs = clock > from ? doc.store.clients.get(client) : undefined
    if (!structs) continue
    for (let index = Y.findIndexSS(structs, from); index < structs.length; index++) {
      const struct = structs[index]
      if (struct instanceof Y.Item && !struct.deleted) items.push(struct)
    }
  }
  const elements = new Set<Y.XmlElement>()
  for (const type of changed.keys()) if (type instanceof Y.XmlElement) elements.add(type)
  for (const { content } of items) {
    if (content instanceof Y.ContentType && content.type instanceof Y.XmlElement) elements.add(content.type)
  }
  return { items, elements }
}
