import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { seededRandom } from '@copydesk/testing'
import { Attacker } from './attacker.ts'
import { type Outcome, sendUpdates } from './hostile-input.ts'
import { allowed, listedCloseCodes } from './limits.ts'
import { describeOutcome, isConclusive, timesOfOthers } from './measure.ts'
import { createRandomUpdates, type RandomUpdate } from './random-updates.ts'
import { type HostileScene, openHostileScene } from './scene.ts'

/** How many, how large and which: 100,000 by hand. */
const total = Number(process.env.HOSTILE_INPUTS ?? 2000)
const most = Number(process.env.HOSTILE_SIZE ?? 200)
// Seeds that have failed are added here.
const seeds = [Number(process.env.HOSTILE_SEED ?? 20261122)]

const inputsInRound = 500
const attackers = 8
const patienceMs = 30_000
// An address may open 2,000 sockets at once and 100 a second. Each refusal needs a new one.
const fastRefusals = 1500
const afterRefusalMs = 100
// An account with more refusals in a row is blocked for a minute.
const refusalsOfAnAccount = 40
const markdown = 'One two three\n\n- four\n- five\n\n| a | b |\n| - | - |\n| c | d |\n\n> quoted\n'

let scene: HostileScene
let refusals = 0

beforeAll(async () => {
  scene = await openHostileScene()
})

afterAll(() => scene.close())

type Counts = { outcomes: Map<string, number>; bytes: number; taken: Map<string, number> }

/** One attacker sends updates one after the other, each made for the document as its own earlier ones have left it. */
async function attack(seed: number, inputs: number, id: string, counts: Counts): Promise<void> {
  const random = seededRandom(seed)
  const next = createRandomUpdates(random, most)
  const attacker = new Attacker(scene.server.url, id, String(seed))
  const doc = new Y.Doc()
  let refused = 0
  const newClient = (): number => 1 + Math.floor(random() * (2 ** 32 - 1))
  let client = newClient()
  try {
    Y.applyUpdate(doc, await attacker.state())
    for (let sent = 0; sent < inputs; sent++) {
      const made = next(doc, { client, clock: Y.getState(doc.store, client) })
      const by = `Mallory${Math.floor(refused / refusalsOfAnAccount)}/${refused}`
      const outcome = await attacker.run(
        [sendUpdates({ id, state: new Uint8Array(), doc }, [made.bytes], by)],
        patienceMs,
      )
      note(counts, made, outcome)
      expect(
        faultOf(outcome),
        `seed ${seed}, update ${sent}: ${made.extreme}, ${made.isValid ? 'valid' : 'arbitrary'}`,
      ).toBe('')
      if (outcome.kind === 'acknowledged') Y.applyUpdate(doc, made.bytes)
      else {
        refused += 1
        refusals += 1
        if (refusals > fastRefusals) await sleep(afterRefusalMs)
        client = newClient()
      }
    }
  } finally {
    attacker.close()
    doc.destroy()
  }
}

/** An update must end in an acknowledgement or with a code of docs/protocol.md. */
function faultOf(outcome: Outcome): string {
  const isFine =
    outcome.kind === 'acknowledged' || (outcome.kind === 'closed' && listedCloseCodes.includes(outcome.code))
  return isFine ? '' : describeOutcome(outcome)
}

function note(counts: Counts, made: RandomUpdate, outcome: Outcome): void {
  const { outcomes, taken } = counts
  counts.bytes += made.bytes.byteLength
  const key = outcome.kind === 'closed' ? String(outcome.code) : outcome.kind
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
  if (outcome.kind === 'acknowledged') taken.set(made.extreme, (taken.get(made.extreme) ?? 0) + 1)
}

const listed = (counts: Map<string, number>): string =>
  [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([what, times]) => `${times} × ${what}`)
    .join(', ')

async function exported(id: string): Promise<string> {
  const { server, person } = scene
  const response = await fetch(`${server.url}/api/documents/${id}/export?format=json`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  return response.text()
}

/** Plays a round in a new document, up to three times if it was a near miss in time; answers the last. */
async function playRound(seed: number, inputs: number, counts: Counts) {
  for (let attempt = 1; ; attempt++) {
    const { id } = await scene.person.create({ markdown })
    await scene.begin()
    await Promise.all(Array.from({ length: attackers }, (_, index) => attack(seed + index, inputs, id, counts)))
    const probed = await scene.end()
    if (isConclusive(attempt, timesOfOthers(probed))) return { id, probed }
  }
}

/** Where two texts differ first, with what is around it: whole documents would fill the screen. */
function differenceOf(one: string, other: string): string {
  if (one === other) return ''
  let at = 0
  while (one[at] === other[at]) at++
  const around = (text: string): string => text.slice(Math.max(0, at - 150), at + 150)
  return `at ${at}: ${around(one)} / ${around(other)}`
}

test.for(seeds)(
  `[HOSTILE-3] ${total} random legal updates that are extreme in one way: each is answered, and all see the same (seed %i)`,
  { timeout: 90_000 + total * 60 },
  async (seed) => {
    const counts: Counts = { outcomes: new Map(), bytes: 0, taken: new Map() }
    const worst = { healthMs: 0, acknowledgedMs: 0 }
    const memory: number[] = []
    const documents: { id: string; content: string }[] = []
    const started = performance.now()
    for (let done = 0; done < total; done += inputsInRound) {
      const inputs = Math.ceil(Math.min(inputsInRound, total - done) / attackers)
      const { id, probed } = await playRound(seed + done, inputs, counts)
      worst.healthMs = Math.max(worst.healthMs, probed.healthMs)
      worst.acknowledgedMs = Math.max(worst.acknowledgedMs, probed.acknowledgedMs)
      const content = await scene.read(id)
      expect(differenceOf(await exported(id), content), `seed ${seed}, round at ${done}`).toBe('')
      documents.push({ id, content })
      memory.push(await scene.memory())
    }
    const mebibytes = memory.map((bytes) => Math.round(bytes / 2 ** 20))
    console.info(
      `${total} updates of ${Math.round(counts.bytes / total)} bytes in ${((performance.now() - started) / 1000).toFixed(1)} s: ` +
        `${listed(counts.outcomes)}; taken: ${listed(counts.taken)}; /healthz at most ${worst.healthMs.toFixed(0)} ms, ` +
        `acknowledgement ${worst.acknowledgedMs.toFixed(0)} ms; memory in MiB: ${mebibytes.join(' ')}`,
    )
    expect(worst.healthMs).toBeLessThan(allowed.healthMs)
    expect(worst.acknowledgedMs).toBeLessThan(allowed.acknowledgedMs)
    expect(memory.at(-1)! - memory[0]!).toBeLessThan(allowed.memoryBytes)
    expect(await scene.restart(), 'all of the bystander’s text is there').toBe(true)
    for (const { id, content } of documents.slice(-3)) expect(differenceOf(await scene.read(id), content)).toBe('')
  },
)
