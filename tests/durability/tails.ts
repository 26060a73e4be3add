import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { contentTypes } from '@copydesk/schema'
import { until } from '@copydesk/testing'
import { openEmbeddedStore } from '../../apps/server/src/store/store.ts'
import { UpdateLog } from '../../apps/server/src/store/log/update-log.ts'
import { join, signIn, textIn } from '../support/client.ts'
import { startCopydesk } from '../support/copydesk.ts'

/** Damage that SQLite's write-ahead log may have after a power cut. */
type Damage = { name: 'cut' | 'zeroes' | 'garbage'; at: number }

/** The result of a trial. `guaranteed` counts words that were acknowledged before the torn part was written. */
export type TailCount = { rounds: number; guaranteed: number; missing: number; healed: number }

/**
 * A folder that a killed server left behind: which words were acknowledged by the time the log of writes had grown to
 * which size.
 */
export type KilledServer = {
  dataDir: string
  id: string
  acknowledged: { word: string; walBytes: number }[]
  token: string
}

const database = 'copydesk.sqlite'

/** Types words one by one, each acknowledged before the next, and kills the server. `keep` gets its folder. */
export async function withKilledServer<T>(words: number, keep: (remains: KilledServer) => Promise<T>): Promise<T> {
  const server = await startCopydesk()
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'start' })
    // A clean end puts everything into the database file: from here on the log of writes only grows.
    await server.stop()
    await server.restart()
    const peer = await join(server.url, ana.token, id)
    const text = textIn(peer.fragment, 0)
    const remains: KilledServer = { dataDir: server.dataDir, id, acknowledged: [], token: ana.token }
    for (let index = 0; index < words; index++) {
      const word = ` w${index};`
      text.insert(text.length, word)
      await until(() => !peer.content.hasUnsyncedChanges, 'the word is acknowledged')
      remains.acknowledged.push({ word, walBytes: statSync(joinPath(server.dataDir, `${database}-wal`)).size })
    }
    await server.kill()
    peer.close()
    return await keep(remains)
  } finally {
    await server.dispose()
  }
}

/** Damages the tail in each way in turn and counts missing words whose own bytes were not damaged. */
export async function countLossesOfTornTails(
  remains: KilledServer,
  rounds: number,
  random: () => number,
): Promise<TailCount> {
  const count: TailCount = { rounds, guaranteed: 0, missing: 0, healed: 0 }
  const size = remains.acknowledged.at(-1)?.walBytes ?? 0
  const names = ['cut', 'zeroes', 'garbage'] as const
  for (let round = 0; round < rounds; round++) {
    const damage: Damage = { name: names[round % names.length]!, at: size - Math.floor(random() * size * 0.7) }
    const directory = copyOf(remains)
    try {
      damageFile(joinPath(directory, `${database}-wal`), damage, random)
      const wanted = remains.acknowledged.filter(({ walBytes }) => walBytes <= damage.at).map(({ word }) => word)
      const { text, goesOn } = await readAndWrite(directory, remains.id)
      count.guaranteed += wanted.length
      count.missing += wanted.filter((word) => !text.includes(word)).length
      if (goesOn) count.healed++
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  return count
}

/** A copy of what was left, in a folder of its own. */
export function copyOf({ dataDir }: KilledServer): string {
  const directory = mkdtempSync(joinPath(tmpdir(), 'copydesk-torn-'))
  for (const name of [database, `${database}-wal`, 'secret']) {
    if (existsSync(joinPath(dataDir, name))) cpSync(joinPath(dataDir, name), joinPath(directory, name))
  }
  return directory
}

function damageFile(file: string, { name, at }: Damage, random: () => number): void {
  const bytes = readFileSync(file)
  if (name === 'cut') return truncateSync(file, at)
  for (let index = at; index < bytes.length; index++) bytes[index] = name === 'zeroes' ? 0 : Math.floor(random() * 256)
  writeFileSync(file, bytes)
}

/** What a store finds in the folder, and whether it takes new rows. */
async function readAndWrite(directory: string, id: string): Promise<{ text: string; goesOn: boolean }> {
  const store = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  try {
    const log = new UpdateLog(store, Date.now)
    const loaded = await log.load(id)
    const text = loaded ? textIn(loaded.doc.getXmlFragment(contentTypes.fragment), 0).toJSON() : ''
    const row = { name: id, bytes: new Uint8Array([0, 0]), actor: 'test', run: null, epoch: null }
    return { text, goesOn: (await log.append(row)).ok }
  } finally {
    await store.close()
  }
}
