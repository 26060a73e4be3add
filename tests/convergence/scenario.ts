import { isFinal } from '@copydesk/protocol'
import { contentTypes, readFragment, schema } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { expect } from 'vitest'
import * as Y from 'yjs'
import { type RandomChoices, seededChoices, until } from '@copydesk/testing'
import { join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { editAtRandom } from './edits.ts'
import { findTokens, Ledger } from './ledger.ts'

/** What one seed's session was like; `completed`: runs that reached their end. */
export type Outcome = {
  edits: number
  expected: number
  runs: number
  completed: number
  restarts: number
  seconds: number
}

type Participant = { name: string; peer: TestPeer; online: boolean }

type Session = {
  server: Copydesk
  id: string
  person: TestPerson
  participants: Participant[]
  random: RandomChoices
  ledger: Ledger
  runs: string[]
}

const names = ['a', 'b', 'c']
const rounds = 90
const start = [
  '# Minutes',
  'We met teh others and talked about teh plan.',
  '- first point\n- second point',
  '| what | who |\n| --- | --- |\n| plan | all |',
  'A last paragraph with **bold** words.',
].join('\n\n')

/**
 * Lets people and the agent edit one document at random on a real server, with people going offline, and in every third
 * seed the server killed in the middle; then waits until no update is in flight and checks that all clients see the
 * same valid document and that nothing is lost.
 */
export async function playSeed(seed: number): Promise<Outcome> {
  const began = Date.now()
  const server = await startCopydesk()
  const participants: Participant[] = []
  try {
    const person = await signIn(server.url, 'Ana')
    const { id } = await person.create({ markdown: start })
    for (const name of names) {
      participants.push({ name, peer: await join(server.url, person.token, id), online: true })
    }
    const session: Session = {
      server,
      id,
      person,
      participants,
      random: seededChoices(seed),
      ledger: new Ledger(),
      runs: [],
    }
    const restarts = seed % 3 === 0 ? 1 : 0
    for (let round = 0; round < rounds; round++) {
      await playRound(session)
      // However the dice fall, every session has a run.
      if (round === Math.floor(rounds / 3) && session.runs.length === 0) await askAgent(session)
      if (restarts === 1 && round === Math.floor(rounds / 2)) await cutPower(session)
    }
    const completed = await waitForConvergence(session)
    const expected = await checkEverything(session)
    const seconds = (Date.now() - began) / 1000
    return { edits: rounds, expected, runs: session.runs.length, completed, restarts, seconds }
  } finally {
    for (const { peer } of participants) peer.close()
    await server.dispose()
  }
}

async function playRound(session: Session): Promise<void> {
  const { participants, random } = session
  const participant = random.pick(participants)
  for (let burst = 1 + random.int(4); burst > 0; burst--) editAs(session, participant)
  if (random.chance(0.08)) await switchLine(participant)
  if (random.chance(0.04)) await askAgent(session)
  // Delays: none, one turn of the event loop, or until the server has answered.
  if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve))
  else if (random.chance(0.2) && participant.online) await participant.peer.saved()
}

function editAs({ random, ledger }: Session, { name, peer }: Participant): void {
  editAtRandom({ name, doc: peer.doc, fragment: peer.fragment, random, ledger })
}

async function switchLine(participant: Participant): Promise<void> {
  const { socket } = participant.peer
  participant.online = !participant.online
  if (participant.online) return void socket.connect()
  socket.disconnect()
  // The provider ignores `connect` until the old socket has closed.
  await until(() => socket.webSocket === null, 'the line is cut')
}

async function askAgent({ person, id, random, ledger, participants, runs }: Session): Promise<void> {
  const token = ledger.newToken('g')
  const words = [...findTokens(random.pick(participants).peer.fragment).keys()]
  const commands = [
    'replace teh with the',
    `insert "agent ${token} here" at the end`,
    `make ${words.length > 0 ? random.pick(words) : 'plan'} bold`,
  ]
  const { run } = await person.ask(id, random.pick(commands))
  runs.push(run.id)
}

async function cutPower(session: Session): Promise<void> {
  await session.server.kill()
  for (let edit = 0; edit < 8; edit++) editAs(session, session.random.pick(session.participants))
  await session.server.restart()
}

/** Waits until everybody has the same document and no run goes on. Answers how many runs completed. */
async function waitForConvergence({ participants, runs, person, id }: Session): Promise<number> {
  for (const participant of participants) if (!participant.online) await switchLine(participant)
  for (const { peer } of participants) await peer.saved()
  let completed = 0
  for (const run of runs) {
    await until(async () => isFinal((await person.run(id, run)).status), `run ${run} has ended`)
    if ((await person.run(id, run)).status === 'completed') completed++
  }
  const isQuiet = (): boolean => {
    const [first, ...others] = participants.map(({ peer }) => peer)
    const isSaved = participants.every(({ peer }) => peer.content.synced && !peer.content.hasUnsyncedChanges)
    // By HTTP a run has ended a moment before the deletion of its receipts has reached all clients.
    const isCleared = participants.every(({ peer }) => peer.doc.getMap(contentTypes.receipts).size === 0)
    return (
      isSaved && isCleared && others.every((other) => Y.equalSnapshots(Y.snapshot(first!.doc), Y.snapshot(other.doc)))
    )
  }
  await until(isQuiet, 'all peers have the same document').catch((error: unknown) => {
    const state = participants.map(({ name, peer }) => ({
      name,
      synced: peer.content.synced,
      unsynced: peer.content.unsyncedChanges,
      vector: Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(peer.doc))),
    }))
    throw new Error(`no rest: ${JSON.stringify(state)}`, { cause: error })
  })
  return completed
}

async function checkEverything({ server, participants, person, id, ledger }: Session): Promise<number> {
  const expected = contentOf(participants[0]!.peer.doc)
  for (const { peer } of participants) expect(contentOf(peer.doc)).toEqual(expected)
  for (const { peer } of participants) expect(peer.content.unsyncedChanges).toBe(0)
  await checkExports(person, id, participants[0]!.peer)
  const { expected: count, missing } = ledger.findMissing(participants[0]!.peer.fragment)
  expect(missing).toEqual([])
  expect(ledger.doubled(participants[0]!.peer.fragment)).toEqual([])

  for (const { peer } of participants) peer.socket.disconnect()
  await server.restart()
  const fresh = await join(server.url, person.token, id)
  try {
    expect(contentOf(fresh.doc)).toEqual(expected)
    expect(unloggedDeletions(participants[0]!.peer.doc, fresh.doc)).toEqual([])
    await checkExports(person, id, fresh)
  } finally {
    fresh.close()
  }
  return count
}

/** Deleted at a peer and not in the document loaded from disk: an acknowledged deletion that was not stored. */
function unloggedDeletions(seen: Y.Doc, loaded: Y.Doc): string[] {
  const { ds } = Y.snapshot(loaded)
  return [...seen.store.clients.values()]
    .flat()
    .filter((struct) => struct.deleted && !Y.isDeleted(ds, struct.id))
    .map(({ id }) => `${id.client}:${id.clock}`)
}

function contentOf(doc: Y.Doc) {
  return {
    xml: doc.getXmlFragment(contentTypes.fragment).toJSON(),
    meta: doc.getMap(contentTypes.meta).toJSON(),
    receipts: doc.getMap(contentTypes.receipts).toJSON(),
    vector: Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(doc))),
  }
}

async function checkExports(person: TestPerson, id: string, peer: TestPeer): Promise<void> {
  const read = readFragment(peer.fragment, schema)
  if (!read.ok) throw new Error(`the document doesn't fit the schema: ${JSON.stringify(read.problems)}`)
  read.doc.check()
  const json = await person.call<unknown>('GET', `/api/documents/${id}/export?format=json`)
  expect(json.body).toEqual(read.doc.toJSON())
  expect(await person.markdown(id)).toBe(serializeMarkdown(read.doc, null))
}
