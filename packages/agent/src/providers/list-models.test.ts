import { createServer } from 'node:http'
import { listenLocally } from '@copydesk/testing'
import { afterEach, expect, test } from 'vitest'
import { createModelServer } from '../../testing/model-server.ts'
import { services } from './index.ts'
import { listModels } from './list-models.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const { signal } = new AbortController()
const openai = services.find(({ id }) => id === 'openai')

test.each(services.map((service) => [service.id, service] as const))('lists the models of %s', async (id, service) => {
  const provider = id as 'anthropic' | 'openai' | 'gemini'
  const { baseURL, close } = await createModelServer({ provider, script: () => '', models: ['second', 'first'] })
  closing.push(close)
  const listing = await listModels(service, { apiKey: 'played', baseURL }, { signal })
  expect(listing).toEqual({ ok: true, models: ['first', 'second'] })
})

test('what is no list, refuses, redirects, sends too much or is away is a failure', async () => {
  if (!openai) throw new Error('there is no such service')
  const seen: string[] = []
  const { origin, close } = await listenLocally(
    createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`)
      if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '/stolen' }).end()
      else if (request.url?.startsWith('/refuses')) {
        response.writeHead(401).end('{"error": {"message": "Incorrect API key"}}')
      } else if (request.url?.startsWith('/large')) response.end(' '.repeat(3 * 1024 * 1024))
      else response.end('<p>Hello</p>')
    }),
  )
  const list = async (path: string) => listModels(openai, { apiKey: 'k', baseURL: origin + path }, { signal })
  expect(await list('/page/')).toMatchObject({ ok: false, failure: { code: 'invalid_response' } })
  expect(await list('/refuses')).toMatchObject({ failure: { code: 'unauthorized', message: 'Incorrect API key' } })
  expect(await list('/moved')).toMatchObject({ failure: { code: 'invalid_request', status: 302 } })
  expect(await list('/large')).toMatchObject({ failure: { message: expect.stringContaining('more than a list') } })
  expect(seen).toEqual(['/page', '/refuses', '/moved', '/large'].map((path) => `${path}/models Bearer k`))
  await close()
  const away = await listenLocally(createServer())
  await away.close()
  expect(await listModels(openai, { baseURL: away.origin }, { signal })).toMatchObject({
    failure: { code: 'network', errno: 'ECONNREFUSED' },
  })
})
