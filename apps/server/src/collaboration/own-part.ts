import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { dependenciesOf } from './causality.ts'

type Struct = ReturnType<typeof Y.decodeUpdate>['structs'][number]

/**
 * Of an update, what was inserted under the client ids that are its sender's own, as far as that builds on nothing else but what `doc` has; without
 * deletions, which don't say whose they are. `undefined` if nothing is left. Who has seen something that a server has lost, in a power cut, brings it
 * along and may not; two who had seen each other's words would wait for each other for ever.
 */
export function ownPart(update: Uint8Array, doc: Y.Doc, isOwn: (client: number) => boolean): Uint8Array | undefined {
  const lines = linesOf(Y.decodeUpdate(update).structs.filter(({ id }) => isOwn(id.client)))
  const reached = new Map<number, number>()
  const known = (client: number): number => reached.get(client) ?? Y.getState(doc.store, client)
  const taken = new Map<number, Struct[]>()
  for (let goesOn = true; goesOn;) {
    goesOn = false
    for (const [client, line] of lines) {
      const whole = leadingWhole(line, known)
      if (whole.length === 0) continue
      goesOn = true
      taken.set(client, [...(taken.get(client) ?? []), ...whole])
      line.splice(0, whole.length)
    }
  }
  return taken.size === 0 ? undefined : encode(taken)

  function leadingWhole(line: readonly Struct[], at: typeof known): Struct[] {
    const whole: Struct[] = []
    for (const struct of line) {
      const { client, clock } = struct.id
      if (struct instanceof Y.Skip || clock > at(client)) break
      if (dependenciesOf(struct).some((id) => id.clock >= at(id.client))) break
      reached.set(client, Math.max(at(client), clock + struct.length))
      whole.push(struct)
    }
    return whole
  }
}

function linesOf(structs: readonly Struct[]): Map<number, Struct[]> {
  const lines = new Map<number, Struct[]>()
  for (const struct of structs) {
    const line = lines.get(struct.id.client)
    if (line) line.push(struct)
    else lines.set(struct.id.client, [struct])
  }
  return lines
}

/** As Yjs writes an update: https://github.com/yjs/yjs/blob/v13.6.27/src/utils/encoding.js */
function encode(lines: ReadonlyMap<number, readonly Struct[]>): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  encoding.writeVarUint(encoder.restEncoder, lines.size)
  for (const [client, structs] of lines) {
    encoding.writeVarUint(encoder.restEncoder, structs.length)
    encoder.writeClient(client)
    encoding.writeVarUint(encoder.restEncoder, structs[0]?.id.clock ?? 0)
    for (const struct of structs) struct.write(encoder, 0)
  }
  // No deletions.
  encoding.writeVarUint(encoder.restEncoder, 0)
  return encoder.toUint8Array()
}
