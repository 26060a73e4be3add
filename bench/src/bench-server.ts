import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A Copydesk server in its own process, with its own data. */
export type BenchServer = {
  url: string
  collabUrl: string
  post<T>(path: string, body: unknown, token?: string): Promise<T>
  close(): Promise<void>
}

const port = 4794

/** Builds the web app if its sources changed, and serves it with this environment in addition to the usual one. */
export async function startBenchServer(env: Record<string, string>): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'copydesk-bench-'))
  const main = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url))
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      AGENT_RUN_TIMEOUT_MS: '600000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => void (chunk.toString().includes(url) && resolve()))
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return {
    url,
    collabUrl: `${url.replace('http', 'ws')}/collab`,
    async post<T>(path: string, body: unknown, token?: string): Promise<T> {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const headers = { 'content-type': 'application/json', ...authorization }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
    async close() {
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
