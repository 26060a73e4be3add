import { UPDATE_LIMITS } from '@copydesk/protocol'
import {
  type AddedItem,
  checkAdded,
  contentTypes,
  isFrontmatter,
  longestTitle,
  schema,
  type YType,
} from '@copydesk/schema'
import * as Y from 'yjs'
import { inCausalOrder } from '../../store/updates/causal-order.ts'
import type { DecodedUpdate } from '../../store/updates/decode-update.ts'
import { UpdateTooCostlyError } from '../../store/updates/scan-update.ts'
import type { List } from '../../store/updates/pieces.ts'
import { TrialIntegration } from '../../store/updates/trial-integration.ts'
import type { Ownership } from './client-ids.ts'
import { IntroducedReview, type ReviewCount } from './review-cost.ts'
import { type DocumentSize, isBlock, type Size } from './document-size.ts'

/**
 * Returns the owner of a client id under which an update adds new items. `isKnown`: whether the document already
 * contains that id.
 */
export type FindOwnership = (client: number, isKnown: boolean) => Ownership

/** The reason for refusing an update although Yjs could apply it. */
export type RefusalCode =
  | 'schema_refused'
  | 'client_id_taken'
  | 'client_id_unknown'
  | 'too_many_client_ids'
  | 'too_costly'
  | 'document_full'
  | 'quota_exceeded'

/** A rejected update. `invalid`: Yjs can't apply it, or only a run may write its changes. */
export type Refused =
  | { kind: 'refused'; code: RefusalCode; message: string; hint?: string }
  | { kind: 'invalid'; message: string }

/**
 * The effects of an accepted update: the client ids that it introduces, the growth of the document, the integration
 * steps of its items, and the number of items examined for review marks.
 */
export type Checked = {
  kind: 'checked'
  clients: number[]
  size: Size
  lists: readonly List[]
  steps: number
  examined: number
}

/**
 * The context of a check. With `isPersons` the update may not write receipts. `newClients`: how many new client ids the
 * sender may still introduce; `stepsLeft`: the document's remaining integration steps.
 */
export type CheckContext = {
  doc: Y.Doc
  size: DocumentSize
  review: ReviewCount
  ownershipOf: FindOwnership
  newClients: () => number
  isPersons: boolean
  stepsLeft: number
}

const metaRules: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: (value) => typeof value === 'string' && value.length <= longestTitle,
  schemaVersion: (value) => typeof value === 'number',
  frontmatter: isFrontmatter,
}
const longestReceipt = 200

/**
 * Checks an update that has no missing dependencies, without applying it. A refusal leaves the document unchanged. The
 * cost of the check is proportional to the update; the steps that Yjs needs to apply the update are counted beforehand.
 */
export function checkUpdate(update: DecodedUpdate, context: CheckContext): Checked | Refused {
  const clients = checkClients(update, context)
  if (!Array.isArray(clients)) return clients
  const trial = new TrialIntegration(context.doc, Math.min(UPDATE_LIMITS.steps, context.stepsLeft))
  const placed = new PlacedItems(trial, context)
  try {
    const fragment = context.doc.getXmlFragment(contentTypes.fragment)
    const parentOf = (type: YType) => trial.parentOf(type)
    const fault = checkAdded(placed.inOrder(update), fragment, schema, parentOf)
    if (fault !== undefined) return { kind: 'refused', code: 'schema_refused', message: fault }
  } catch (error) {
    if (error instanceof UpdateTooCostlyError) return { kind: 'refused', code: 'too_costly', message: error.message }
    throw error
  }
  if (placed.fault) return placed.fault
  if (context.isPersons && deletesReceipts(update, context.doc)) return onlyRuns
  placed.cutOut(update)
  const { size, lists } = placed
  const isSmall = size.characters === 0 && size.blocks === 0 && size.pieces <= fewPieces
  if (size.pieces > 0 && !context.size.hasRoom(size, isSmall)) return full
  for (const { parent, key, added } of lists) {
    if (key !== null || context.size.hasRoomIn(parent, added, { isNew: trial.isNew(parent), isSmall })) continue
    const message = 'a block with more parts than an editor can show; continue in another one'
    return { kind: 'refused', code: 'too_costly', message }
  }
  const costly = placed.review.checkOverlaps(update, context.doc, trial) ?? context.review.add(placed.review.ids)
  if (costly !== undefined) return refused('too_costly', costly)
  return { kind: 'checked', clients, size, lists, steps: trial.steps, examined: placed.review.examined }
}

const onlyRuns: Refused = { kind: 'invalid', message: 'receipts are written by runs only' }
const full: Refused = {
  kind: 'refused',
  code: 'document_full',
  message: 'the document has reached its maximum size; delete something, or move a part to another document',
}
// Deleting and formatting must remain possible in a full document, so small updates get some extra room.
const fewPieces = 100

/** The client ids that are new to the document, or the reason why the sender may not write under one of them. */
function checkClients({ structs }: DecodedUpdate, { doc, ownershipOf, newClients }: CheckContext): number[] | Refused {
  const ends = new Map<number, number>()
  for (const { id, length } of structs) ends.set(id.client, id.clock + length)
  const clients: number[] = []
  for (const [client, end] of ends) {
    const known = Y.getState(doc.store, client)
    if (end <= known) continue
    switch (ownershipOf(client, known > 0)) {
      case 'free':
        clients.push(client)
        break
      case 'own':
        break
      case 'taken':
        return { kind: 'refused', code: 'client_id_taken', message: `client id ${client} belongs to another client` }
      case 'unknown':
        return { kind: 'refused', code: 'client_id_unknown', message: `client id ${client} is the server's` }
    }
  }
  if (clients.length === 0 || clients.length <= Math.min(newClients(), UPDATE_LIMITS.clientIds)) return clients
  const message = 'too many new client ids; try again later, or in a copy of the document'
  return { kind: 'refused', code: 'too_many_client_ids', message }
}

/** Iterates over the items of an update with their future parents, in causal order, and sums up the growth. */
class PlacedItems {
  readonly #trial: TrialIntegration
  readonly #context: CheckContext
  readonly #lists = new Set<List>()
  readonly review = new IntroducedReview()
  readonly size: Size = { pieces: 0, characters: 0, blocks: 0 }
  fault: Refused | undefined

  constructor(trial: TrialIntegration, context: CheckContext) {
    this.#trial = trial
    this.#context = context
  }

  get lists(): readonly List[] {
    return [...this.#lists]
  }

  /** Counts the items that deletions split. */
  cutOut({ ds }: DecodedUpdate): void {
    for (const [client, ranges] of ds.clients) {
      for (const { clock, len } of ranges) {
        for (const list of this.#trial.cutOut(client, clock, len)) this.#lists.add(list)
      }
    }
    this.size.pieces += this.#trial.splits
  }

  /** Stops at the first `fault`. */
  *inOrder({ structs }: DecodedUpdate): Generator<AddedItem> {
    const { store } = this.#context.doc
    let left = structs.filter((struct) => !(struct instanceof Y.Skip)).length
    for (const struct of inCausalOrder(structs, (client) => Y.getState(store, client))) {
      left -= 1
      if (struct.id.clock + struct.length <= Y.getState(store, struct.id.client)) continue
      this.size.pieces += 1
      if (struct instanceof Y.Item && isBlock(struct)) this.size.blocks += 1
      const list = this.#trial.add(struct)
      if (!list || !(struct instanceof Y.Item)) continue
      this.#lists.add(list)
      const costly = this.review.note(struct, list.parent, list.key)
      this.fault = costly === undefined ? this.#check(struct, list) : refused('too_costly', costly)
      if (this.fault) return
      yield { parent: list.parent, parentSub: list.key, content: struct.content }
    }
    if (left > 0) this.fault = { kind: 'invalid', message: 'an update that depends on itself' }
  }

  #check({ content }: Y.Item, { parent, key }: List): Refused | undefined {
    if (content instanceof Y.ContentString) {
      this.size.characters += content.str.length
      if (content.str.length > UPDATE_LIMITS.text)
        return refused('too_costly', 'more than a million characters at once')
    }
    const { doc, isPersons } = this.#context
    if (parent === doc.share.get(contentTypes.receipts)) {
      if (isPersons) return onlyRuns
      return key !== null && key.length <= longestReceipt ? undefined : refused('schema_refused', 'no receipt')
    }
    if (parent !== doc.share.get(contentTypes.meta) || content instanceof Y.ContentDeleted) return undefined
    const rule = key !== null && Object.hasOwn(metaRules, key) ? metaRules[key] : undefined
    const isFine = content instanceof Y.ContentAny && rule?.(content.arr.at(-1)) === true
    return isFine ? undefined : refused('schema_refused', `invalid ${contentTypes.meta} ${String(key).slice(0, 40)}`)
  }
}

function refused(code: RefusalCode, message: string): Refused {
  return { kind: 'refused', code, message }
}

function deletesReceipts({ ds }: DecodedUpdate, doc: Y.Doc): boolean {
  if (ds.clients.size === 0) return false
  const receipts = doc.share.get(contentTypes.receipts)?._map.values() ?? []
  for (const item of receipts) if (!item.deleted && Y.isDeleted(ds, item.id)) return true
  return false
}
