import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { encodeStructs, encodeUpdate, findMissing, inCausalOrder, structIn, type StructId } from './causal-order.ts'
import { decodeUpdate, type DecodedUpdate, type Struct } from './decode-update.ts'

/** How large the parts of an update shall be. One with `rows` of a table may become four times as large. */
const partSizes = { structs: 2500, ranges: 500, hardFactor: 4 } as const

/** An update in parts, or why it has none: what it builds on is missing, it depends on itself, or it is none. */
export type DividedUpdate =
  | { kind: 'parts'; parts: Uint8Array[] }
  | { kind: 'gap'; missing: StructId }
  | { kind: 'invalid' }

/**
 * Divides an update for a document, whose clocks `stateOf` tells; what that has is left out.
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
 * An update in parts of about so many bytes, each of which builds only on those before it and on what the whole builds
 * on; what is deleted comes in the last ones. Applied one after the other they give what the whole does. Between two
 * parts every element that they add has what the schema demands of it, as far as the update was written from the start
 * of each element to its end (as y-prosemirror does): nobody sees half a row of a table.
 *
 * One that has gaps, or depends on itself, is its own only part.
 * @throws like `decodeUpdate`.
 */
export function divideUpdate(update: Uint8Array, bytes: number): Uint8Array[] {
  const decoded = decodeUpdate(update)
  return partsOf(decoded, bytes, startsOf(decoded)) ?? [update]
}

function partsOf(
  { structs, ds }: DecodedUpdate,
  bytes: number,
  stateOf: (client: number) => number,
): Uint8Array[] | undefined {
  const parts = new Parts(structs, bytes)
  let left = structs.filter((struct) => !(struct instanceof Y.Skip)).length
  for (const struct of inCausalOrder(structs, stateOf)) {
    // What overlaps is taken by Yjs as far as it is new, in an order of its own.
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

/** Gathers structs, and cuts between them. */
class Parts {
  readonly #bytes: number
  readonly #byClient = new Map<number, Struct[]>()
  /** The elements of the update that are rows of tables, and what is in them. */
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

  /** False if it overlaps with one before. */
  add(struct: Struct): boolean {
    const { client, clock } = struct.id
    const reached = this.#reached.get(client)
    if (reached !== undefined && clock < reached) return false
    const isInRow = this.#isInRow(struct)
    if (isInRow || isRow(struct)) this.#inRows.add(struct)
    const isBetween = !isInRow && struct instanceof Y.Item && struct.content instanceof Y.ContentType
    // The structs of a client id in one update have no gaps.
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

  /** Whether what a struct is put into, or beside, is in a row that the update adds. */
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
