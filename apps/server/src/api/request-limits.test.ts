import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountHolder, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts', TRUST_PROXY: '1' }, { requestTimes: { address: 30, person: 12 } })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(() => server.dispose())

/** Asks as often as that, each time from an address; answers the statuses, and the last answer. */
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

test('[RATE-1] an address has so many requests a minute, then it is told when to come again; others go on', async () => {
  const { statuses, last } = await askOften('/healthz', 32, () => '10.1.1.1')
  expect(statuses).toEqual([...often(30, 200), 429, 429])
  expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await askOften('/healthz', 1, () => '10.1.1.2')).statuses).toEqual([200])
})

test('[RATE-2] a person has fewer, from wherever they ask', async () => {
  const { statuses } = await askOften('/api/me', 14, (index) => `10.2.${index}.1`, ana.token)
  expect(statuses).toEqual([...often(12, 200), 429, 429])
})
