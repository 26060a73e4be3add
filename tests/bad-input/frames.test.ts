import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  authFrame,
  concat,
  frame,
  frameTypes,
  randomBytes,
  seededRandom,
  syncFrame,
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

/** Sends something with the document open and expects the socket to be closed with 4400 and a reason. */
async function expectRefused(data: Uint8Array | string): Promise<void> {
  const attacker = await scene.openAttacker()
  attacker.send(data)
  const { code, reason } = await attacker.whenClosed()
  expect([code, reason]).toEqual([4400, expect.stringMatching(/\S/) as string])
}

/** A valid update of the document: a paragraph more. */
function validUpdate(): Uint8Array {
  const doc = new Y.Doc()
  doc.getXmlFragment('default').insert(0, [new Y.XmlElement('paragraph')])
  return Y.encodeStateAsUpdate(doc)
}

test('[BAD-1] random bytes end their connection with 4400 or, as a frame about another document, 4401', async () => {
  const seed = 20261121
  const random = seededRandom(seed)
  for (let round = 0; round < 40; round++) {
    const attacker = await scene.openAttacker()
    // A lone 9 or 10 is a ping or a pong.
    attacker.send(randomBytes(2 + Math.floor(random() * 300), random))
    const { code, reason } = await attacker.whenClosed()
    expect([4400, 4401], `seed ${seed}, round ${round}`).toContain(code)
    expect(reason).toMatch(/\S/)
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-2] an update frame that was cut anywhere ends its connection with 4400', async () => {
  const whole = syncFrame(scene.id, 2, validUpdate())
  const nameLength = varString(scene.id).byteLength
  for (let length = 1; length < whole.byteLength; length++) {
    // Within the name there is no telling of which document it is; after it the frame is plainly cut.
    if (length < nameLength && length % 9 !== 1) continue
    await expectRefused(whole.subarray(0, length))
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-3] an unknown message type ends its connection with 4400', async () => {
  for (const type of [6, 8, 11, 127, 128, 99_999, Number.MAX_SAFE_INTEGER]) {
    await expectRefused(frame(scene.id, type, Uint8Array.of(1, 2, 3)))
  }
  await expectRefused(frame(scene.id, frameTypes.sync, concat(varUint(7), varBytes(validUpdate()))))
  await scene.expectUsersUnaffected()
})

test('[BAD-4] a text frame and an empty frame end their connection with 4400', async () => {
  await expectRefused('hello')
  await expectRefused('')
  await expectRefused(new Uint8Array())
  await scene.expectUsersUnaffected()
})

test('[BAD-5] a length far beyond the frame, and a number without end, end their connection with 4400', async () => {
  await expectRefused(concat(varUint(2 ** 50), Buffer.from(scene.id)))
  await expectRefused(Uint8Array.from({ length: 64 }, () => 0xff))
  await expectRefused(frame(scene.id, frameTypes.sync, concat(varUint(2), varUint(2 ** 40))))
  await expectRefused(concat(Uint8Array.of(4, 0xff, 0xfe, 0xfd, 0xfc), varUint(99)))
  await scene.expectUsersUnaffected()
})

test('[BAD-6] a SyncStep2 or Update whose payload is no update ends its connection with 4400', async () => {
  const random = seededRandom(7)
  const payloads = [
    new Uint8Array(),
    Uint8Array.of(0),
    Uint8Array.of(255, 255, 255),
    Buffer.from('not an update at all'),
    randomBytes(200, random),
    validUpdate().subarray(0, -1),
  ]
  for (const payload of payloads) {
    await expectRefused(syncFrame(scene.id, 1, payload))
    await expectRefused(syncFrame(scene.id, 2, payload))
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-7] a SyncStep1 whose payload is no state vector ends its connection with 4400', async () => {
  for (const payload of [new Uint8Array(), Uint8Array.of(5), new Uint8Array(9).fill(255)]) {
    const attacker = await scene.openAttacker()
    attacker.send(syncFrame(scene.id, 0, payload))
    await until(() => attacker.closed() !== undefined, `the state vector [${payload.join()}] is refused`)
    expect(attacker.closed()).toEqual({ code: 4400, reason: expect.stringMatching(/\S/) as string })
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-8] anything before the token ends the connection with 4401', async () => {
  const early = [
    syncFrame(scene.id, 2, validUpdate()),
    syncFrame(scene.id, 0, Uint8Array.of(0)),
    frame(scene.id, frameTypes.awareness, varBytes(Uint8Array.of(0))),
    frame(scene.id, frameTypes.stateless, varString('{}')),
    frame(scene.id, frameTypes.queryAwareness),
  ]
  for (const data of early) {
    const unauthenticated = await scene.openUnauthenticated()
    unauthenticated.send(data)
    expect((await unauthenticated.whenClosed()).code).toBe(4401)
  }
  await scene.expectUsersUnaffected()
})

test('[BAD-9] a frame about a document that was not opened on this socket ends it with 4401', async () => {
  const other = await scene.person.create({ markdown: 'Untouched' })
  const attacker = await scene.openAttacker()
  attacker.send(syncFrame(other.id, 2, validUpdate()))
  expect((await attacker.whenClosed()).code).toBe(4401)
  expect(await scene.person.markdown(other.id)).toBe('Untouched\n')
  await scene.expectUsersUnaffected()
})

test('[BAD-10] a wrong token is refused with a reason, and a right one after it is taken', async () => {
  const [header, payload, signature] = scene.person.token.split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const forgeries = [
    '',
    'x',
    ' ',
    'cookie',
    `${none}.${payload}.`,
    `${header}.${payload}.${signature}x`,
    'ä'.repeat(9000),
  ]
  for (const token of forgeries) {
    const unauthenticated = await scene.openUnauthenticated()
    expect(await unauthenticated.authenticate(scene.id, token), token.slice(0, 20)).toBe('unauthenticated')
  }
  const unauthenticated = await scene.openUnauthenticated()
  expect(await unauthenticated.authenticate(scene.id, 'wrong')).toBe('unauthenticated')
  unauthenticated.frames.length = 0
  expect(await unauthenticated.authenticate(scene.id, scene.person.token)).toBe('authenticated')
  await scene.expectUsersUnaffected()
})

test('[BAD-11] what follows a refused token is neither applied nor acknowledged', async () => {
  const unauthenticated = await scene.openUnauthenticated()
  const before = scene.watcher.fragment.length
  unauthenticated.send(authFrame(scene.id, 'wrong'))
  unauthenticated.send(syncFrame(scene.id, 2, validUpdate()))
  unauthenticated.send(syncFrame(scene.id, 2, validUpdate()))
  const isRefused = (): boolean =>
    unauthenticated.frames.some(({ type, subtype }) => type === frameTypes.auth && subtype === 1)
  await until(() => unauthenticated.closed() !== undefined || isRefused(), 'the token is refused')
  await scene.expectUsersUnaffected()
  expect(unauthenticated.acknowledgements()).toBe(0)
  expect(scene.watcher.fragment.length).toBe(before)
})

test('[BAD-12] names that are no documents are refused as not_found or invalid_document_name', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  const names: [string, string][] = [
    [unknown, 'not_found'],
    [`${unknown}/room`, 'not_found'],
    ['', 'invalid_document_name'],
    ['/room', 'invalid_document_name'],
    [`${scene.id}/`, 'invalid_document_name'],
    [`${scene.id}/room/room`, 'invalid_document_name'],
    [`${scene.id}/other`, 'invalid_document_name'],
    [` ${scene.id}`, 'invalid_document_name'],
    [`../${scene.id}`, 'invalid_document_name'],
    ['../../etc/passwd', 'invalid_document_name'],
    ["'; drop table documents; --", 'invalid_document_name'],
    ['__proto__', 'invalid_document_name'],
    ['x'.repeat(100_000), 'invalid_document_name'],
  ]
  const wrong: string[] = []
  for (const [name, reason] of names) {
    const unauthenticated = await scene.openUnauthenticated()
    const answer = await unauthenticated.authenticate(name, scene.person.token)
    if (answer !== reason) wrong.push(`${name.slice(0, 60)}: ${answer}`)
  }
  expect(wrong).toEqual([])
  await scene.expectUsersUnaffected()
})

test('[BAD-13] a token frame that is cut or of an unknown kind ends its connection with 4400 or 4401', async () => {
  const whole = authFrame(scene.id, scene.person.token)
  const nameLength = varString(scene.id).byteLength
  const frames = {
    'without a kind': whole.subarray(0, nameLength + 1),
    'cut in the token': whole.subarray(0, nameLength + 6),
    'of an unknown kind': frame(scene.id, frameTypes.auth, concat(varUint(9), varString('x'))),
    'of the kind that only the server sends': frame(scene.id, frameTypes.auth, concat(varUint(2), varString('x'))),
  }
  const wrong: string[] = []
  for (const [what, data] of Object.entries(frames)) {
    const unauthenticated = await scene.openUnauthenticated()
    unauthenticated.send(data)
    const end = await unauthenticated.whenClosed()
    // It is closed for the frame, not by the time limit for silent sockets.
    const isRefused = [4400, 4401].includes(end.code) && end.reason !== 'no document was opened'
    if (!isRefused) wrong.push(`${what}: ${end.code} ${end.reason}`)
  }
  expect(wrong).toEqual([])
  await scene.expectUsersUnaffected()
})

test('[BAD-14] stateless and close frames with garbage harm nobody', async () => {
  const attacker = await scene.openAttacker()
  const garbage = randomBytes(100, seededRandom(3))
  attacker.send(frame(scene.id, frameTypes.stateless, varBytes(garbage)))
  attacker.send(frame(scene.id, frameTypes.stateless, varString('{"type":"document:reset"}')))
  attacker.send(frame(scene.id, frameTypes.close, garbage))
  await expect
    .poll(() => attacker.closed() !== undefined || attacker.frames.some(({ type }) => type === frameTypes.close))
    .toBe(true)
  await scene.expectUsersUnaffected()
})

test('[BAD-15] ten thousand frames at once are served in order or refused, and others continue meanwhile', async () => {
  const attacker = await scene.openAttacker()
  for (let index = 0; index < 10_000; index++) attacker.send(frame(scene.id, frameTypes.queryAwareness))
  await scene.expectUsersUnaffected()
  await attacker.settled(scene.id)
  const end = attacker.closed()
  expect([undefined, 4413]).toContain(end?.code)
  await scene.expectUsersUnaffected()
})
