import { expect, test } from 'vitest'
import { originOf } from '../../common/client-address.ts'
import { defaultSocketLimits, SocketCounts } from './socket-limits.ts'
import { TokenBucket } from './token-bucket.ts'

const request = (remoteAddress: string, forwarded?: string) => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  socket: { remoteAddress },
})

const addressOf = (from: ReturnType<typeof request>, proxies: number) => originOf(from, proxies).address
const at = (address: string) => ({ address, distinguishesCallers: true })

test('[SOCKET-1] an address is the socket’s own; behind proxies it is what the outermost of them has seen', () => {
  expect(addressOf(request('10.0.0.1', '1.2.3.4'), 0)).toBe('10.0.0.1')
  expect(addressOf(request('10.0.0.1', '6.6.6.6, 1.2.3.4'), 1)).toBe('1.2.3.4')
  expect(addressOf(request('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2'), 2)).toBe('1.2.3.4')
  expect(addressOf(request('10.0.0.1'), 2)).toBe('10.0.0.1')
  expect(addressOf(request('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1')
  expect(addressOf(request('2001:db8:1:2:3:4:5:6'), 0)).toBe(addressOf(request('2001:db8:1:2::99'), 0))
  expect(addressOf(request('10.0.0.1', `${'x'.repeat(500)}`), 1)).toHaveLength(64)
})

test('[SOCKET-8] the address of this machine distinguishes no clients, unless a proxy is declared', () => {
  const tells = (remoteAddress: string, proxies: number, forwarded?: string) =>
    originOf(request(remoteAddress, forwarded), proxies).distinguishesCallers
  for (const own of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) expect(tells(own, 0)).toBe(false)
  for (const other of ['10.0.0.1', '2001:db8::1', '']) expect(tells(other, 0)).toBe(true)
  expect(tells('127.0.0.1', 0, '1.2.3.4')).toBe(false)
  expect(tells('127.0.0.1', 1, '1.2.3.4')).toBe(true)
})

test('[SOCKET-2] sockets of an address, strangers and upgrades are counted, and forgotten when they leave', () => {
  let now = 0
  const limits = { ...defaultSocketLimits, socketsPerAddress: 3, unauthenticatedPerAddress: 2 }
  const counts = new SocketCounts({ ...limits, upgradesPerAddress: { burst: 6, perSecond: 1 } }, () => now)
  const [one, two] = [counts.countSocket(at('a')), counts.countSocket(at('a'))]
  expect(counts.checkNewSocket('a').ok).toBe(false)
  expect(counts.checkNewSocket('b').ok).toBe(true)
  one.noteAuthenticated()
  one.noteAuthenticated()
  expect(counts.checkNewSocket('a').ok).toBe(true)
  const three = counts.countSocket(at('a'))
  two.noteAuthenticated()
  three.noteAuthenticated()
  expect(counts.checkNewSocket('a').ok).toBe(false)
  two.closed()
  expect(counts.checkNewSocket('a').ok).toBe(true)
  for (let asked = 0; asked < 5; asked++) counts.checkNewSocket('a')
  expect(counts.checkNewSocket('a')).toEqual({ ok: false, waitSeconds: 1 })
  now = 10_000
  expect(counts.checkNewSocket('a').ok).toBe(true)
})

test('[SOCKET-8] an address pays for refused tokens, is turned away while it owes, and never owes more than it had', () => {
  let now = 0
  const limits = { ...defaultSocketLimits, refusedTokensPerAddress: { burst: 10, perSecond: 1 } }
  const counts = new SocketCounts(limits, () => now)
  const [guesser, neighbour, other] = [
    counts.countSocket(at('a')),
    counts.countSocket(at('a')),
    counts.countSocket(at('b')),
  ]
  for (let times = 0; times < 10; times++) guesser.refused()
  expect(neighbour.isOverTokenLimit).toBe(false)
  guesser.refused()
  expect([neighbour.isOverTokenLimit, other.isOverTokenLimit]).toEqual([true, false])
  for (let times = 0; times < 10_000; times++) guesser.refused()
  const [own, ownNeighbour] = [
    counts.countSocket({ address: 'own', distinguishesCallers: false }),
    counts.countSocket(at('own')),
  ]
  for (let times = 0; times < 20; times++) own.refused()
  expect(ownNeighbour.isOverTokenLimit).toBe(false)
  now = 9999
  expect(neighbour.isOverTokenLimit).toBe(true)
  now = 10_000
  expect(neighbour.isOverTokenLimit).toBe(false)
})

test('[SOCKET-4] a bucket lets a burst through at once, any single take, and a rate after that', () => {
  let now = 0
  const bucket = new TokenBucket({ burst: 10, perSecond: 5 }, () => now)
  expect(bucket.take(10)).toBe(0)
  expect(bucket.take(100)).toBe(20_000)
  now = 20_000
  expect(bucket.take(0)).toBe(0)
  now = 10_000
  expect(bucket.take(5)).toBe(1000)
})
