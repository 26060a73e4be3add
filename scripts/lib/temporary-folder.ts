import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
const leastBytes = 4 * 2 ** 30

/**
 * Makes a folder for test data that its maker deletes: in memory where a Linux has room there, since servers under test
 * sync their files thousands of times, else on the disk.
 */
export function makeTemporaryFolder(prefix: string): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    if (bavail * bsize >= leastBytes) return mkdtempSync(join(inMemory, prefix))
  } catch {
    // There is none, or this user may not write to it.
  }
  return mkdtempSync(join(tmpdir(), prefix))
}
