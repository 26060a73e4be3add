import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { dependenciesOf, type MissingId } from './causality.ts'

type Struct = ReturnType<typeof Y.decodeUpdate>['structs'][number]

/** The structs of one client id in their order; those before `next` are taken. */
type Line = { structs: Struct[]; next: number }

/**
 * Of an update, what was inserted under the client ids that are its sender's own, as far as that builds on nothing else but what `doc` has; without
 * deletions, which don't say whose they are. `undefined` if nothing is left. Who has seen something that a server has lost, in a power cut, brings it
 * along and may not; two who had seen each other's words would wait for each other for ever. Looks at each struct a few times at most.
 */
export function ownPart(update: Uint8Array, doc: Y.Doc, isOwn: (client: number) => boolean): Uint8Array | undefined {
  const lines = linesOf(Y.decodeUpdate(update).structs.filter(({ id }) => isOwn(id.client)))
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? Y.getState(doc.store, client)
  const waiting = new Map<Struct, Line[]>()
  const ready = [...lines.values()]
  for (let line = ready.pop(); line; line = ready.pop()) advance(line)
  return encode(lines)

  function advance(line: Line): void {
    for (let struct = line.structs[line.next]; struct; struct = line.structs[line.next]) {
      const { client, clock } = struct.id
      if (struct instanceof Y.Skip || clock > known(client)) return
      const missing = dependenciesOf(struct).find((id) => id.clock >= known(id.client))
      if (missing) return wait(line, missing)
      line.next += 1
      reached.set(client, Math.max(known(client), clock + struct.length))
      for (const waiter of waiting.get(struct) ?? []) ready.push(waiter)
    }
  }

  /** What waits for something that isn't here waits for ever. */
  function wait(line: Line, { client, clock }: MissingId): void {
    const struct = structAt(lines.get(client)?.structs ?? [], clock)
    const waiters = struct && waiting.get(struct)
    if (waiters) waiters.push(line)
    else if (struct) waiting.set(struct, [line])
  }
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

function linesOf(structs: readonly Struct[]): Map<number, Line> {
  const lines = new Map<number, Line>()
  for (const struct of structs) {
    const line = lines.get(struct.id.client)
    if (line) line.structs.push(struct)
    else lines.set(struct.id.client, { structs: [struct], next: 0 })
  }
  return lines
}

/** What is taken, as Yjs writes an update: https://github.com/yjs/yjs/blob/v13.6.27/src/utils/encoding.js */
function encode(lines: ReadonlyMap<number, Line>): Uint8Array | undefined {
  const taken = [...lines].filter(([, { next }]) => next > 0)
  if (taken.length === 0) return undefined
  const encoder = new Y.UpdateEncoderV1()
  encoding.writeVarUint(encoder.restEncoder, taken.length)
  for (const [client, { structs, next }] of taken) {
    encoding.writeVarUint(encoder.restEncoder, next)
    encoder.writeClient(client)
    encoding.writeVarUint(encoder.restEncoder, structs[0]?.id.clock ?? 0)
    for (const struct of structs.slice(0, next)) struct.write(encoder, 0)
  }
  // No deletions.
  encoding.writeVarUint(encoder.restEncoder, 0)
  return encoder.toUint8Array()
}
