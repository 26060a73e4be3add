/**
 * Latency for a user in a long document: from opening it until it can be edited, and from a keystroke to its painted
 * frame while an agent writes and ten other users move their carets. Copydesk as it is served, compared with a bare
 * page with TipTap and Collaboration; same Chromium, same text, same run.
 *
 *     pnpm --filter @copydesk/bench browser
 *
 * KEYS (200) and PARAGRAPHS (5000) change what is measured; CHROMIUM_PATH names the browser; PROFILE names a folder for
 * CPU profiles of the typing, which Chromium's tools open, and prints what a key costs in script, style and layout.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join as joinPath } from 'node:path'
import { createModelServer, type ModelServer } from '@copydesk/agent/testing'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { Server } from '@hocuspocus/server'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import * as Y from 'yjs'
import { bundle, waitFor } from './measured-page.ts'
import { percentile } from './percentile.ts'
import { type BenchServer, startBenchServer } from './bench-server.ts'

type Figures = { 'editable ms': number; 'key p50': number; 'key p95': number; 'key max': number }

const keys = Number(process.env['KEYS'] ?? 200)
const paragraphs = Number(process.env['PARAGRAPHS'] ?? 5000)
const peers = 10
const wordEveryMs = 80
const caretEveryMs = 200
const keyEveryMs = 80

const words = 'a library is a room that lets strangers think side by side until the lamps go out'.split(' ')
const paragraph = (index: number): string =>
  `Paragraph ${index + 1}: ${Array.from({ length: 38 }, (_, word) => words[(index + word) % words.length]).join(' ')}.`
const markdown = Array.from({ length: paragraphs }, (_, index) => paragraph(index)).join('\n\n')
const streamed = Array.from({ length: 2000 }, (_, index) => words[index % words.length]).join(' ')

function join(url: string, name: string, token: string): Promise<HocuspocusProvider> {
  const websocketProvider = new HocuspocusProviderWebsocket({ url })
  const provider = new HocuspocusProvider({ websocketProvider, name, token, document: new Y.Doc() })
  return new Promise((resolve) => {
    provider.on('synced', () => resolve(provider))
    provider.attach()
  })
}

function leave(provider: HocuspocusProvider): void {
  provider.destroy()
  provider.configuration.websocketProvider.destroy()
}

function textAt(doc: Y.Doc, index: number): Y.XmlText {
  const block = doc.getXmlFragment('default').get(index)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${index} holds no text`)
  return text
}

/** Moves a caret around in the visible part of the document. */
function moveCaret(provider: HocuspocusProvider, who: number): () => void {
  let step = who
  provider.setAwarenessField('user', { name: `Peer ${who}`, color: '#3f5b9a' })
  const timer = setInterval(() => {
    step += 1
    const text = textAt(provider.document, (who * 2 + step) % 25)
    const head = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, (step * 7) % 40))
    provider.setAwarenessField('cursor', { anchor: head, head })
  }, caretEveryMs)
  return () => clearInterval(timer)
}

/** Time that the page has spent in each category, in milliseconds. */
async function durations(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  const times = metrics.filter(({ name }) => name.endsWith('Duration'))
  return Object.fromEntries(times.map(({ name, value }) => [name.replace('Duration', ''), value * 1000]))
}

/** Profiles a page if a folder for profiles is given; the returned function ends the profile and stores it. */
async function startProfile(page: Page): Promise<(() => Promise<void>) | undefined> {
  const folder = process.env['PROFILE']
  if (folder === undefined) return undefined
  const session = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await session.send('Performance.enable')
  const before = await durations(session)
  await session.send('Profiler.start')
  return async () => {
    const { profile } = await session.send('Profiler.stop')
    const after = await durations(session)
    const spent = Object.entries(after).map(([name, ms]) => [name, Math.round((ms - (before[name] ?? 0)) / keys)])
    console.table({ [`${page.url()}, ms a key`]: Object.fromEntries(spent) })
    writeFileSync(joinPath(folder, `${new URL(page.url()).port}.cpuprofile`), JSON.stringify(profile))
  }
}

/** Opens the page and types into its tenth paragraph while the other users are active. */
async function measure(page: Page, address: string, disturb: () => Promise<() => void>): Promise<Figures> {
  await page.goto(address)
  const editable = await waitFor<number>(page, 'measured.editableAt', 'opening')
  const calm = await disturb()
  try {
    await page.getByText(paragraph(9).slice(0, 40)).click()
    await page.keyboard.press('End')
    await page.evaluate('measured.keys.length = 0')
    const profile = await startProfile(page)
    for (let key = 0; key < keys; key++) {
      await page.keyboard.press('abcdefghij'[key % 10] ?? 'x')
      await page.waitForTimeout(keyEveryMs)
    }
    const times = await waitFor<number[]>(
      page,
      `measured.keys.length >= ${keys} ? measured.keys : null`,
      'the last key',
    )
    await profile?.()
    return {
      'editable ms': editable,
      'key p50': percentile(times, 0.5),
      'key p95': percentile(times, 0.95),
      'key max': percentile(times, 1),
    }
  } finally {
    calm()
  }
}

async function gather(url: string, name: string, tokens: readonly string[]): Promise<() => void> {
  const providers = await Promise.all(tokens.map((token) => join(url, name, token)))
  const stops = providers.map(moveCaret)
  return () => {
    for (const stop of stops) stop()
    for (const provider of providers) leave(provider)
  }
}

async function measureServer(context: BrowserContext, server: BenchServer): Promise<Figures> {
  const me = await server.post<{ token: string }>('/api/session', { name: 'Bench' })
  await context.addCookies([{ name: 'copydesk_session', value: me.token, url: server.url }])
  const { id } = await server.post<{ id: string }>('/api/documents', { title: 'Bench', markdown }, me.token)
  const others = await Promise.all(
    Array.from({ length: peers }, (_, index) =>
      server.post<{ token: string }>('/api/session', { name: `Peer ${index}` }),
    ),
  )
  const page = await context.newPage()
  return measure(page, `${server.url}/d/${id}`, async () => {
    const stop = await gather(
      server.collabUrl,
      id,
      others.map(({ token }) => token),
    )
    await server.post(`/api/documents/${id}/messages`, { text: 'Write' }, me.token)
    await page.locator('.peer-caret[data-kind="agent"]').first().waitFor({ state: 'attached', timeout: 60_000 })
    return stop
  })
}

async function measureBare(context: BrowserContext): Promise<Figures> {
  const seed = new Y.Doc()
  seed.getXmlFragment('default').push(
    Array.from({ length: paragraphs }, (_, index) => {
      const block = new Y.XmlElement('paragraph')
      block.insert(0, [new Y.XmlText(paragraph(index))])
      return block
    }),
  )
  const state = Y.encodeStateAsUpdate(seed)
  const server = new Server({
    port: 4795,
    quiet: true,
    debounce: 60_000,
    maxDebounce: 60_000,
    onLoadDocument: async ({ document }) => Y.applyUpdate(document, state),
  })
  await server.listen()
  const script = await bundle('bare-page')
  const web = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(
      isScript ? script : '<!doctype html><title>Bare</title><body><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const url = 'ws://127.0.0.1:4795'
  try {
    const page = await context.newPage()
    const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/?url=${url}&document=bench`
    return await measure(page, address, async () => {
      const stop = await gather(
        url,
        'bench',
        Array.from({ length: peers }, () => 'x'),
      )
      const writer = await join(url, 'bench', 'x')
      const text = textAt(writer.document, 4)
      const timer = setInterval(() => text.insert(text.length, ` ${words[text.length % words.length]}`), wordEveryMs)
      return () => {
        clearInterval(timer)
        stop()
        leave(writer)
      }
    })
  } finally {
    web.closeAllConnections()
    web.close()
    await server.destroy()
  }
}

/** A model that writes into the document word by word until typing ends. */
function startWriter(): Promise<ModelServer> {
  const position = { type: 'relative', anchor: paragraph(4), placement: 'after' }
  const call = { name: 'insert_text', arguments: { position, content: streamed, as: 'block' }, everyMs: wordEveryMs }
  return createModelServer({ provider: 'openai', script: () => ({ chunks: [{ toolCall: call }] }) })
}

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const instruments = (await bundle('instruments')).replace('5000', String(paragraphs))
const model = await startWriter()
const server = await startBenchServer(model.environment)

async function inContext(run: (context: BrowserContext) => Promise<Figures>): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(instruments)
  try {
    return await run(context)
  } finally {
    await context.close()
  }
}

try {
  const bare = await inContext(measureBare)
  const ours = await inContext((context) => measureServer(context, server))
  const ratio = Object.fromEntries(
    Object.entries(ours).map(([name, value]) => [name, value / bare[name as keyof Figures]]),
  )
  const rows = { 'TipTap + Collaboration': bare, Copydesk: ours, ratio }
  const round = (value: number): number => Math.round(value * 100) / 100
  const rounded = Object.entries(rows).map(([name, row]) => [
    name,
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, round(value)])),
  ])
  console.table(Object.fromEntries(rounded))
  console.log(JSON.stringify({ paragraphs, keys, peers, ...rows }))
} finally {
  await browser.close()
  await server.close()
  await model.close()
}
process.exit(0)
