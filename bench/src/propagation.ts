/**
 * How long a keystroke takes until it is acknowledged and until another client has it: Copydesk, where everything is on
 * disk first, compared with a bare Hocuspocus server that keeps documents in memory only. Same clients, same machine,
 * same run.
 *
 *     pnpm --filter @copydesk/bench propagation
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { Server } from '@hocuspocus/server'
import * as Y from 'yjs'

type Target = { name: string; url: string; token: string; document: string; close(): Promise<void> }
type Figures = { acknowledged: number[]; propagated: number[] }

const keys = Number(process.env.KEYS ?? 1000)
const everyMs = 5
const copydeskPort = 4791
const baselinePort = 4792

async function startBaseline(): Promise<Target> {
  const server = new Server({ port: baselinePort, quiet: true, debounce: 60_000, maxDebounce: 60_000 })
  await server.listen()
  const close = async (): Promise<void> => {
    await server.destroy()
  }
  return { name: 'Hocuspocus', url: `ws://127.0.0.1:${baselinePort}`, token: 'x', document: 'bench', close }
}

async function startCopydesk(): Promise<Target> {
  const dataDir = mkdtempSync(join(tmpdir(), 'copydesk-bench-'))
  const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
  const env = { PATH: process.env.PATH ?? '', PORT: String(copydeskPort), DATA_DIR: dataDir }
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => server.stdout.once('data', resolve))
  const base = `http://127.0.0.1:${copydeskPort}`
  const post = async (path: string, body: unknown, token?: string): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }
  const { token = '' } = await post('/api/session', { name: 'Bench' })
  const { id = '' } = await post('/api/documents', {}, token)
  const close = async (): Promise<void> => {
    const exited = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { name: 'Copydesk', url: `ws://127.0.0.1:${copydeskPort}/collab`, token, document: id, close }
}

async function joinAs({ url, token, document }: Target): Promise<HocuspocusProvider> {
  const websocketProvider = new HocuspocusProviderWebsocket({ url })
  const provider = new HocuspocusProvider({ websocketProvider, name: document, token, document: new Y.Doc() })
  const synced = new Promise((resolve) => provider.on('synced', resolve))
  provider.attach()
  await synced
  return provider
}

/** One person types, another watches. Times in milliseconds from the keystroke. */
async function measure(target: Target): Promise<Figures> {
  const [writer, reader] = await Promise.all([joinAs(target), joinAs(target)])
  const figures: Figures = { acknowledged: [], propagated: [] }
  const typedAt: number[] = []
  writer.on('unsyncedChanges', ({ number }: { number: number }) => {
    const settled = typedAt.length - number
    while (figures.acknowledged.length < settled) {
      figures.acknowledged.push(performance.now() - (typedAt[figures.acknowledged.length] ?? 0))
    }
  })
  const watched = reader.document.getText('bench')
  watched.observe(() => {
    while (figures.propagated.length < watched.length) {
      figures.propagated.push(performance.now() - (typedAt[figures.propagated.length] ?? 0))
    }
  })
  const text = writer.document.getText('bench')
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (typedAt.length === keys) {
        if (figures.acknowledged.length < keys || figures.propagated.length < keys) return
        clearInterval(timer)
        return resolve()
      }
      typedAt.push(performance.now())
      text.insert(text.length, 'x')
    }, everyMs)
  })
  for (const provider of [writer, reader]) {
    provider.destroy()
    provider.configuration.websocketProvider.destroy()
  }
  return figures
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

const rows: Record<string, Record<string, number>> = {}
for (const start of [startBaseline, startCopydesk]) {
  const target = await start()
  try {
    const { acknowledged, propagated } = await measure(target)
    rows[target.name] = {
      'ack p50': quantile(acknowledged, 0.5),
      'ack p99': quantile(acknowledged, 0.99),
      'seen p50': quantile(propagated, 0.5),
      'seen p99': quantile(propagated, 0.99),
    }
  } finally {
    await target.close()
  }
}
const [baseline = {}, ours = {}] = [rows.Hocuspocus, rows.Copydesk]
rows.ratio = Object.fromEntries(Object.keys(ours).map((key) => [key, (ours[key] ?? 0) / (baseline[key] ?? 1)]))
console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, roundAll(row)])))
console.log(JSON.stringify({ keys, everyMs, ...rows }))
process.exit(0)

function roundAll(row: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.round(value * 100) / 100]))
}
