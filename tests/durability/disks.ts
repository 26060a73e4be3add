import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { until } from '@copydesk/testing'
import { blockTexts, join, signIn, type TestPeer, textIn } from '../support/client.ts'
import type { FaultyServer } from './faulty-server.ts'
import { missingWords, startTyping, type Typist, wordsSeen } from './typist.ts'

/** A disk that can be filled to the last byte. */
export type SmallDisk = { directory: string; fill(): void; free(): void; dispose(): void }

/** A file system of a few megabytes in memory, or `undefined` where this user may not mount one. */
export function mountSmallDisk(): SmallDisk | undefined {
  const directory = mkdtempSync(joinPath(tmpdir(), 'copydesk-small-disk-'))
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', directory], { stdio: 'pipe' })
  } catch {
    rmSync(directory, { recursive: true, force: true })
    return undefined
  }
  const ballast = joinPath(directory, 'ballast')
  return {
    directory,
    fill() {
      try {
        const { bfree, bsize } = statfsSync(directory)
        writeFileSync(ballast, Buffer.alloc((bfree + 1) * bsize))
      } catch (error) {
        // As much as fits has been written.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    dispose() {
      execFileSync('/bin/umount', ['--lazy', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The result of a trial with a disk that fails for a while, round after round in one server. */
export type DiskCount = {
  rounds: number
  acknowledged: number
  missing: number
  shownUnsaved: number
  seenUnsaved: number
  readWhileBad: number
  savedAfterwards: number
}

/** `isOfSyncs`: syncs are slow or fail, so written data stays in the operating system's memory for a while. */
type DiskFault = { begin(server: FaultyServer): void; end(server: FaultyServer): void; isOfSyncs?: boolean }

/**
 * Types while the disk fails and after it has recovered, in a server that isn't restarted before all is counted. While
 * the disk fails, connected clients can read, new clients see the document, and unsaved text counts as unsaved.
 */
export async function countLossesOnBadDisk(server: FaultyServer, rounds: number, fault: DiskFault): Promise<DiskCount> {
  const count: DiskCount = {
    rounds,
    acknowledged: 0,
    missing: 0,
    shownUnsaved: 0,
    seenUnsaved: 0,
    readWhileBad: 0,
    savedAfterwards: 0,
  }
  const peers: TestPeer[] = []
  try {
    const [ana, ben] = [await signIn(server.url, 'Ana'), await signIn(server.url, 'Ben')]
    for (let round = 0; round < rounds; round++) {
      const { id } = await ana.create({ markdown: `round ${round}\n\nwords` })
      const [writer, watcher] = [await join(server.url, ana.token, id), await join(server.url, ana.token, id)]
      peers.push(writer, watcher)
      const typist = startTyping(writer, `r${round}`, 1, 5)
      await until(() => typist.acknowledged > 2, 'something is acknowledged')
      fault.begin(server)
      await waitForUnsaved(typist)
      if (fault.isOfSyncs) {
        const seesMore = (): boolean => wordsSeen(typist, watcher).length > typist.acknowledged
        await until(seesMore, 'others see more than what is acknowledged')
        count.seenUnsaved++
      }
      if (writer.content.unsyncedChanges > 0 || !writer.content.synced) count.shownUnsaved++
      // A new client joins while nothing can be written.
      const late = await join(server.url, ben.token, id)
      // A word that is acknowledged at this very moment is on its way to them.
      await until(() => missingWords(typist, late) === 0, 'whoever comes sees all that is acknowledged')
      if (blockTexts(late.fragment)[0] === `round ${round}`) count.readWhileBad++
      late.close()
      fault.end(server)
      typist.rest()
      await writer.saved()
      await until(() => textIn(watcher.fragment, 1).toJSON() === textIn(writer.fragment, 1).toJSON(), 'all is seen')
      count.savedAfterwards += typist.typed
      count.acknowledged += typist.acknowledged
      count.missing += await missingAfterwards(server, ana.token, id, typist)
      for (const peer of peers.splice(0)) peer.close()
    }
    await server.restart()
  } finally {
    for (const peer of peers) peer.close()
  }
  return count
}

/** Waits until the typist has typed something that isn't saved, and sees that it isn't. */
async function waitForUnsaved(typist: Typist): Promise<void> {
  const { typed } = typist
  await until(() => typist.typed > typed + 5, 'somebody goes on typing')
  await until(() => typist.peer.content.unsyncedChanges > 0, 'what is typed shows as unsaved')
}

async function missingAfterwards(server: FaultyServer, token: string, id: string, typist: Typist): Promise<number> {
  const reader = await join(server.url, token, id)
  try {
    return missingWords(typist, reader, typist.typed)
  } finally {
    reader.close()
  }
}
