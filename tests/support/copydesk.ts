import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/lib/free-port.ts'
import { serverBundle } from '../../scripts/lib/paths.ts'

/** A Copydesk server as a process of its own, as an operator would start it. */
export type Copydesk = {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  /** The id of its process, another one after each start. */
  readonly pid: number
  /** What it has printed, logs included. */
  output(): string
  /** Whether its process is still running. */
  isRunning(): boolean
  /** Ends it without warning, as a power cut would. */
  kill(): Promise<void>
  /** Ends it as an operator would. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Starts it again on the same port and data. */
  restart(env?: Record<string, string>): Promise<void>
  /** Ends it and deletes its data. */
  dispose(): Promise<void>
}

// The ports of servers that have ended. A browser has the scripts of these addresses compiled.
const left: number[] = []

/** Starts a server with a data folder of its own, on the port of an earlier one if that is still free. */
export async function startCopydesk(env: Record<string, string> = {}): Promise<Copydesk> {
  const port = await freePort(left.pop())
  const dataDir = makeDataFolder()
  let process = await launch(port, dataDir, env)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (process.child.exitCode !== null || process.child.signalCode !== null) return process.child.exitCode
    const exited = once(process.child, 'exit')
    process.child.kill(signal)
    await exited
    return process.child.exitCode
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    get pid() {
      return process.child.pid ?? 0
    },
    output: () => process.output.join(''),
    isRunning: () => process.child.exitCode === null && process.child.signalCode === null,
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    async restart(changed = {}) {
      await end('SIGKILL')
      process = await launch(port, dataDir, { ...env, ...changed })
    },
    async dispose() {
      await end('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
      if (!left.includes(port)) left.push(port)
    },
  }
}

function makeDataFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-test-'))
  // Migrating a new database takes a fifth of a start.
  const empty = process.env.EMPTY_DATABASE
  if (empty !== undefined) copyFileSync(empty, join(directory, 'copydesk.sqlite'))
  return directory
}

async function launch(port: number, dataDir: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [serverBundle], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      AGENT_PROVIDER: 'builtin',
      ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (output.join('').includes('Copydesk is at')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output.join('')}`)))
  })
  return { child, output }
}
