import * as Y from 'yjs'
import { Attacker } from './attacker.ts'
import type { Expected, HostileInput, Outcome } from './hostile-input.ts'
import { allowed, listedCloseCodes } from './limits.ts'
import type { HostileScene } from './scene.ts'
import { Stopwatch } from './stalls.ts'
import type { ProbeTimes } from './probe-thread.ts'

/** The cost of an input for others, and its outcome. Milliseconds and bytes. */
export type Measured = {
  outcome: Outcome
  senderMs: number
  healthMs: number
  acknowledgedMs: number
  /** `undefined`: it could not be opened in time. */
  openMs: number | undefined
  memoryBytes: number
  document: AttackedDocument
}

/**
 * What must be found again after a restart: what was there when it was opened last (the first vector), and what was
 * acknowledged.
 */
export type AttackedDocument = { id: string; name: string; vectors: Uint8Array[]; hash: string }

/**
 * Time limit for the sender: a server that takes longer is considered dead and restarted. `isExact`: each input's
 * memory is measured, else only that it is within its limit.
 */
export type TimeLimits = { senderMs: number; openMs: number; isExact: boolean }

// Of a machine that is busy with other things a test asks up to four times more; what takes four times as long as it
// may is no accident.
const attempts = 5
const farAbove = 4

const readBackMs = 20_000

let inputs = 0

/** Plays an input, up to five times if it was a near miss in time; answers the last. */
export async function measure(
  scene: HostileScene,
  dimension: string,
  input: HostileInput,
  size: number,
  timeLimits: TimeLimits,
): Promise<Measured> {
  for (let attempt = 1; ; attempt++) {
    const measured = await play(scene, dimension, input, size, timeLimits)
    if (isConclusive(attempt, timesOf(measured, input))) return measured
  }
}

/** Whether times are the last word: they are within their limits, far above, or asked often enough. */
export function isConclusive(
  attempt: number,
  times: readonly (readonly [what: string, ms: number, limit: number])[],
): boolean {
  const worst = Math.max(...times.map(([, ms, limit]) => ms / limit))
  return worst <= 1 || worst > farAbove || attempt === attempts
}

/** What wasn't held, in words; nothing if all was. */
export function failuresOf(measured: Measured, input: HostileInput): string[] {
  const failures = timesOf(measured, input)
    .filter(([, ms, limit]) => ms > limit)
    .map(
      ([what, ms, limit]) =>
        `${what} took ${Number.isFinite(ms) ? Math.round(ms) : 'more than can be waited'} ms, allowed are ${limit}`,
    )
  if (measured.memoryBytes > allowed.memoryBytes) {
    failures.push(`the server holds ${Math.round(measured.memoryBytes / 2 ** 20)} MiB more`)
  }
  const expected = [input.expect].flat()
  const { outcome } = measured
  const isListed = outcome.kind !== 'closed' || listedCloseCodes.includes(outcome.code)
  if (!isListed) failures.push(`closed with ${describeOutcome(outcome)}, which is not listed`)
  if (!expected.some((each) => isExpected(outcome, each))) {
    failures.push(`${describeOutcome(outcome)}, not ${expected.map(describeExpected).join(' or ')}`)
  }
  return failures
}

/** An outcome in a few words. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'acknowledged':
      return 'acknowledged'
    case 'closed':
      return `${outcome.code} ${outcome.reason}`.trim().slice(0, 80)
    case 'status':
      return `HTTP ${outcome.status}`
    case 'nothing':
      return 'no answer'
  }
}

function describeExpected(expected: Expected): string {
  return typeof expected === 'object' ? `${expected.code} ${expected.reason}`.trim() : String(expected)
}

function isExpected(outcome: Outcome, expected: Expected): boolean {
  switch (outcome.kind) {
    case 'acknowledged':
      return expected === 'acknowledged'
    case 'closed':
      return (
        typeof expected === 'object' && outcome.code === expected.code && outcome.reason.startsWith(expected.reason)
      )
    case 'status':
      return outcome.status === expected
    case 'nothing':
      return false
  }
}

/** What an input takes of others, and may take. */
export function timesOfOthers({ healthMs, acknowledgedMs }: ProbeTimes): [what: string, ms: number, limit: number][] {
  return [
    ['/healthz', healthMs, allowed.healthMs],
    ['the bystander’s acknowledgement', acknowledgedMs, allowed.acknowledgedMs],
  ]
}

function timesOf(measured: Measured, { withinMs }: HostileInput): [what: string, ms: number, limit: number][] {
  return [
    ...timesOfOthers(measured),
    ['opening the document', measured.openMs ?? Infinity, allowed.openMs],
    ...(withinMs === undefined
      ? []
      : [['the sender’s answer', measured.senderMs, withinMs] as [string, number, number]]),
  ]
}

async function play(
  scene: HostileScene,
  dimension: string,
  input: HostileInput,
  size: number,
  timeLimits: TimeLimits,
): Promise<Measured> {
  const { server, person, builder } = scene
  const which = { dimension, name: input.name, size }
  const { id } = await person.create({ title: input.name.slice(0, 300), markdown: 'Start' })
  const prepared = await builder.ask('prepare', which)
  if (prepared) await write(scene, id, prepared)
  const attacker = new Attacker(server.url, id, String(++inputs))
  try {
    const { steps, brought } = await builder.ask('build', { ...which, id, state: await attacker.state() })
    await attacker.prepare(steps)
    const before = await (timeLimits.isExact ? scene.memory() : scene.memoryBefore())
    await scene.begin()
    const watch = new Stopwatch(server.pid, true)
    const sent = watch.begin()
    const opening = scene.open(id, timeLimits.openMs)
    const outcome = await attacker.run(steps, timeLimits.senderMs)
    const senderMs = watch.elapsed(sent)
    // A client that joins while the input is processed, and one that joins afterwards.
    const opened = [await opening, await scene.open(id, timeLimits.openMs)]
    const probed = await scene.end()
    const last = opened.at(-1)
    const isStuck = outcome.kind === 'nothing' || last?.ms === undefined
    const after = timeLimits.isExact ? scene.memory : () => scene.memoryWithin(before + allowed.memoryBytes)
    const memoryBytes = isStuck ? 0 : (await after()) - before
    const isTaken = outcome.kind === 'acknowledged' || (outcome.kind === 'status' && outcome.status === 204)
    const vectors = [last?.vector ?? Uint8Array.of(0), ...(isTaken ? [brought] : [])]
    const document = { id, name: input.name, vectors, hash: last?.hash ?? '' }
    if (isStuck) await scene.restart()
    const openMs = opened.some(({ ms }) => ms === undefined) ? undefined : Math.max(...opened.map(({ ms = 0 }) => ms))
    return { outcome, senderMs, ...probed, openMs, memoryBytes, document }
  } finally {
    attacker.close()
  }
}

async function write({ server, person }: HostileScene, id: string, update: Uint8Array): Promise<void> {
  const response = await fetch(`${server.url}/api/documents/${id}/updates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    body: Uint8Array.from(update),
  })
  if (response.status !== 204) throw new Error(`the document could not be prepared: ${await response.text()}`)
}

/** What of a document that was read back is not as it was acknowledged. */
export async function findLosses(scene: HostileScene, document: AttackedDocument): Promise<string[]> {
  const found = await scene.open(document.id, readBackMs)
  if (found.ms === undefined) return [`${document.name}: could not be opened`]
  const there = Y.decodeStateVector(found.vector)
  const losses: string[] = []
  for (const vector of document.vectors) {
    for (const [client, clock] of Y.decodeStateVector(vector)) {
      if ((there.get(client) ?? 0) < clock)
        losses.push(`${document.name}: client ${client} is at ${there.get(client)}, not ${clock}`)
    }
  }
  const isSame = Buffer.compare(found.vector, document.vectors[0] ?? found.vector) === 0
  if (isSame && found.hash !== document.hash) losses.push(`${document.name}: shows something else`)
  return losses.slice(0, 3)
}
