/**
 * Whether 50 people who type in one document and a working agent fit into a container of 512 MB: builds the image, runs
 * it with `docker run --memory=512m`, and prints the memory of its control group every five seconds. Exit code 1 if the
 * container ran out of memory or an edit was lost.
 *
 *     pnpm --filter @copydesk/bench container
 *
 * Needs Docker. SECONDS (30) changes how long is typed.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startClients } from './client-process.ts'
import type { LoadAnswer } from './load-protocol.ts'
import { collabOf, makeDocuments, post } from './load-target.ts'

const seconds = Number(process.env['SECONDS'] ?? 30)
const people = 50
const [base, image, name] = ['http://127.0.0.1:4463', 'copydesk-bench', `copydesk-bench-${process.pid}`]
const root = fileURLToPath(new URL('../..', import.meta.url))
const docker = (...args: string[]): string => execFileSync('docker', args, { cwd: root, encoding: 'utf8' }).trim()

async function untilReady(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${base}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await setTimeout(200)
  }
}

/** Asks the agent for one change after the other until `signal` is aborted. Resolves with the number of runs. */
async function keepAgentBusy(document: string, token: string, signal: AbortSignal): Promise<number> {
  let runs = 0
  while (!signal.aborted) {
    const words = runs % 2 === 0 ? ['Writer', 'Author'] : ['Author', 'Writer']
    const text = `@agent replace "${words[0]}" with "${words[1]}" everywhere`
    const { run } = await post<{ run?: { id: string } }>(base, `/api/documents/${document}/messages`, { text }, token)
    if (!run) throw new Error('the message started no run')
    for (let isOver = false; !isOver;) {
      await setTimeout(250)
      const response = await fetch(`${base}/api/documents/${document}/runs/${run.id}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { status } = (await response.json()) as { status: string }
      isOver = ['completed', 'failed', 'stopped', 'limit_reached'].includes(status)
    }
    runs++
  }
  return runs
}

const memory = (): number => {
  const used = docker('stats', '--no-stream', '--format', '{{.MemUsage}}', name)
  return Number.parseFloat(used)
}

docker('build', '--tag', image, '.')
const open = ['--env', 'AUTH=open', '--env', 'AUTH_OPEN_ON_NETWORK=true', '--env', 'AGENT_PROVIDER=builtin']
const limits = ['--memory=512m', '--memory-swap=512m', '--read-only', '--tmpfs', '/tmp:size=64m']
docker('run', '--detach', '--name', name, ...limits, ...open, '--publish', '127.0.0.1:4463:3000', image)
const clients = startClients()
try {
  await untilReady()
  console.log(`idle: ${memory().toFixed(0)} MiB`)
  const documents = await makeDocuments(base, 1, people)
  const [document] = documents
  await clients.ask({ kind: 'join', url: collabOf(base), documents })
  console.log(`${people} people have joined: ${memory().toFixed(0)} MiB`)
  const over = new AbortController()
  const agent = keepAgentBusy(document?.name ?? '', document?.tokens[0] ?? '', over.signal)
  const watch = setInterval(
    () => console.log(`${people} people type, the agent works: ${memory().toFixed(0)} MiB`),
    5000,
  )
  const answer = await clients.ask<LoadAnswer>({ kind: 'type', everyMs: 250, seconds })
  over.abort()
  const runs = await agent
  clearInterval(watch)
  const state = JSON.parse(docker('inspect', '--format', '{{json .State}}', name)) as {
    OOMKilled: boolean
    Running: boolean
  }
  console.log(`${answer.typed} updates acknowledged, ${answer.missing} missing, ${runs} runs of the agent`)
  console.log(`seen by others: p50 ${answer.propagated.p50.toFixed(1)} ms, p99 ${answer.propagated.p99.toFixed(1)} ms`)
  console.log(state.OOMKilled || !state.Running ? 'out of memory' : 'it fits')
  process.exitCode = state.OOMKilled || !state.Running || answer.missing > 0 || runs === 0 ? 1 : 0
} finally {
  clients.close()
  docker('rm', '--force', name)
}
