import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type RawRequest, sendRaw } from '../../testing/call-api.ts'
import { accessOf, type Actor, openRoleScene, type RoleScene } from '../../testing/role-scene.ts'
import { routeRules } from './route-rules.ts'

let scene: RoleScene

beforeAll(async () => {
  scene = await openRoleScene()
})
afterAll(() => scene.dispose())

const takesBody = Object.keys(routeRules).filter((route) => /^(POST|PUT|PATCH|DELETE) /.test(route))

/** A request whose body is announced, or begun, but never completes. */
async function begin(route: string, actor: Actor, size: string, type = 'application/json'): Promise<RawRequest> {
  const [method = '', pattern = ''] = route.split(' ')
  const id = pattern.startsWith('/api/folders') ? scene.folder : scene.document
  const path = pattern.replace(':id', id).replaceAll(/:\w+/g, 'none')
  const authorization = actor === 'nobody' ? '' : `Authorization: Bearer ${scene.tokens[actor]}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: ${type}\r\n${size}\r\n\r\n`
  const request = await sendRaw(scene.server.url, head)
  onTestFinished(() => void request.socket.destroy())
  return request
}

const sizes = ['Content-Length: 5', 'Content-Length: 9000000', 'Transfer-Encoding: chunked']

test('[BAD-65] a caller without the right that a route needs is refused before the body has arrived', async () => {
  const wrong: string[] = []
  for (const route of takesBody) {
    const { needs, noGuests } = routeRules[route]!
    const expected: [Actor, number][] =
      needs === 'anybody'
        ? []
        : [
            ['nobody', 401],
            ...(needs === 'operator' ? ([['owner', 403]] as [Actor, number][]) : []),
            ...(needs === 'signed-in' || needs === 'account' || noGuests
              ? ([['guest', 403]] as [Actor, number][])
              : []),
            ...(/ \/api\/(documents|folders)\/:id/.test(route) ? ([['stranger', 404]] as [Actor, number][]) : []),
            ...(['comment', 'write', 'manage', 'share'].includes(needs) && accessOf.viewer === 'read'
              ? ([['viewer', 403]] as [Actor, number][])
              : []),
          ]
    for (const [actor, status] of expected) {
      for (const size of sizes) {
        const answered = await (await begin(route, actor, size)).status()
        if (answered !== status) wrong.push(`${route} as ${actor}, ${size}: ${answered} instead of ${status}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

test('[BAD-65] so is who sends a body to what is no route', async () => {
  for (const size of sizes) {
    expect(await (await begin('POST /api/nowhere', 'owner', size)).status(), size).toBe(404)
    expect(await (await begin('PUT /nowhere', 'nobody', size, 'text/html')).status(), size).toBe(404)
  }
})

test('[BAD-65] data that arrives after the response is discarded up to a limit, then the connection is closed', async () => {
  const request = await begin('POST /api/documents', 'nobody', 'Transfer-Encoding: chunked')
  expect(await request.status()).toBe(401)
  const megabyte = `100000\r\n${'x'.repeat(0x100000)}\r\n`
  let sent = 0
  const send = (): void => {
    while (!request.isOver() && request.socket.write(megabyte)) sent++
  }
  request.socket.on('drain', send)
  send()
  await until(() => request.isOver(), 'the connection is cut')
  expect(sent).toBeGreaterThan(8)
  expect(sent).toBeLessThan(64)
})

test('[BAD-65] a client that sends the rest of its body gets its answer, and the next one on the same connection', async () => {
  const body = 'x'.repeat(2_000_000)
  const request = await begin('POST /api/documents', 'nobody', `Content-Length: ${body.length}`)
  expect(await request.status()).toBe(401)
  request.socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await until(() => request.answer().includes('HTTP/1.1 200'), 'the next request is answered')
})
