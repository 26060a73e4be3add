import type { DocumentSummary, FollowedLink, NewShareLink } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountHolder, invite, signUp } from '../../testing/test-accounts.ts'
import { linkPath } from '../../testing/role-scene.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let zoe: AccountHolder
const owners = new Map<string, AccountHolder>()

beforeAll(async () => {
  server = await startTestServer(
    { AUTH: 'accounts', TRUST_PROXY: '1' },
    {
      requestTimes: {
        address: 60,
        person: 12,
        guestsAtAddress: 18,
        guestsByLink: 30,
        arrivalsAtAddress: 3,
        arrivalsByLink: 8,
      },
    },
  )
  const ana = await signUp(server.url, server.setUpToken, 'Ana')
  zoe = await signUp(server.url, await invite(ana), 'Zoe')
  for (const name of ['Bea', 'Cleo', 'Dora', 'Eda']) owners.set(name, await signUp(server.url, await invite(ana), name))
})
afterAll(() => server.dispose())

/** Sends `times` requests, each from an address; returns the statuses and the last response. */
async function askOften(path: string, times: number, address: (index: number) => string, token = '') {
  const statuses: number[] = []
  let last: Response | undefined
  for (let index = 0; index < times; index++) {
    const headers = { 'x-forwarded-for': address(index), authorization: `Bearer ${token}` }
    last = await fetch(server.url + path, { headers })
    statuses.push(last.status)
  }
  return { statuses, last }
}

const often = (times: number, status: number) => Array.from({ length: times }, () => status)

test('[RATE-1] an address has a number of requests a minute, then 429 with Retry-After; others continue', async () => {
  const { statuses, last } = await askOften('/healthz', 62, () => '10.1.1.1')
  expect(statuses).toEqual([...often(60, 200), 429, 429])
  expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await askOften('/healthz', 1, () => '10.1.1.2')).statuses).toEqual([200])
  // A client with one IPv6 address of a network has all of them.
  const spread = await askOften('/healthz', 62, (index) => `2001:db8:1:2::${index}`)
  expect(spread.statuses).toEqual([...often(60, 200), 429, 429])
})

test('[RATE-2] a person has fewer, from wherever they ask', async () => {
  const { statuses } = await askOften('/api/me', 14, (index) => `10.2.${index}.1`, zoe.token)
  expect(statuses).toEqual([...often(12, 200), 429, 429])
})

/** A link to a document of a user whose own rate limit is not used up. */
async function makeLink(name: string) {
  const owner = owners.get(name)
  if (!owner) throw new Error(`${name} has no account`)
  const { body: document } = await owner.call<DocumentSummary>('POST', '/api/documents', {})
  const links = `/api/documents/${document.id}/links`
  const { body } = await owner.call<NewShareLink>('POST', links, { role: 'viewer' })
  return { owner, path: `/api/documents/${document.id}`, link: linkPath(body.url) }
}

async function comeIn(link: string, address: string): Promise<{ status: number; token: string }> {
  const headers = { 'x-forwarded-for': address, 'content-type': 'application/json' }
  const answer = await fetch(server.url + link, { method: 'POST', headers, body: JSON.stringify({ name: 'Guest' }) })
  return { status: answer.status, token: ((await answer.json()) as FollowedLink).token ?? '' }
}

test('[RATE-3] guests at one address count together, and the link has enough for others', async () => {
  const { link, path } = await makeLink('Bea')
  const guests = [await comeIn(link, '10.3.1.1'), await comeIn(link, '10.3.1.1')]
  const [first, second] = guests.map(({ token }) => token)
  expect((await askOften(path, 10, () => '10.3.1.1', first)).statuses).toEqual(often(10, 200))
  expect((await askOften(path, 10, () => '10.3.1.1', second)).statuses).toEqual([...often(8, 200), 429, 429])
  // The same user at another address, and another guest, can still send requests.
  expect((await askOften(path, 1, () => '10.3.1.2', second)).statuses).toEqual([200])
  expect((await askOften(path, 1, () => '10.3.1.3', (await comeIn(link, '10.3.1.3')).token)).statuses).toEqual([200])
})

test('[RATE-4] all guests of one link count together, wherever they are; people with accounts are not limited by that', async () => {
  const { link, path, owner } = await makeLink('Cleo')
  const other = await makeLink('Dora')
  const statuses: number[] = []
  for (const index of [1, 2, 3, 4]) {
    const { token } = await comeIn(link, `10.4.${index}.1`)
    statuses.push(...(await askOften(path, 8, () => `10.4.${index}.1`, token)).statuses)
  }
  expect(statuses).toEqual([...often(30, 200), 429, 429])
  expect((await owner.call('GET', path)).status).toBe(200)
  const elsewhere = await comeIn(other.link, '10.4.1.1')
  expect((await askOften(other.path, 1, () => '10.4.1.1', elsewhere.token)).statuses).toEqual([200])
})

test('[RATE-5] a link makes only so many guests, in all and for one address', async () => {
  const { link } = await makeLink('Eda')
  const arrivals = async (addresses: readonly number[]) => {
    const answers: number[] = []
    for (const address of addresses) answers.push((await comeIn(link, `10.5.${address}.1`)).status)
    return answers
  }
  expect(await arrivals([1, 1, 1, 1])).toEqual([200, 200, 200, 429])
  expect(await arrivals([2, 3, 4, 5, 6, 7])).toEqual([...often(5, 200), 429])
})
