import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveWeb } from './app.ts'

test('[LAYOUT-11] addresses of documents get their own page, other pages the shell, files their content', async () => {
  const webRoot = mkdtempSync(join(tmpdir(), 'web-files-'))
  const app = fastify()
  try {
    mkdirSync(join(webRoot, 'assets'))
    for (const name of ['index.html', 'document.html', 'assets/a.js']) writeFileSync(join(webRoot, name), name)
    await serveWeb(app, webRoot)
    const get = async (url: string, accept = 'text/html') => {
      const { statusCode, headers, body } = await app.inject({ url, headers: { accept } })
      return [statusCode, headers['cache-control'], statusCode === 200 ? body : undefined]
    }
    for (const url of ['/d/one', '/d/one?comment=1']) expect(await get(url)).toEqual([200, 'no-cache', 'document.html'])
    for (const url of ['/', '/trash', '/s/link', '/d'])
      expect(await get(url), url).toEqual([200, 'no-cache', 'index.html'])
    expect(await get('/assets/a.js', '*/*')).toEqual([200, 'public, max-age=31536000, immutable', 'assets/a.js'])
    for (const url of ['/api/nowhere', '/collab', '/assets/gone.js']) expect((await get(url))[0], url).toBe(404)
    expect((await get('/d/one', 'application/json'))[0]).toBe(404)
  } finally {
    await app.close()
    rmSync(webRoot, { recursive: true, force: true })
  }
})

test('[LAYOUT-12] a file is sent compressed to browsers that take it, else as it is', async () => {
  const webRoot = mkdtempSync(join(tmpdir(), 'web-files-'))
  const app = fastify()
  try {
    mkdirSync(join(webRoot, 'assets'))
    for (const name of ['index.html', 'document.html', 'assets/a.js'])
      for (const ending of ['', '.br', '.gz']) writeFileSync(join(webRoot, name + ending), name + ending)
    await serveWeb(app, webRoot)
    const get = async (url: string, encoding: string) => {
      const { headers, body } = await app.inject({ url, headers: { accept: 'text/html', 'accept-encoding': encoding } })
      return [body, headers['content-encoding'], headers['content-type'], headers['cache-control'], headers['vary']]
    }
    const [script, page] = ['application/javascript; charset=utf-8', 'text/html; charset=utf-8']
    const [kept, vary] = ['public, max-age=31536000, immutable', 'accept-encoding']
    expect(await get('/assets/a.js', 'gzip, br')).toEqual(['assets/a.js.br', 'br', script, kept, vary])
    expect(await get('/assets/a.js', 'gzip')).toEqual(['assets/a.js.gz', 'gzip', script, kept, vary])
    expect(await get('/assets/a.js', 'identity')).toEqual(['assets/a.js', undefined, script, kept, vary])
    expect(await get('/d/one', 'br')).toEqual(['document.html.br', 'br', page, 'no-cache', vary])
    expect(await get('/', 'gzip')).toEqual(['index.html.gz', 'gzip', page, 'no-cache', vary])
  } finally {
    await app.close()
    rmSync(webRoot, { recursive: true, force: true })
  }
})
