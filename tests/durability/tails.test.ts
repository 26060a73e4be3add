import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededChoices } from '@copydesk/testing'
import { serverBundle } from '../../scripts/lib/paths.ts'
import { roundsOr } from './faulty-server.ts'
import { copyOf, countLossesOfTornTails, withKilledServer, type KilledServer } from './tails.ts'

const rounds = roundsOr(10)
const words = 60
let remains: KilledServer
let release: () => void
let done: Promise<void>

beforeAll(async () => {
  await new Promise<void>((ready, fail) => {
    done = withKilledServer(words, (left) => {
      remains = left
      ready()
      return new Promise<void>((resolve) => (release = resolve))
    })
    done.catch(fail)
  })
})
afterAll(async () => {
  release()
  await done
})

test(
  `[LOG-20] a torn tail costs nothing that was written before it, ${rounds} times`,
  { timeout: 60_000 + rounds * 4000 },
  async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const random = seededChoices(seed)
    const count = await countLossesOfTornTails(remains, rounds, () => random.int(1_000_000) / 1_000_000)
    console.log(`torn tails: ${JSON.stringify({ seed, ...count })}`)
    expect(count).toMatchObject({ missing: 0, healed: rounds })
    expect(count.guaranteed).toBeGreaterThan(rounds)
  },
)

const damages: { name: string; damage: (file: string) => void }[] = [
  { name: 'cut short', damage: (file) => truncateSync(file, 20_000) },
  { name: 'emptied', damage: (file) => truncateSync(file, 0) },
  { name: 'overwritten', damage: (file) => writeFileSync(file, 'no database at all. '.repeat(5000)) },
  { name: 'damaged inside', damage: damageInside },
]

test.each(damages)(
  '[LOG-21] a database that is $name: the start says in one line what to do, and touches nothing',
  async ({ damage }) => {
    const directory = copyOf(remains)
    const file = joinPath(directory, 'copydesk.sqlite')
    try {
      // What the log of writes repeats would be mended from there.
      if (damage === damageInside) rmSync(`${file}-wal`)
      damage(file)
      const hashes = () => [file, `${file}-wal`].map(hashOf)
      const before = hashes()
      const { code, printed } = await start(directory)
      expect(code).toBe(1)
      expect(printed.trim().split('\n')).toHaveLength(1)
      expect(printed).toMatch(/^DATA_DIR is .* damaged .* nothing was changed\. Copy the folder/)
      expect(hashes()).toEqual(before)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
)

function damageInside(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(7, 3 * 4096, 9 * 4096)
  writeFileSync(file, bytes)
}

/** An empty write-ahead log, which reading a database may leave, counts as none. */
function hashOf(file: string): string {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  return createHash('sha256').update(bytes).digest('hex')
}

function start(directory: string): Promise<{ code: unknown; printed: string }> {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error' }
  return new Promise((resolve) => {
    execFile(process.execPath, [serverBundle], { env, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
    )
  })
}
