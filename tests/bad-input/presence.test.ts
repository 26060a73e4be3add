import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  awarenessFrame,
  concat,
  frame,
  frameTypes,
  randomBytes,
  seededRandom,
  until,
  varBytes,
  varString,
  varUint,
} from '@copydesk/testing'
import { openScene, type Scene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})

afterAll(() => scene.close())

type State = { user?: { name?: string; kind?: string; id?: string }; cursor?: unknown }

/** The awareness states that an honest client sees, by client id. */
const seen = (): Map<number, State> => scene.watcher.content.awareness!.getStates() as Map<number, State>

/** A caret in a form that Yjs can resolve, told apart by a number. */
function caret(clock: number) {
  const position = { tname: 'default', item: { client: 1, clock } }
  return { anchor: position, head: position }
}

test("[BAD-30] awareness about another user's client is not applied", async () => {
  scene.typist.content.setAwarenessField('cursor', caret(1))
  const victim = scene.typist.doc.clientID
  await until(() => seen().get(victim)?.cursor !== undefined, 'the victim is seen')
  const before = JSON.stringify(seen().get(victim))
  const attacker = await scene.openAttacker()
  attacker.send(awarenessFrame(scene.id, [{ clientId: 5_000_001, clock: 1, state: { cursor: null } }]))
  for (const clock of [1, 100, 2 ** 40]) {
    const taken = { user: { name: 'Mallory', id: 'x', kind: 'agent' }, cursor: caret(9) }
    attacker.send(awarenessFrame(scene.id, [{ clientId: victim, clock, state: taken }]))
    attacker.send(awarenessFrame(scene.id, [{ clientId: victim, clock: clock + 1, state: null }]))
  }
  await attacker.settled(scene.id)
  await scene.expectUsersUnaffected()
  expect(JSON.stringify(seen().get(victim))).toBe(before)
  scene.typist.content.setAwarenessField('cursor', caret(2))
  const moved = JSON.stringify(caret(2))
  await until(() => JSON.stringify(seen().get(victim)?.cursor) === moved, 'the victim can still move')
})

test('[BAD-31] a connection speaks for one client: a frame with 900 entries adds one at most', async () => {
  const attacker = await scene.openAttacker()
  const claims = Array.from({ length: 900 }, (_, index) => ({
    clientId: 6_000_000 + index,
    clock: 1,
    state: { cursor: null },
  }))
  attacker.send(awarenessFrame(scene.id, claims))
  await attacker.settled(scene.id)
  await scene.expectUsersUnaffected()
  expect([...seen().keys()].filter((id) => id >= 6_000_000 && id < 6_001_000).length).toBeLessThanOrEqual(1)
})

test('[BAD-32] 5,000 entries end their connection, and none of them is seen', async () => {
  const attacker = await scene.openAttacker()
  const claims = Array.from({ length: 5000 }, (_, index) => ({
    clientId: 7_000_000 + index,
    clock: 1,
    state: { cursor: null },
  }))
  attacker.send(awarenessFrame(scene.id, claims))
  const { code, reason } = await attacker.whenClosed()
  expect([4400, 4413]).toContain(code)
  expect(reason).toMatch(/\S/)
  await scene.expectUsersUnaffected()
  expect([...seen().keys()].filter((id) => id >= 7_000_000 && id < 7_005_000)).toEqual([])
})

test('[BAD-33] a state above 4 KiB ends its connection with 4413, more than a limit of the page', async () => {
  for (const bytes of [5000, 1024 * 1024]) {
    const attacker = await scene.openAttacker()
    const state = { cursor: { anchor: 'x'.repeat(bytes), head: null } }
    attacker.send(awarenessFrame(scene.id, [{ clientId: 8_000_001, clock: 1, state }]))
    expect((await attacker.whenClosed()).code).toBe(4413)
  }
  await scene.expectUsersUnaffected()
  expect(seen().has(8_000_001)).toBe(false)
})

test('[BAD-34] states that are no objects are not shown', async () => {
  const attacker = await scene.openAttacker()
  for (const [index, state] of ['text', 5, true, [1, 2], []].entries()) {
    attacker.send(awarenessFrame(scene.id, [{ clientId: 9_000_000 + index, clock: 1, state }]))
  }
  await attacker.settled(scene.id)
  await scene.expectUsersUnaffected()
  const shown = [...seen().entries()].filter(([id]) => id >= 9_000_000 && id < 9_000_100)
  for (const [, state] of shown) expect(state.user).toMatchObject({ kind: 'person', name: 'Ana' })
})

test('[BAD-35] fields of other shapes and names are not passed on', async () => {
  const attacker = await scene.openAttacker()
  const state = {
    user: 'agent',
    cursor: 'here',
    activity: { label: 'x' },
    scrollTarget: {},
    extra: 1,
  }
  attacker.send(awarenessFrame(scene.id, [{ clientId: 9_100_000, clock: 1, state }]))
  await until(() => seen().has(9_100_000), 'the state is seen')
  expect(Object.keys(seen().get(9_100_000) ?? {})).toEqual(['user'])
  expect(seen().get(9_100_000)?.user).toMatchObject({ name: 'Mallory', kind: 'person' })
  await scene.expectUsersUnaffected()
})

test('[BAD-36] awareness that is no awareness ends its connection with 4400', async () => {
  const payloads = [
    new Uint8Array(),
    Uint8Array.of(1),
    concat(varUint(1), varUint(4), varUint(1), varString('{"cursor":')),
    concat(varUint(1), varUint(4), varUint(1), varString('')),
    concat(varUint(2 ** 45), varUint(4), varUint(1), varString('{}')),
    concat(varUint(1), varUint(4), varUint(1), varUint(2 ** 45)),
    concat(varUint(1), varUint(4), varUint(1), varString('['.repeat(50_000))),
    randomBytes(300, seededRandom(11)),
  ]
  for (const payload of payloads) {
    const attacker = await scene.openAttacker()
    attacker.send(frame(scene.id, frameTypes.awareness, varBytes(payload)))
    const { code, reason } = await attacker.whenClosed()
    expect([code, reason]).toEqual([4400, expect.stringMatching(/\S/) as string])
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-37] an id that wanders leaves one state behind at most, and none when its connection ends', async () => {
  const attacker = await scene.openAttacker()
  for (let index = 0; index < 500; index++) {
    attacker.send(awarenessFrame(scene.id, [{ clientId: 9_200_000 + index, clock: 1, state: { cursor: null } }]))
  }
  await attacker.settled(scene.id)
  const wandering = (): number[] => [...seen().keys()].filter((id) => id >= 9_200_000 && id < 9_200_500)
  await until(() => wandering().length === 1, 'one is left')
  await scene.expectUsersUnaffected()
  attacker.end()
  await until(() => wandering().length === 0, 'it has left')
})
