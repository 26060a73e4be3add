import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadDocument } from './load-protocol.ts'

/** A server under load, in its own process with its own data. */
export type LoadTarget = {
  name: string
  url: string
  /** Makes documents with so many people each. */
  make(documents: number, people: number): Promise<LoadDocument[]>
  /** Milliseconds of processor time that the server has used, threads included. */
  cpuMs(): number
  /** Resident memory of the server in bytes. */
  memory(): number
  close(): Promise<void>
}

const ports = { copydesk: 4461, baseline: 4462 }
/** The flags of Node in `pnpm start` and in the image. */
const asDelivered = ['--max-semi-space-size=4']
const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
// In this folder Node writes a CPU profile of each thread of the server.
const profileFolder = process.env['PROFILE']

/** Copydesk as it is delivered, with people who have signed in. */
export function startCopydesk(): Promise<LoadTarget> {
  return startWith('Copydesk', {})
}

/**
 * Copydesk that, like Hocuspocus, closes a document as soon as the last client has left and reloads it for the next
 * one.
 */
export function startWithoutIdleCache(): Promise<LoadTarget> {
  return startWith('Copydesk, reloading', { KEEP_OPEN_SECONDS: '0' })
}

/** Copydesk with further environment variables. */
export function startCopydeskWith(settings: Record<string, string>): Promise<LoadTarget> {
  return startWith('Copydesk', settings)
}

async function startWith(name: string, settings: Record<string, string>): Promise<LoadTarget> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-load-'))
  const flags = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const env = { PORT: String(ports.copydesk), DATA_DIR: directory, AGENT_PROVIDER: 'builtin', ...settings }
  const server = await launch(
    [...asDelivered, ...flags, pathOf('../../apps/server/dist/main.js')],
    env,
    'Copydesk is at',
  )
  const base = `http://127.0.0.1:${ports.copydesk}`
  return {
    name,
    url: collabOf(base),
    make: (documents, people) => makeDocuments(base, documents, people),
    ...figuresOf(server),
    close: () => end(server, directory),
  }
}

/** The WebSocket address of a Copydesk. */
export function collabOf(base: string): string {
  return `${base.replace('http', 'ws')}/collab`
}

/**
 * Sends a request to a Copydesk and returns the body of the answer.
 * @throws if it is refused.
 */
export async function post<T>(base: string, path: string, body: unknown, token?: string): Promise<T> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Makes documents with so many signed-in people each, on a Copydesk with AUTH=open. */
export async function makeDocuments(base: string, documents: number, people: number): Promise<LoadDocument[]> {
  const signIn = async (index: number): Promise<string> =>
    (await post<{ token: string }>(base, '/api/session', { name: `Person ${index}` })).token
  const made: LoadDocument[] = []
  for (let index = 0; index < documents; index++) {
    const tokens = await Promise.all(Array.from({ length: people }, (_, person) => signIn(person)))
    made.push({ name: (await post<{ id: string }>(base, '/api/documents', {}, tokens[0])).id, tokens })
  }
  return made
}

/** Hocuspocus with its database extension, without authentication. */
export async function startBaseline(): Promise<LoadTarget> {
  const directory = mkdtempSync(join(tmpdir(), 'hocuspocus-load-'))
  const server = await launch([pathOf('./load-baseline.ts'), String(ports.baseline), directory], {}, 'ready')
  let made = 0
  return {
    name: 'Hocuspocus',
    url: `ws://127.0.0.1:${ports.baseline}`,
    make: async (documents, people) =>
      Array.from({ length: documents }, () => ({
        name: `document-${made++}`,
        tokens: Array<string>(people).fill('x'),
      })),
    ...figuresOf(server),
    close: () => end(server, directory),
  }
}

async function launch(args: string[], env: Record<string, string>, word: string): Promise<ChildProcess> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const server = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: [...stdio] })
  await new Promise<void>((resolve, reject) => {
    server.stdout?.on('data', (chunk: Buffer) => void (chunk.toString().includes(word) && resolve()))
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return server
}

async function end(server: ChildProcess, directory: string): Promise<void> {
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  await exited
  rmSync(directory, { recursive: true, force: true })
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** What Linux knows of a process (proc(5)). */
function figuresOf({ pid }: ChildProcess): Pick<LoadTarget, 'cpuMs' | 'memory'> {
  const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  return {
    cpuMs() {
      // The name of the program, in parentheses, may hold spaces.
      const fields = read('stat').split(') ')[1]?.split(' ') ?? []
      return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(read('status'))?.[1]) * 1024,
  }
}
