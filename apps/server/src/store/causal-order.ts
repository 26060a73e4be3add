import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import type { Struct } from './decode-update.ts'

/** The place of a struct: one that an update builds on, say. */
export type StructId = { client: number; clock: number }

/** The structs of one client id in their order; those before `next` are taken. */
type Line = { structs: Struct[]; next: number }

/** What a struct of a decoded update builds on, besides what stands before it under its own client id. */
export function dependenciesOf(struct: Y.AbstractStruct): StructId[] {
  if (!(struct instanceof Y.Item)) return []
  const parent = struct.parent instanceof Y.ID ? struct.parent : null
  return [struct.origin, struct.rightOrigin, parent].filter((id) => id !== null)
}

/**
 * Structs in an order in which each builds on nothing but those before it and what is there already: under each client id the clocks
 * below what `there` says. Those that build on something else are left out. Looks at each struct a few times at most.
 */
export function* inCausalOrder(structs: readonly Struct[], there: (client: number) => number): Generator<Struct> {
  const lines = linesOf(structs)
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? there(client)
  const waiting = new Map<Struct, Line[]>()
  const ready = [...lines.values()]
  for (let line = ready.pop(); line; line = ready.pop()) yield* advance(line)

  function* advance(line: Line): Generator<Struct> {
    for (let struct = line.structs[line.next]; struct; struct = line.structs[line.next]) {
      const { client, clock } = struct.id
      if (struct instanceof Y.Skip || clock > known(client)) return
      const missing = dependenciesOf(struct).find((id) => id.clock >= known(id.client))
      if (missing) return wait(line, missing)
      line.next += 1
      reached.set(client, Math.max(known(client), clock + struct.length))
      yield struct
      for (const waiter of waiting.get(struct) ?? []) ready.push(waiter)
    }
  }

  /** What waits for something that isn't here waits for ever. */
  function wait(line: Line, { client, clock }: StructId): void {
    const struct = structAt(lines.get(client)?.structs ?? [], clock)
    const waiters = struct && waiting.get(struct)
    if (waiters) waiters.push(line)
    else if (struct) waiting.set(struct, [line])
  }
}

/**
 * Structs, those of a client id in the order of their clocks and without gaps, as an update that deletes nothing, as Yjs writes it:
 * https://github.com/yjs/yjs/blob/v13.6.27/src/utils/encoding.js
 */
export function encodeStructs(structs: Iterable<Struct>): Uint8Array {
  // As Yjs does: higher ids first make conflicts cheaper.
  const lines = [...linesOf(structs)].toSorted(([a], [b]) => b - a)
  const encoder = new Y.UpdateEncoderV1()
  encoding.writeVarUint(encoder.restEncoder, lines.length)
  for (const [client, line] of lines) {
    encoding.writeVarUint(encoder.restEncoder, line.structs.length)
    encoder.writeClient(client)
    encoding.writeVarUint(encoder.restEncoder, line.structs[0]?.id.clock ?? 0)
    for (const struct of line.structs) struct.write(encoder, 0)
  }
  encoding.writeVarUint(encoder.restEncoder, 0)
  return encoder.toUint8Array()
}

function structAt(structs: readonly Struct[], clock: number): Struct | undefined {
  let [from, to] = [0, structs.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const struct = structs[middle]
    if (!struct || clock < struct.id.clock) to = middle
    else if (clock >= struct.id.clock + struct.length) from = middle + 1
    else return struct
  }
  return undefined
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
