import { describe, expect, test } from 'vitest'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import { failure } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentSessionOptions } from '../../session/host/session-options.ts'
import type { WebHost } from '../../session/host/web-host.ts'
import { headlessOn } from '../../testing/headless.ts'
import { documentOf, fail, markdownOf, sessionOn, succeed } from '../../testing/test-document.ts'

const result = { title: 'Cats', url: 'https://cats.example/a', content: 'All about cats.', score: 0.9 }
const image = {
  url: 'https://images.example/cat.jpg?w=1080',
  thumbnailUrl: 'https://images.example/cat.jpg?w=200',
  description: 'A cat',
  author: 'Ada Lovelace',
  authorUrl: 'https://unsplash.example/@ada',
}
const page = { url: 'https://cats.example/a', title: 'Cats', text: 'Cats purr.' }

const web: WebHost = {
  search: async () => ({ ok: true, results: [result], total: 12 }),
  searchImages: async () => ({
    ok: true,
    images: [image],
    total: 7,
    source: 'Unsplash',
    sourceUrl: 'https://unsplash.com/',
  }),
  readPage: async () => ({ ok: true, page }),
}

function open(
  given: Partial<WebHost> | undefined,
  options: Partial<DocumentSessionOptions> = {},
  doc = documentOf('# Title'),
): DocumentSession {
  const { host } = headlessOn(doc).session
  if (!host) throw new Error('no host')
  const storeImage = async () => ({ ok: true as const, url: '/api/documents/d/images/1.jpg' })
  const own = { ...host, storeImage, ...(given ? { web: { readPage: web.readPage, ...given } } : {}) }
  return sessionOn(doc, { host: own, isNamed: () => false, ...options })
}

describe('search_web', () => {
  test('lists what was found, in the shape that programs get', async () => {
    const found = await succeed(open(web), 'search_web', { query: 'cats' })
    expect(found.details).toEqual({ results: [result], totalResults: 12, query: 'cats' })
    expect(JSON.parse(found.text)).toEqual(found.details)
    expect(found.summary).toBe('Found 1 page for “cats”')
  })

  test('finds nothing as an empty list, and no more than asked for', async () => {
    const nothing = open({ search: async () => ({ ok: true, results: [], total: 0 }) })
    const empty = { results: [], totalResults: 0, query: 'cats' }
    expect((await succeed(nothing, 'search_web', { query: 'cats' })).details).toEqual(empty)
    const results = Array.from({ length: 10 }, () => ({ ...result, content: 'x'.repeat(100_000) }))
    const many = open({ search: async () => ({ ok: true, results, total: 10 }) })
    const found = await succeed(many, 'search_web', { query: 'cats' })
    expect(found.details).toMatchObject({ results: { length: 5 } })
    expect((await succeed(many, 'search_web', { query: 'cats', maxResults: 10 })).text.length).toBeLessThan(10_000)
  })

  test('leaves out what is no address of the web', async () => {
    const bad = ['javascript:alert(1)', 'https://user@evil.example/', `https://a.example/${'x'.repeat(3_000)}`]
    const results = bad.map((url) => ({ ...result, url }))
    const found = await succeed(open({ search: async () => ({ ok: true, results, total: 3 }) }), 'search_web', {
      query: 'cats',
    })
    expect(found.details).toMatchObject({ results: [] })
  })

  test.each(['search_web', 'search_image', 'read_web_page'])('%s says what has to be set up', async (tool) => {
    const { [tool]: input } = {
      search_web: { query: 'x' },
      search_image: { keywords: 'x' },
      read_web_page: { url: 'https://a.example' },
    } as Record<string, unknown>
    const refused = await fail(open(undefined), tool, input)
    expect(refused.code).toBe('not_configured')
    const variables: Record<string, string> = { search_web: 'SEARXNG_URL', search_image: 'UNSPLASH_ACCESS_KEY' }
    expect(refused.hint).toContain(variables[tool] ?? 'say so')
  })

  test('[INJ-6] a query that may not go out waits with its words, and goes out once it is approved', async () => {
    const asked: string[] = []
    const search: WebHost['search'] = async (query) => {
      asked.push(query)
      return { ok: true, results: [], total: 0 }
    }
    const session = open({ search }, { maySearch: () => false, mode: 'edit' })
    const held = await fail(session, 'search_web', { query: 'the price is 4711' })
    expect(held).toMatchObject({ code: 'held', details: { proposal: [{ before: '', after: 'the price is 4711' }] } })
    expect(asked).toEqual([])
    const approved = { callId: 'approved', approved: true }
    expect(await executeToolCall('search_web', { query: 'price' }, session, approved)).toMatchObject({ ok: true })
    expect(asked).toEqual(['price'])
  })
})

describe('read_web_page', () => {
  const url = page.url

  test.each(['edit', 'ask'] as const)('[APP-18] waits unless the caller has named the address (%s)', async (mode) => {
    const held = await fail(open(web, { mode }), 'read_web_page', { url: 'https://evil.example/?text=secret' })
    expect(held.details).toMatchObject({ proposal: [{ before: '', after: 'https://evil.example/?text=secret' }] })
    expect((await succeed(open(web, { mode, isNamed: () => true }), 'read_web_page', { url })).text).toBe(
      `Cats\n${url}\n\nCats purr.`,
    )
  })

  test('[INJ-7] reads what a search of the run has given, also when the run is resumed, and nothing beside it', async () => {
    const session = open(web)
    await succeed(session, 'search_web', { query: 'cats' })
    await succeed(session, 'read_web_page', { url: `${url}#purring` })
    const resumed = open(web, { coordinates: structuredClone(session.coordinates()) })
    await succeed(resumed, 'read_web_page', { url })
    expect((await fail(resumed, 'read_web_page', { url: `${url}?text=secret` })).code).toBe('held')
  })

  test('goes on where it stopped, with one approval, and ends', async () => {
    const text = `${'line of a page\n'.repeat(1_000)}😀`
    const session = open({ readPage: async () => ({ ok: true, page: { ...page, text } }) })
    const approved = { callId: 'approved', approved: true }
    let from = 0
    let shown = ''
    let result = await executeToolCall('read_web_page', { url }, session, approved)
    for (let part = 0; part < 5; part++) {
      const { content } = (result as { details: { content: string } }).details
      shown += content
      expect(content.length).toBeLessThanOrEqual(8_000)
      from = Number(/"from": (\d+)/.exec(result.text)?.[1] ?? 0)
      if (from === 0) break
      result = await succeed(session, 'read_web_page', { url, from })
    }
    expect(shown).toBe(text)
    expect(await fail(session, 'read_web_page', { url, from: 99_999 })).toMatchObject({ code: 'out_of_range' })
  })

  test.each(['file:///etc/passwd', 'example.org', 'https://user:word@example.org/'])('refuses %s', async (address) => {
    expect((await fail(open(web), 'read_web_page', { url: address })).code).toBe('invalid_input')
  })
})

describe('search_image', () => {
  test('lists images in the shape that programs get; trouble is told as it is', async () => {
    const found = await succeed(open(web), 'search_image', { keywords: 'cat' })
    expect(found.details).toEqual({ images: [image], totalImages: 7, keywords: 'cat' })
    const searchImages = async () => failure('unavailable', 'Unsplash answered 503.', 'Try once more.')
    expect(await fail(open({ searchImages }), 'search_image', { keywords: 'cat' })).toMatchObject({
      code: 'unavailable',
      message: 'Unsplash answered 503.',
    })
  })

  test('[INJ-7] its images are inserted without approval, with their author below them', async () => {
    const doc = documentOf('# Title')
    const session = open(web, {}, doc)
    await succeed(session, 'search_image', { keywords: 'cat' })
    const input = { section: 0, imageUrl: image.url, imageDescription: 'A cat', caption: 'Ours' }
    const inserted = await succeed(session, 'insert_image', input)
    expect(inserted.text).toContain(
      'Photo: [Ada Lovelace](https://unsplash.example/@ada), [Unsplash](https://unsplash.com/).',
    )
    const other = { ...input, imageUrl: 'https://images.example/other.jpg' }
    expect((await fail(session, 'insert_image', other)).code).toBe('held')
    const caption = 'Ours – Photo: [Ada Lovelace](https://unsplash.example/@ada), [Unsplash](https://unsplash.com/)'
    expect(markdownOf(doc)).toBe(`# Title\n\n![A cat](/api/documents/d/images/1.jpg "${caption}")`)
  })

  test('in mode ask they wait like every change', async () => {
    const session = open(web, { mode: 'ask' })
    await succeed(session, 'search_image', { keywords: 'cat' })
    const input = { section: 0, imageUrl: image.url, imageDescription: 'A cat' }
    expect((await fail(session, 'insert_image', input)).code).toBe('held')
  })
})
