/**
 * Server cost of many users: Copydesk, where everything is on disk before it is acknowledged, compared with Hocuspocus
 * with its database extension, which acknowledges what is in memory. Same clients in a process of their own, same
 * machine, one after the other, round after round.
 *
 *     pnpm --filter @copydesk/bench load
 *
 * Every client has written something before the measurement. SECONDS (5) and ROUNDS (2) change how long is measured;
 * PROFILE names a folder for CPU profiles of Copydesk. What a commit costs on the disk of TMPDIR is measured, too:
 * TMPDIR=/dev/shm shows the cost without a disk. Linux only: processor time and memory come from /proc. The machine's
 * load is printed with the figures, and all of it is written as JSON to bench/results (of memory in
 * load-in-memory.json).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { measureDisk } from './disk.ts'
import { type Clients, startClients } from './client-process.ts'
import type { LoadAnswer, Spans } from './load-protocol.ts'
import { type LoadTarget, startBaseline, startCopydesk, startWithoutIdleCache } from './load-target.ts'

type Row = Record<string, number>
const seconds = Number(process.env['SECONDS'] ?? 5)
const rounds = Number(process.env['ROUNDS'] ?? 2)
const warmUpSeconds = 1.5
const largeBytes = 2 * 1024 * 1024
const settleIdleMs = 5000
/** The most that Copydesk may need in these rows, as a ratio to Hocuspocus in the same run. */
const aims: Row = { 'MB idle': 2, MB: 2.5, 'µs CPU/update': 1.5, 'µs CPU/update flat out': 1.5, 'seen p99': 1.5 }
const scenarios = [
  { name: '50 people in one document', documents: 1, people: 50, everyMs: 250 },
  { name: '500 people in 100 documents', documents: 100, people: 5, everyMs: 1000 },
]

/** Lets all clients type and measures the server's cost meanwhile. */
async function type(
  target: LoadTarget,
  clients: Clients,
  everyMs: number | null,
  forSeconds = seconds,
): Promise<LoadAnswer & { cpu: number }> {
  let cpu = 0
  const answer = await clients.ask<LoadAnswer>({ kind: 'type', everyMs, seconds: forSeconds }, (moment) => {
    cpu = moment === 'begins' ? target.cpuMs() : target.cpuMs() - cpu
  })
  return { ...answer, cpu: (cpu * 1000) / answer.typed }
}

async function settle(): Promise<void> {
  await setTimeout(1500)
}

async function measurePeople(
  target: LoadTarget,
  { documents, people, everyMs }: (typeof scenarios)[number],
): Promise<Row> {
  const clients = startClients()
  try {
    const made = await target.make(documents, people)
    await settle()
    const before = target.memory()
    await clients.ask({ kind: 'join', url: target.url, documents: made })
    await settle()
    const joined = target.memory()
    // Copydesk shows the first update of a page only when it is on disk; this happens once.
    await type(target, clients, everyMs, warmUpSeconds)
    const paced = await type(target, clients, everyMs)
    const flatOut = await type(target, clients, null)
    return {
      'ack p50': paced.acknowledged.p50,
      'ack p99': paced.acknowledged.p99,
      'seen p50': paced.propagated.p50,
      'seen p99': paced.propagated.p99,
      'µs CPU/update': paced.cpu,
      'updates/s': flatOut.typed / seconds,
      'µs CPU/update flat out': flatOut.cpu,
      MB: megabytes(target),
      'kB/connection': (joined - before) / (documents * people) / 1024,
      'kB/document': (joined - before) / documents / 1024,
      'clients busy': paced.busy,
      missing: paced.missing + flatOut.missing,
    }
  } finally {
    clients.close()
    await settle()
  }
}

const megabytes = (target: LoadTarget): number => target.memory() / 1024 / 1024

/** A server right after its start, which nobody uses. */
async function measureIdle(target: LoadTarget): Promise<Row> {
  await setTimeout(settleIdleMs)
  return { 'MB idle': megabytes(target) }
}

/** 50 people type, first alone, then while another client opens and closes a large document. */
async function measureNeighbour(target: LoadTarget): Promise<Row> {
  const [clients, neighbour] = [startClients(), startClients()]
  try {
    const [large] = await target.make(1, 1)
    const place = { url: target.url, document: large?.name ?? '', token: large?.tokens[0] ?? '' }
    await neighbour.ask({ kind: 'seed-large', ...place, bytes: largeBytes })
    await clients.ask({ kind: 'join', url: target.url, documents: await target.make(1, 50) })
    await settle()
    await type(target, clients, 250, warmUpSeconds)
    const alone = await type(target, clients, 250)
    const times = Math.max(2, Math.floor(seconds))
    const joining = neighbour.ask<{ took: Spans; bytes: number }>({ kind: 'join-large', ...place, times, everyMs: 500 })
    const beside = await type(target, clients, 250)
    const { took, bytes } = await joining
    return {
      'seen p50': beside.propagated.p50,
      'seen p99': beside.propagated.p99,
      'seen p99 alone': alone.propagated.p99,
      'p99 beside / alone': beside.propagated.p99 / alone.propagated.p99,
      'join p50': took.p50,
      'MB joined': bytes / 1024 / 1024,
    }
  } finally {
    clients.close()
    neighbour.close()
  }
}

function medians(rows: readonly Row[]): Row {
  const names = Object.keys(rows[0] ?? {})
  return Object.fromEntries(
    names.map((name) => {
      const values = rows.map((row) => row[name] ?? Number.NaN).toSorted((a, b) => a - b)
      return [name, ((values[(values.length - 1) >> 1] ?? 0) + (values[values.length >> 1] ?? 0)) / 2]
    }),
  )
}

const disk = await measureDisk()
const results: Record<string, Record<string, Row[]>> = {}
const loads: number[] = []

function note(scenario: string, target: string, row: Row): void {
  const byTarget = (results[scenario] ??= {})
  ;(byTarget[target] ??= []).push(row)
  loads.push(loadavg()[0] ?? 0)
}

for (let round = 0; round < rounds; round++) {
  // The first server runs under other machine conditions than the second, so they alternate.
  const starts = [startBaseline, startCopydesk, startWithoutIdleCache]
  for (const start of round % 2 === 0 ? starts : starts.toReversed()) {
    const target = await start()
    try {
      // No client leaves here, so it makes no difference when a document is closed.
      const shared = start === startWithoutIdleCache ? [] : scenarios
      if (start !== startWithoutIdleCache) note('idle', target.name, await measureIdle(target))
      for (const scenario of shared) note(scenario.name, target.name, await measurePeople(target, scenario))
      note('50 people beside a join of 2 MB', target.name, await measureNeighbour(target))
    } finally {
      await target.close()
    }
  }
}

const machine = {
  processors: availableParallelism(),
  'load average': { least: Math.min(...loads), most: Math.max(...loads) },
  'ms a commit': disk,
}
const tables: Record<string, Record<string, Row>> = {}
for (const [scenario, byTarget] of Object.entries(results)) {
  const rows = Object.fromEntries(Object.entries(byTarget).map(([name, list]) => [name, medians(list)]))
  const { Hocuspocus: theirs = {}, Copydesk: ours = {} } = rows
  rows['ratio'] = Object.fromEntries(Object.keys(ours).map((name) => [name, (ours[name] ?? 0) / (theirs[name] || 1)]))
  const rounded = Object.entries(rows).map(([name, row]): [string, Row] => [
    name,
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.round(value * 100) / 100])),
  ])
  tables[scenario] = Object.fromEntries(rounded)
  console.log(`\n${scenario}`)
  // Transposed: there are more figures than fit on a line.
  const columns = [...rounded, ['aim', aims] as const]
  console.table(
    Object.fromEntries(
      Object.keys(ours).map((name) => [name, Object.fromEntries(columns.map(([who, row]) => [who, row[name] ?? '']))]),
    ),
  )
}
console.log(
  `\n${machine.processors} processors, load average ${machine['load average'].least.toFixed(1)} to ${machine['load average'].most.toFixed(1)}`,
)
console.log(`a commit takes ${disk.p50.toFixed(1)} ms (p99 ${disk.p99.toFixed(1)}, most ${disk.max.toFixed(1)})`)
const folder = fileURLToPath(new URL('../results', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = tmpdir().startsWith('/dev/shm') ? 'load-in-memory.json' : 'load.json'
writeFileSync(`${folder}/${file}`, `${JSON.stringify({ seconds, rounds, machine, tables }, null, 2)}\n`)
process.exit(0)
