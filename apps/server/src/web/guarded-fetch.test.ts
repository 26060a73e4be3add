import type { lookup } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import { type Listening, listenLocally } from '@copydesk/testing'
import { afterEach, expect, test } from 'vitest'
import { createGuardedFetch, isPublicAddress } from './guarded-fetch.ts'

const limits = { accept: '*/*', limit: 1000, timeoutMs: 5000 }
const open: Listening[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function serve(listener: RequestListener): Promise<string> {
  const listening = await listenLocally(createServer(listener))
  open.push(listening)
  return listening.origin
}

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['fe80::1', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['::', false],
  ['nonsense', false],
])('[IMG-3] %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

test('[WEB-4] what is private is reached only under a host that the operator allows, and no redirect leads elsewhere', async () => {
  let reached = 0
  const inner = await serve((_request, response) => void response.end(`${++reached}`))
  const url = await serve((request, response) => {
    if (request.url === '/away')
      return response.writeHead(302, { location: inner.replace('127.0.0.1', '127.0.0.2') }).end()
    if (request.url === '/file') return response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end()
    response.end('own')
  })
  const guarded = createGuardedFetch({ allowedHosts: ['127.0.0.1'] })
  expect(await guarded(url, limits)).toMatchObject({ ok: true, bytes: new Uint8Array(Buffer.from('own')) })
  expect(await guarded(`${url}/away`, limits)).toEqual({ ok: false, reason: 'inside' })
  expect(await guarded(`${url}/file`, limits)).toEqual({ ok: false, reason: 'address' })
  expect(await guarded(`${url}/loop`, limits)).toEqual({ ok: false, reason: 'address' })
  expect(await createGuardedFetch({})(url, limits)).toEqual({ ok: false, reason: 'inside' })
  expect(reached).toBe(0)
})

test('[WEB-4] the address that was checked is the one that is connected to, whatever the name says later', async () => {
  let reached = 0
  const url = await serve((request, response) => {
    reached++
    response.setHeader('connection', 'close')
    if (request.url === '/') return response.end('first')
    response.writeHead(302, { location: '/' }).end()
  })
  const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
  let asked = 0
  const rebinding = ((_host: string, _options: object, callback: (...given: unknown[]) => void) =>
    callback(null, [{ address: answers[asked++], family: 4 }])) as unknown as typeof lookup
  const guarded = createGuardedFetch({ isAllowed: (address) => address === '127.0.0.1', lookup: rebinding })
  const named = url.replace('127.0.0.1', 'rebinding.example')
  expect(await guarded(named, limits)).toMatchObject({ ok: true })
  expect([asked, reached]).toEqual([1, 1])
  // A new connection, also for a redirect on the same host, is checked again.
  expect(await guarded(`${named}/away`, limits)).toEqual({ ok: false, reason: 'inside' })
  expect(reached).toBe(1)
})

test('[WEB-5] size and time are limited, also of an answer that never ends, and a stop ends it', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/silent') return
    response.write('x'.repeat(600))
    if (request.url === '/large') response.end('x'.repeat(600))
  })
  const guarded = createGuardedFetch({ isAllowed: () => true })
  expect(await guarded(`${url}/large`, limits)).toEqual({ ok: false, reason: 'too-large' })
  const short = { ...limits, timeoutMs: 100 }
  expect(await guarded(`${url}/silent`, short)).toEqual({ ok: false, reason: 'slow' })
  expect(await guarded(`${url}/drip`, short)).toEqual({ ok: false, reason: 'slow' })
  await expect(guarded(`${url}/silent`, limits, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
})
