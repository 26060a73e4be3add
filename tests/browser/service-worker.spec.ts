import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { test } from './test.ts'

const worker = readFileSync(new URL('../../apps/web/public/service-worker.js', import.meta.url))

/** A server of an app of two files, whose build and health the test sets. */
type App = { build: number; isUp: boolean; asked: string[]; server: Server }

function serveApp(): App {
  const app: App = { build: 1, isUp: true, asked: [], server: createServer() }
  app.server.on('request', ({ url = '' }, response) => {
    app.asked.push(url)
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(app.isUp ? 200 : 502, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (url === '/service-worker.js') send('text/javascript', worker)
    else if (url.startsWith('/api/')) send('text/plain', 'answer')
    else if (url.startsWith('/assets/')) send('text/javascript', `document.body.append(' with ${url.slice(8)}')`)
    else
      send('text/html', `<body>build ${app.build}<script type="module" src="/assets/index-${app.build}.js"></script>`)
  })
  return app
}

test('[OFF-2, OFF-4] a deployment takes effect with the next load, and is what the browser keeps; other files wait for the server', async ({
  browser,
}) => {
  const app = serveApp()
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = app.server.address() as AddressInfo
    const context = await browser.newContext({ serviceWorkers: 'allow', baseURL: `http://127.0.0.1:${port}` })
    const page = await context.newPage()
    const body = page.locator('body')
    await page.goto('/d/one')
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service-worker.js')
      const { active } = await navigator.serviceWorker.ready
      active?.postMessage({ loaded: performance.getEntriesByType('resource').map(({ name }) => name) })
    })
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return all.flat().map(({ url }) => new URL(url).pathname)
      })
    await expect.poll(kept).toEqual(['/', '/assets/index-1.js'])
    // A proxy in front of a server that is down.
    app.isUp = false
    await page.goto('/d/two')
    await expect(body).toHaveText('build 1 with index-1.js')

    app.isUp = true
    for (const build of [2, 3]) {
      app.build = build
      await page.reload()
      await expect(body).toHaveText(`build ${build} with index-${build}.js`)
      await expect.poll(kept).toContain(`/assets/index-${build}.js`)
    }
    // The build before stays for tabs that are still open.
    expect((await kept()).toSorted()).toEqual(['/', '/', '/assets/index-2.js', '/assets/index-3.js'])
    expect(await page.evaluate(async () => (await fetch('/api/answer')).text())).toBe('answer')
    expect(await kept()).not.toContain('/api/answer')
    // A file that isn't kept is answered when the server is up again, since a browser may keep the failure of a module.
    app.isUp = false
    await page.evaluate(() => {
      const script = document.createElement('script')
      document.body.append(Object.assign(script, { type: 'module', src: '/assets/part.js' }))
    })
    await expect.poll(() => app.asked).toContain('/assets/part.js')
    app.isUp = true
    await expect(body).toHaveText('build 3 with index-3.js with part.js')
    app.server.closeAllConnections()
    app.server.close()
    await page.reload()
    await expect(body).toHaveText('build 3 with index-3.js')
    await expect(page.evaluate(() => fetch('/api/answer'))).rejects.toThrow(/fetch/)
  } finally {
    app.server.closeAllConnections()
    app.server.close()
  }
})
