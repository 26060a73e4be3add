import { isFinal, type Run } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { blockTexts, join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'
import { type FaultyServer, startFaultyServer } from './faulty-server.ts'
import { missingWords, startTyping, type Typist, wordsSeen } from './typist.ts'

const before = 'teh cat and teh dog'
const after = 'the cat and the dog'

type Scene = { server: FaultyServer; ana: TestPerson; ben: TestPerson; id: string; watcher: TestPeer; run: string }

/**
 * An operation during which the server is killed. Each is finished after the kill, by itself or by a repeated request.
 */
type Scenario = {
  prepare?: (scene: Scene) => Promise<void>
  /** Begins it; it may well be cut off. */
  begin: (scene: Scene) => Promise<unknown>
  /** Resolves when it is over, in a server that was not killed. */
  isOver: (scene: Scene) => boolean | Promise<boolean>
  /** Checks, in the server that was started after the kill, that it was done once, or can be. */
  finish: (scene: Scene) => Promise<void>
}

const runOf = ({ ana, id, run }: Scene): Promise<Run> => ana.run(id, run)
const isRunOver = async (scene: Scene): Promise<boolean> => scene.run !== '' && isFinal((await runOf(scene)).status)

async function expectText(scene: Scene, wanted: string, what: string): Promise<void> {
  const reader = await join(scene.server.url, scene.ana.token, scene.id)
  try {
    await until(() => blockTexts(reader.fragment)[0] === wanted, what).catch((error: unknown) => {
      throw new Error(`${what}: ${JSON.stringify(blockTexts(reader.fragment)[0])}`, { cause: error })
    })
  } finally {
    reader.close()
  }
}

async function askAgent(scene: Scene): Promise<void> {
  const { run } = await scene.ana.ask(scene.id, 'replace teh with the')
  scene.run = run.id
}

/** The run that was asked for, if asking got as far as the disk; else it is asked for again. */
async function finishRun(scene: Scene): Promise<void> {
  const { body } = await scene.ana.call<{ runs: Run[] }>('GET', `/api/documents/${scene.id}/runs`)
  scene.run = body.runs[0]?.id ?? ''
  if (scene.run === '') await askAgent(scene)
  await until(() => isRunOver(scene), 'the run has ended')
  const { status, error } = await runOf(scene)
  if (status !== 'completed') throw new Error(`the run is ${status}: ${JSON.stringify(error)}`)
  await expectText(scene, after, 'the agent has written once')
}

const undo = ({ ana, id, run }: Scene): Promise<{ status: number }> =>
  ana.call('POST', `/api/documents/${id}/runs/${run}/undo`, {})

/** All that writes to the disk, by name. */
const scenarios: Record<'append' | 'snapshot' | 'run' | 'undo', Scenario> = {
  append: {
    begin: async () => undefined,
    isOver: () => false,
    finish: async () => undefined,
  },
  snapshot: {
    // When the last client leaves, the server makes a snapshot; it also does so for an idle document, after two
    // seconds.
    async begin({ watcher }) {
      await watcher.saved()
      watcher.close()
    },
    isOver: () => false,
    finish: async () => undefined,
  },
  run: { begin: askAgent, isOver: isRunOver, finish: finishRun },
  undo: {
    async prepare(scene) {
      await askAgent(scene)
      await until(() => isRunOver(scene), 'the run has ended')
    },
    begin: undo,
    isOver: async (scene) => blockTexts(scene.watcher.fragment)[0] === before,
    async finish(scene) {
      // A second undo finds nothing to do or does it; after it nothing of the run is left, and nothing is there twice.
      const { status } = await undo(scene)
      if (status >= 500) throw new Error(`undo answered ${status}`)
      await expectText(scene, before, 'the run is taken back')
    },
  },
}

/** What became of a trial: `steps` is how many different statements of each scenario the server was killed at. */
export type StepCount = {
  rounds: number
  kills: Record<string, number>
  steps: Record<string, number>
  acknowledged: number
  missing: number
  seenAndMissing: number
  unsaved: number
  lostUnsaved: number
}

/**
 * Kills a server at each writing statement in turn, before it and after it, while people type and these operations run
 * one after the other; restarts it, counts which acknowledged words and which words seen by another client are missing,
 * reconnects the typists, and counts what is missing of the rest.
 */
export async function countLossesAtEveryStep(
  names: readonly (keyof typeof scenarios)[],
  rounds: number,
): Promise<StepCount> {
  const server = await startFaultyServer()
  const count: StepCount = {
    rounds,
    kills: {},
    steps: {},
    acknowledged: 0,
    missing: 0,
    seenAndMissing: 0,
    unsaved: 0,
    lostUnsaved: 0,
  }
  // From any of the first steps: runs of a few rounds reach all of them in time.
  const begin = (): number => 1 + Math.floor(Math.random() * firstSteps)
  const next = new Map(names.map((name) => [name, { nth: begin(), when: 'before' as 'before' | 'after' }]))
  const hit = new Map(names.map((name) => [name, new Set<string>()]))
  try {
    const people = { ana: await signIn(server.url, 'Ana'), ben: await signIn(server.url, 'Ben') }
    for (let round = 0; round < rounds; round++) {
      const name = names[round % names.length]!
      const at = next.get(name)!
      const killed = await playRound(server, people, scenarios[name], { ...at, label: `r${round}` }, count)
      if (killed) {
        count.kills[name] = (count.kills[name] ?? 0) + 1
        hit.get(name)!.add(`${at.when} ${at.nth}`)
      }
      next.set(name, nextStep(at, killed))
    }
  } finally {
    await server.dispose()
  }
  for (const [name, steps] of hit) count.steps[name] = steps.size
  return count
}

// Long trials also meet the second and third of what repeats, each keystroke's own transaction, say.
const lastStep = 60

const firstSteps = 4

function nextStep(at: { nth: number; when: 'before' | 'after' }, killed: boolean) {
  if (at.when === 'before' && killed) return { nth: at.nth, when: 'after' as const }
  return { nth: killed && at.nth < lastStep ? at.nth + 1 : 1, when: 'before' as const }
}

async function playRound(
  server: FaultyServer,
  { ana, ben }: Pick<Scene, 'ana' | 'ben'>,
  scenario: Scenario,
  { nth, when, label }: { nth: number; when: 'before' | 'after'; label: string },
  count: StepCount,
): Promise<boolean> {
  const { id } = await ana.create({ markdown: [before, 'one', 'two'].join('\n\n') })
  const watcher = await join(server.url, ana.token, id)
  const scene: Scene = { server, ana, ben, id, watcher, run: '' }
  const typists: Typist[] = []
  try {
    await scenario.prepare?.(scene)
    const isAppend = scenario === scenarios.append
    const peers = [await join(server.url, ana.token, id), await join(server.url, ben.token, id)]
    typists.push(...peers.map((peer, index) => startTyping(peer, label, index + 1, isAppend ? 2 : 20)))
    await until(() => typists.every(({ acknowledged }) => acknowledged > 2), 'something is acknowledged')
    if (scenario === scenarios.snapshot) await leave(typists)
    server.setFaults({ kill: { nth, when } })
    const begun = scenario.begin(scene).catch(() => undefined)
    const killed = await wasKilled(server, scenario, scene)
    for (const typist of typists) typist.stop()
    const seen = typists.map((typist) => wordsSeen(typist, watcher))
    // What they had seen must come from the server alone.
    watcher.socket.disconnect()
    await server.restart()
    await begun

    const reader = await join(server.url, ana.token, id)
    for (const [index, typist] of typists.entries()) {
      count.acknowledged += typist.acknowledged
      count.unsaved += typist.typed - typist.acknowledged
      count.missing += missingWords(typist, reader)
      const found = new Set(wordsSeen(typist, reader))
      count.seenAndMissing += seen[index]!.filter((word) => !found.has(word)).length
    }
    reader.close()
    await scenario.finish(scene)
    await reconnectAll(scene, typists, count)
    return killed
  } finally {
    watcher.close()
    for (const typist of typists) {
      typist.stop()
      typist.peer.close()
    }
  }
}

async function leave(typists: readonly Typist[]): Promise<void> {
  for (const typist of typists) {
    typist.rest()
    await typist.peer.saved()
    typist.stop()
  }
}

async function wasKilled(server: FaultyServer, scenario: Scenario, scene: Scene): Promise<boolean> {
  const limit = scenario === scenarios.append || scenario === scenarios.snapshot ? 1500 : 15_000
  const end = performance.now() + limit
  while (server.isRunning() && performance.now() < end) {
    if (await Promise.resolve(scenario.isOver(scene)).catch(() => false)) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const killed = !server.isRunning()
  await server.kill()
  return killed
}

/** The typists reconnect, and their unsaved words arrive, too. */
async function reconnectAll({ server, ana, id }: Scene, typists: readonly Typist[], count: StepCount): Promise<void> {
  await Promise.all(typists.map((typist) => typist.reconnect()))
  const reader = await join(server.url, ana.token, id)
  for (const typist of typists) count.lostUnsaved += missingWords(typist, reader, typist.typed)
  reader.close()
}
