import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'
import { readServerFrame } from '@copydesk/testing'
import type { Step } from './hostile-input.ts'
import { dimensions } from './inputs/index.ts'
import { serveCalls } from './thread-calls.ts'

type Asked = { dimension: string; name: string; size: number }

/** Steps, and the state vector of all that they bring. */
export type Built = { steps: Step[]; brought: Uint8Array }

/** Makes inputs in a separate thread, not in the one that measures: some take seconds. */
const calls = {
  /** What the owner writes before, if anything. */
  prepare: ({ size, ...which }: Asked): Uint8Array | undefined => find(which).prepare?.(size),
  /** The steps of an input for a document that its sender sees in this state. */
  build({ size, id, state, ...which }: Asked & { id: string; state: Uint8Array }): Built {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, state)
    try {
      const steps = find(which).build(size, { id, state, doc })
      return { steps, brought: broughtBy(steps) }
    } finally {
      doc.destroy()
    }
  },
}

export type BuildCalls = typeof calls

function broughtBy(steps: readonly Step[]): Uint8Array {
  const reached = new Map<number, number>()
  for (const { id, length } of steps.flatMap(updatesIn).flatMap(structsIn)) {
    reached.set(id.client, Math.max(id.clock + length, reached.get(id.client) ?? 0))
  }
  return Y.encodeStateVector(reached)
}

function updatesIn(step: Step): Uint8Array[] {
  if (step.kind === 'request') return step.path.endsWith('/updates') && step.body ? [step.body] : []
  return step.frames.flatMap((bytes) => {
    const frame = step.updates > 0 ? readServerFrame(bytes) : undefined
    return frame ? [decoding.readVarUint8Array(decoding.createDecoder(frame.rest))] : []
  })
}

function structsIn(update: Uint8Array): Y.AbstractStruct[] {
  try {
    return Y.decodeUpdate(update).structs.filter((struct) => !(struct instanceof Y.Skip))
  } catch {
    // Not all that is sent is an update; then it isn't acknowledged either.
    return []
  }
}

function find({ dimension, name }: Omit<Asked, 'size'>) {
  const input = dimensions[dimension]?.find((each) => each.name === name)
  if (!input) throw new Error(`no input of ${dimension} is named ${name}`)
  return input
}

serveCalls(calls)
