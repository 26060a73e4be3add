import { firstIndex } from '@copydesk/schema/ids'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { type DecodedUpdate, decodeUpdate, type Struct } from './decode-update.ts'

/** The id of a struct, for example of a dependency of an update. */
export type StructId = { client: number; clock: number }

/** The structs of one client id in order; those before `next` are done. */
type Line = { structs: Struct[]; next: number }

/** The dependencies of a struct, except its predecessors under its own client id. */
function dependenciesOf(struct: Y.AbstractStruct): StructId[] {
  if (!(struct instanceof Y.Item)) return []
  const parent = struct.parent instanceof Y.ID ? struct.parent : null
  return [struct.origin, struct.rightOrigin, parent].filter((id) => id !== null)
}

/** Whether a document has integrated this struct; pending structs don't count. */
export function hasId(doc: Y.Doc, { client, clock }: StructId): boolean {
  return clock < Y.getState(doc.store, client)
}

/**
 * The first dependency of an update that is neither in a document with the clocks `stateOf` nor in the update itself;
 * `undefined` if none is missing. Yjs would keep an update with a missing dependency pending, and apply it with the
 * origin of the update that fills the gap.
 */
export function findMissing({ structs, ds }: DecodedUpdate, stateOf: (client: number) => number): StructId | undefined {
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? stateOf(client)

  for (const struct of structs) {
    if (struct instanceof Y.Skip) continue
    const { client, clock } = struct.id
    const at = known(client)
    if (clock > at) return { client, clock: clock - 1 }
    reached.set(client, Math.max(at, clock + struct.length))
  }
  for (const struct of structs) {
    for (const { client, clock } of dependenciesOf(struct)) if (clock >= known(client)) return { client, clock }
  }
  for (const [client, ranges] of ds.clients) {
    for (const { clock, len } of ranges) if (clock + len > known(client)) return { client, clock: clock + len - 1 }
  }
  return undefined
}

/**
 * Orders structs so that each depends only on earlier ones and on existing structs: under each client id the clocks
 * below `there(client)`. Omits structs with other dependencies, and gaps. It is the order in which Yjs integrates them
 * (`integrateStructs`): the highest client id first, interrupted by the dependencies under other ids. Examines each
 * struct a few times at most.
 */
export function* inCausalOrder(structs: readonly Struct[], there: (client: number) => number): Generator<Struct> {
  const lines = linesOf(structs)
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? there(client)
  for (const [, first] of [...lines].toSorted(([a], [b]) => b - a)) {
    /** The lines whose next struct waits for a struct of the current line. */
    const stack: Line[] = []
    const waiting = new Set<Line>()
    let line = first
    for (let struct = nextOf(line); struct; struct = nextOf(line)) {
      const missing = missingFor(struct, known)
      const needed = missing && lines.get(missing.client)
      if (!missing) {
        line.next += 1
        reached.set(struct.id.client, Math.max(known(struct.id.client), struct.id.clock + struct.length))
        yield struct
        line = stack.pop() ?? first
        waiting.delete(line)
      } else if (needed && nextOf(needed) && needed !== line && !waiting.has(needed)) {
        stack.push(line)
        waiting.add(line)
        line = needed
      } else {
        // The structs that wait for this one can't be integrated either.
        for (const each of [line, ...stack.splice(0)]) each.next = each.structs.length
        waiting.clear()
        line = first
      }
    }
  }
}

/** The next struct of a line. Merged updates have a Skip for missing ranges, which the document may already have. */
function nextOf(line: Line): Struct | undefined {
  while (line.structs[line.next] instanceof Y.Skip) line.next += 1
  return line.structs[line.next]
}

function missingFor(struct: Struct, known: (client: number) => number): StructId | undefined {
  const { client, clock } = struct.id
  if (clock > known(client)) return { client, clock: clock - 1 }
  return dependenciesOf(struct).find((id) => id.clock >= known(id.client))
}

type Ranges = ReadonlyMap<number, readonly { clock: number; len: number }[]>

/**
 * Encodes structs (those of a client id in the order of their clocks and without gaps) and deletions as an update, as
 * Yjs does: https://github.com/yjs/yjs/blob/v13.6.27/src/utils/encoding.js
 */
export function encodeUpdate(structs: Iterable<Struct>, deleted: { readonly clients: Ranges }): Uint8Array {
  // As in Yjs: with higher ids first, conflicts are cheaper.
  const lines = [...linesOf(structs)].toSorted(([a], [b]) => b - a)
  const encoder = new Y.UpdateEncoderV1()
  const { restEncoder } = encoder
  encoding.writeVarUint(restEncoder, lines.length)
  for (const [client, line] of lines) {
    encoding.writeVarUint(restEncoder, line.structs.length)
    encoder.writeClient(client)
    encoding.writeVarUint(restEncoder, line.structs[0]?.id.clock ?? 0)
    for (const struct of line.structs) struct.write(encoder, 0)
  }
  encoding.writeVarUint(restEncoder, deleted.clients.size)
  for (const [client, ranges] of deleted.clients) {
    encoding.writeVarUint(restEncoder, client)
    encoding.writeVarUint(restEncoder, ranges.length)
    for (const { clock, len } of ranges) {
      encoding.writeVarUint(restEncoder, clock)
      encoding.writeVarUint(restEncoder, len)
    }
  }
  return encoder.toUint8Array()
}

/** Encodes structs as an update without deletions. */
export function encodeStructs(structs: Iterable<Struct>): Uint8Array {
  return encodeUpdate(structs, { clients: new Map() })
}

/** Finds the struct with this clock among those of one client id, which are in order. */
export function structIn(structs: readonly Struct[], clock: number): Struct | undefined {
  const struct = structs[firstIndex(structs, ({ id, length }) => id.clock + length > clock)]
  return struct && struct.id.clock <= clock ? struct : undefined
}

function linesOf(structs: Iterable<Struct>): Map<number, Line> {
  const lines = new Map<number, Line>()
  for (const struct of structs) {
    const line = lines.get(struct.id.client)
    if (line) line.structs.push(struct)
    else lines.set(struct.id.client, { structs: [struct], next: 0 })
  }
  return lines
}

/**
 * The part of an update inserted under the sender's own client ids, as far as it depends only on content of `doc`.
 * Deletions are omitted, because they don't contain their author. `undefined` if nothing is left. After a power
 * failure, a client may send changes of other clients that the server has lost, which it has no right to write; without
 * this, two clients that had received each other's changes would wait for each other forever.
 */
export function ownPart(update: Uint8Array, doc: Y.Doc, isOwn: (client: number) => boolean): Uint8Array | undefined {
  const own = decodeUpdate(update).structs.filter(({ id }) => isOwn(id.client))
  const taken = [...inCausalOrder(own, (client) => Y.getState(doc.store, client))]
  return taken.length > 0 ? encodeStructs(taken) : undefined
}
