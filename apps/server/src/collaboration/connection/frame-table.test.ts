import * as encoding from 'lib0/encoding'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { closeCodes, deniedReasons } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import { connectRaw, type RawDocument, until } from '@copydesk/testing'
import { allows } from '../../common/identity.ts'
import { accessOf, type Actor, actors, openRoleScene, type RoleScene } from '../../testing/role-scene.ts'

let scene: RoleScene

beforeAll(async () => {
  scene = await openRoleScene()
})
afterAll(() => scene.dispose())

type Write = (encoder: encoding.Encoder) => void

/**
 * The effect of a frame: it is answered, written to the log, shown to others, has no effect, or closes the socket. A
 * client with read access gets the updates for readers; a refused client gets nothing, whatever it sends.
 */
type FrameRule = { type: number; write: Write; does: 'answers' | 'writes' | 'shows' | 'nothing' | 'ends' }

const sync = (step: number, payload: () => Uint8Array): Write => {
  return (encoder) => {
    encoding.writeVarUint(encoder, step)
    encoding.writeVarUint8Array(encoder, payload())
  }
}
const nothing: Write = () => undefined

function anUpdate(): Uint8Array {
  const doc = new Y.Doc()
  doc.getMap('meta').set('title', String(doc.clientID))
  return Y.encodeStateAsUpdate(doc)
}

function aPresence(): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarUint(encoder, new Y.Doc().clientID)
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarString(encoder, JSON.stringify({ user: {}, cursor: null }))
  return encoding.toUint8Array(encoder)
}

/** Every frame type of the protocol. Other types close the socket, which is tested too. */
const frameRules: Readonly<Record<string, FrameRule>> = {
  'sync step 1': { type: 0, write: sync(0, () => Uint8Array.of(0)), does: 'answers' },
  'sync step 2': { type: 0, write: sync(1, anUpdate), does: 'writes' },
  update: { type: 0, write: sync(2, anUpdate), does: 'writes' },
  'sync reply, step 1': { type: 4, write: sync(0, () => Uint8Array.of(0)), does: 'answers' },
  'sync reply, step 2': { type: 4, write: sync(1, anUpdate), does: 'writes' },
  'sync reply, update': { type: 4, write: sync(2, anUpdate), does: 'writes' },
  awareness: { type: 1, write: (encoder) => encoding.writeVarUint8Array(encoder, aPresence()), does: 'shows' },
  'query awareness': { type: 3, write: nothing, does: 'nothing' },
  stateless: { type: 5, write: (encoder) => encoding.writeVarString(encoder, 'access:manage'), does: 'nothing' },
  'broadcast stateless': { type: 6, write: (encoder) => encoding.writeVarString(encoder, 'access:read'), does: 'ends' },
  close: { type: 7, write: nothing, does: 'nothing' },
  'sync status': { type: 8, write: (encoder) => encoding.writeVarUint(encoder, 1), does: 'ends' },
  ...Object.fromEntries(
    [11, 12, 16, 64, 127].map((type) => [`type ${type}`, { type, write: nothing, does: 'ends' as const }]),
  ),
}

function frame(name: string, { type, write }: Pick<FrameRule, 'type' | 'write'>): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, name)
  encoding.writeVarUint(encoder, type)
  write(encoder)
  return encoding.toUint8Array(encoder)
}

async function enter(name: string, actor: Actor): Promise<RawDocument> {
  const client = await connectRaw(scene.server.url, name)
  await client.authenticate(actor === 'nobody' ? 'cookie' : scene.tokens[actor])
  return client
}

type Effects = { ended: number | undefined; answered: boolean; acknowledged: boolean; logged: boolean; shown: boolean }

async function send(name: string, actor: Actor, rule: FrameRule, observer: RawDocument): Promise<Effects> {
  const client = await enter(name, actor)
  const rows = scene.server.rows(name).length
  const seen = observer.received.presence.length
  const { updates, acknowledged } = client.received
  const before = { updates: updates.length, acknowledged }
  client.sendBytes(frame(name, rule))
  const isIn = client.received.denied.length === 0
  if (rule.does === 'ends') await client.closed()
  else if (isIn && rule.does === 'answers') await until(() => updates.length > before.updates, 'it is answered')
  else if (isIn && rule.type !== 7) await client.sync()
  else await client.roundTrip()
  if (isIn && rule.does === 'shows') await until(() => observer.received.presence.length > seen, 'others see it')
  const effects = {
    ended: client.received.closed?.code,
    answered:
      client.received.updates.length >
      before.updates + (isIn && rule.type !== 7 && !['ends', 'answers'].includes(rule.does) ? 1 : 0),
    acknowledged: client.received.acknowledged > before.acknowledged,
    logged: scene.server.rows(name).length > rows,
    shown: observer.received.presence.length > seen,
  }
  client.close()
  return effects
}

function expected(rule: FrameRule, actor: Actor, isRoom: boolean): Effects {
  const access = accessOf[actor]
  const none = { ended: undefined, answered: false, acknowledged: false, logged: false, shown: false }
  if (rule.does === 'ends') return { ...none, ended: closeCodes.invalidFrame }
  if (access === undefined) return none
  const writes = rule.does === 'writes' && !isRoom && allows(access, 'write')
  return {
    ...none,
    // A writer, like every client, receives its own update.
    answered: rule.does === 'answers' || writes,
    acknowledged: writes,
    logged: writes,
    shown: rule.does === 'shows',
  }
}

test('[RIGHT-3] every frame of everybody does what the table says, and nothing else', async () => {
  const wrong: string[] = []
  let tried = 0
  for (const name of [scene.document, roomName(scene.document)]) {
    const observer = await enter(name, 'owner')
    for (const actor of actors) {
      for (const [title, rule] of Object.entries(frameRules)) {
        const effects = JSON.stringify(await send(name, actor, rule, observer))
        const wanted = JSON.stringify(expected(rule, actor, name !== scene.document))
        if (effects !== wanted) wrong.push(`${title} by ${actor} about ${name}: ${effects} instead of ${wanted}`)
        tried++
      }
    }
    observer.close()
  }
  expect(wrong).toEqual([])
  console.log(`${Object.keys(frameRules).length} frames × ${actors.length} people × content and room: ${tried}`)
})

test('[RIGHT-3] a token is accepted or refused with the one reason that applies', async () => {
  for (const actor of actors) {
    const client = await enter(scene.document, actor)
    const reason = actor === 'nobody' ? deniedReasons.unauthenticated : deniedReasons.notFound
    expect(client.received.denied, actor).toEqual(accessOf[actor] === undefined ? [reason] : [])
    // A ping and a pong are accepted from every client, and have no effect.
    client.sendBytes(Uint8Array.of(9))
    client.sendBytes(Uint8Array.of(10))
    await client.roundTrip()
    expect(client.received.closed, actor).toBeUndefined()
    client.close()
  }
})
