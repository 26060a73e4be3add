import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { encodeStructs, encodeUpdate, findMissing, inCausalOrder, structIn, type StructId } from './causal-order.ts'
import { decodeUpdate, type DecodedUpdate, type Struct } from './decode-update.ts'

/** Target sizes of the parts of an update. A part with rows of a table may become `hardFactor` times as large. */
const partSizes = { structs: 2500, ranges: 500, hardFactor: 4 } as const

/**
 * An update in parts, or the reason why it can't be divided: missing dependencies, a dependency cycle, or invalid
 * bytes.
 */
export type DividedUpdate =
  | { kind: 'parts'; parts: Uint8Array[] }
  | { kind: 'gap'; missing: StructId }
  | { kind: 'invalid' }

/**
 * Divides an update for a document with the clocks `stateOf`; omits content that the document already has.
 * @throws like `decodeUpdate`.
 */
export function divideFor(update: Uint8Array, bytes: number, stateOf: (client: number) => number): DividedUpdate {
  const decoded = decodeUpdate(update)
  const missing = findMissing(decoded, stateOf)
  if (missing) return { kind: 'gap', missing }
  const structs = decoded.structs.filter(({ id, length }) => id.clock + length > stateOf(id.client))
  const parts = partsOf({ structs, ds: decoded.ds }, bytes, stateOf)
  return parts ? { kind: 'parts', parts } : { kind: 'invalid' }
}

/**
 * Divides an update into parts of about `bytes` bytes. Each part depends only on earlier parts and on the dependencies
 * of the whole; deletions are in the last parts. Applied in order, the parts give the same result as the whole. After
 * each part, every element added so far is valid by the schema, as far as the update was written from the start of each
 * element to its end (as y-prosemirror does): no peer sees half a row of a table.
 *
 * Returns an update with gaps or a dependency cycle as its only part.
 * @throws like `decodeUpdate`.
 */
export function divideUpdate(update: Uint8Array, bytes: number): Uint8Array[] {
  const decoded = decodeUpdate(update)
  return partsOf(decoded, bytes, startsOf(decoded)) ?? [update]
}

function partsOf({ structs, ds }: DecodedUpdate, bytes: number, stateOf: (client: number) => number) {
  const parts = new Parts(structs, bytes)
  let left = structs.filter((struct) => !(struct instanceof Y.Skip)).length
  for (const struct of inCausalOrder(structs, stateOf)) {
    // Yjs applies the new parts of overlapping structs, in another order.
    if (!parts.add(struct)) return undefined
    left -= 1
  }
  return left > 0 ? undefined : [...parts.finish(), ...deletionsOf(ds)]
}

function startsOf({ structs }: DecodedUpdate): (client: number) => number {
  const starts = new Map<number, number>()
  for (const { id } of structs) if (!starts.has(id.client)) starts.set(id.client, id.clock)
  return (client) => starts.get(client) ?? Infinity
}

/** Collects structs and cuts them into parts. */
class Parts {
  readonly #bytes: number
  readonly #byClient = new Map<number, Struct[]>()
  /** The update's table rows and their contents. */
  readonly #inRows = new Set<Struct>()
  readonly #reached = new Map<number, number>()
  readonly #parts: Uint8Array[] = []
  #part: Struct[] = []
  #scale = new Y.UpdateEncoderV1()

  constructor(structs: readonly Struct[], bytes: number) {
    this.#bytes = bytes
    for (const struct of structs) {
      const line = this.#byClient.get(struct.id.client)
      if (line) line.push(struct)
      else this.#byClient.set(struct.id.client, [struct])
    }
  }

  /** False if it overlaps an earlier struct. */
  add(struct: Struct): boolean {
    const { client, clock } = struct.id
    const reached = this.#reached.get(client)
    if (reached !== undefined && clock < reached) return false
    const isInRow = this.#isInRow(struct)
    if (isInRow || isRow(struct)) this.#inRows.add(struct)
    const isBetween = !isInRow && struct instanceof Y.Item && struct.content instanceof Y.ContentType
    // The structs of a client id in one update must have no gaps.
    if ((reached !== undefined && clock > reached) || this.#isFull(isBetween ? 1 : partSizes.hardFactor)) this.#cut()
    this.#part.push(struct)
    this.#reached.set(client, clock + struct.length)
    struct.write(this.#scale, 0)
    return true
  }

  finish(): Uint8Array[] {
    this.#cut()
    return this.#parts
  }

  #isFull(factor: number): boolean {
    const isLarge = encoding.length(this.#scale.restEncoder) >= factor * this.#bytes
    return isLarge || this.#part.length >= factor * partSizes.structs
  }

  #cut(): void {
    if (this.#part.length > 0) this.#parts.push(encodeStructs(this.#part))
    this.#part = []
    this.#scale = new Y.UpdateEncoderV1()
  }

  /** Whether a struct's parent or neighbour is inside a row that the update adds. */
  #isInRow(struct: Struct): boolean {
    if (!(struct instanceof Y.Item)) return false
    const { parent } = struct
    const around = parent instanceof Y.ID ? this.#find(parent) : undefined
    if (around) return this.#inRows.has(around)
    const beside = this.#find(struct.origin) ?? this.#find(struct.rightOrigin)
    return beside !== undefined && this.#inRows.has(beside) && !isRow(beside)
  }

  #find(id: Y.ID | null): Struct | undefined {
    return id ? structIn(this.#byClient.get(id.client) ?? [], id.clock) : undefined
  }
}

function isRow(struct: Struct): boolean {
  if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentType)) return false
  const type: unknown = struct.content.type
  return type instanceof Y.XmlElement && type.nodeName === 'tableRow'
}

/** The deletions of an update, as updates. */
function* deletionsOf(ds: DecodedUpdate['ds']): Generator<Uint8Array> {
  let part = new Map<number, { clock: number; len: number }[]>()
  let count = 0
  for (const [client, ranges] of ds.clients) {
    for (let from = 0; from < ranges.length;) {
      const taken = ranges.slice(from, from + partSizes.ranges - count)
      part.set(client, taken)
      from += taken.length
      count += taken.length
      if (count < partSizes.ranges) continue
      yield encodeUpdate([], { clients: part })
      part = new Map()
      count = 0
    }
  }
  if (part.size > 0) yield encodeUpdate([], { clients: part })
}
