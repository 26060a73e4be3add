import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountHolder, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder

beforeAll(async () => {
  server = await startTestServer({ AUTH: 'accounts', TRUST_PROXY: '1' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
})
afterAll(() => server.dispose())

/** Asks as often as that from an address, a hundred at a time; answers how often each status came, and the last refusal. */
async function askOften(path: string, times: number, address: (index: number) => string, token = '') {
  const statuses: Record<number, number> = {}
  let refused: Response | undefined
  for (let done = 0; done < times; done += 100) {
    const answers = Array.from({ length: Math.min(100, times - done) }, async (_, index) => {
      const headers = { 'x-forwarded-for': address(done + index), authorization: `Bearer ${token}` }
      const response = await fetch(server.url + path, { headers })
      await response.arrayBuffer()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.status === 429) refused = response
    })
    await Promise.all(answers)
  }
  return { statuses, refused }
}

test('[RATE-1] an address has three thousand requests a minute, then it is told when to come again; others go on', async () => {
  const { statuses, refused } = await askOften('/healthz', 3010, () => '10.1.1.1')
  expect(statuses).toEqual({ 200: 3000, 429: 10 })
  expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await askOften('/healthz', 1, () => '10.1.1.2')).statuses).toEqual({ 200: 1 })
})

test('[RATE-2] a person has twelve hundred, from wherever they ask', async () => {
  const { statuses } = await askOften('/api/me', 1210, (index) => `10.2.${index % 250}.1`, ana.token)
  expect(statuses).toEqual({ 200: 1200, 429: 10 })
})
