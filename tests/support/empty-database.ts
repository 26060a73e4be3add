import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStore } from '../../apps/server/src/store/store.ts'

/**
 * Makes an empty database, as after the first start of a server. Its path is in the variable EMPTY_DATABASE, which
 * workers inherit. Returns what deletes it.
 */
export async function makeEmptyDatabase(): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-empty-'))
  const store = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  await store.close()
  process.env.EMPTY_DATABASE = join(directory, 'copydesk.sqlite')
  return () => rmSync(directory, { recursive: true, force: true })
}
