import { createServer, type RequestListener } from 'node:http'
import { type Listening, listenLocally, until } from '@copydesk/testing'
import { afterEach, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { createGuardedPost } from '../web/guarded-post.ts'
import { createSigning } from './signing.ts'
import { WebhookSender, type WebhookTimes } from './webhook-sender.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

type Scene = {
  test: TestStore
  ids: string[]
  send(times: Partial<WebhookTimes>): WebhookSender
  delivery(): { state: string; attempts: number; due_at: number; attempted_at: number; duration_ms: number | null }
}

/** A store with a webhook and one due delivery, and a receiver; `ids` are the received ids. */
async function openScene(listener: RequestListener): Promise<Scene> {
  const ids: string[] = []
  const receiver: Listening = await listenLocally(
    createServer((request, response) => {
      ids.push(String(request.headers['webhook-id']))
      listener(request, response)
    }),
  )
  open.push(receiver)
  const opened = await openTestStore()
  open.push({ close: () => opened.dispose() })
  const { db } = opened.store
  const at = opened.clock.now
  const webhook = { id: 'w', url: receiver.origin, events: '["thread"]', description: '', active: 1 }
  await db
    .insertInto('webhooks')
    .values({ ...webhook, secret_at: at, created_by: 'ana', created_at: at })
    .execute()
  await db
    .insertInto('webhook_deliveries')
    .values({ id: 'msg_1', webhook: 'w', event: 'thread', data: '{}', state: 'pending', created_at: at, due_at: at })
    .execute()
  return {
    test: opened,
    ids,
    send(times) {
      const sender = new WebhookSender({
        db,
        post: createGuardedPost({ allowedHosts: ['127.0.0.1'] }),
        signing: createSigning('a secret'),
        now: () => opened.clock.now,
        elapsed: () => performance.now(),
        random: () => 0.5,
        onError(error) {
          throw error
        },
        times: { every: 5, ...times },
      })
      sender.start()
      open.push(sender)
      return sender
    },
    delivery: () => opened.file.prepare('SELECT * FROM webhook_deliveries').get() as ReturnType<Scene['delivery']>,
  }
}

test('[HOOK-4] the pauses between attempts grow, for about a day; then the delivery is given up', async () => {
  const { test: opened, send, delivery } = await openScene((_request, response) => void response.writeHead(500).end())
  send({})
  const pauses: number[] = []
  const start = opened.clock.now
  for (let attempt = 1; ; attempt++) {
    const isStored = (): boolean =>
      delivery().attempts === attempt &&
      opened.file.prepare('SELECT 1 FROM webhook_deliveries WHERE duration_ms IS NOT NULL').get() !== undefined
    await until(isStored, `attempt ${attempt}`)
    const { state, due_at: due, attempted_at: attempted } = delivery()
    if (state === 'failed') break
    pauses.push((due - attempted) / 1000)
    opened.clock.now = due
  }
  expect(pauses).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800])
  expect((opened.clock.now - start) / 3_600_000).toBeCloseTo(23.7, 1)
})

test('[HOOK-4] a receiver that asks for a longer pause gets it, at most a day', async () => {
  const asked = ['100', '1', '999999']
  const {
    test: opened,
    send,
    delivery,
  } = await openScene((_request, response) => void response.writeHead(503, { 'retry-after': asked.shift() }).end())
  send({})
  for (const [attempt, pause] of [100, 30, 86_400].entries()) {
    await until(() => delivery().duration_ms !== null && delivery().attempts === attempt + 1, `attempt ${attempt}`)
    expect((delivery().due_at - delivery().attempted_at) / 1000).toBe(pause)
    opened.clock.now = delivery().due_at
  }
})

test('[HOOK-4] a receiver that answers too late is called again', async () => {
  let count = 0
  const {
    test: opened,
    ids,
    send,
    delivery,
  } = await openScene((_request, response) => {
    count += 1
    if (count > 1) response.writeHead(204).end()
  })
  // A later answer may also take too long on a busy machine.
  send({ answerWithin: 300, retries: Array.from({ length: 100 }, () => 1) })
  const isSent = (): boolean => {
    opened.clock.now += 10
    return delivery().state === 'delivered'
  }
  await until(isSent, 'it is delivered')
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids)).toEqual(new Set(['msg_1']))
})

test('[HOOK-10] what a closed server was sending is sent by the next one, under the same id', async () => {
  let isHolding = true
  const {
    test: opened,
    ids,
    send,
    delivery,
  } = await openScene((_request, response) => {
    if (!isHolding) response.writeHead(204).end()
  })
  const first = send({})
  await until(() => ids.length === 1, 'the receiver is called')
  await first.close()
  expect(delivery()).toMatchObject({ state: 'pending', attempts: 1 })
  isHolding = false
  opened.clock.now = delivery().due_at
  send({})
  await until(() => delivery().state === 'delivered', 'it is delivered')
  expect(ids).toEqual(['msg_1', 'msg_1'])
})
