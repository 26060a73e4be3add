import { rmSync } from 'node:fs'
import { buildServerIfChanged } from '../../scripts/lib/build-server.ts'
import { makeTemporaryFolder } from '../../scripts/lib/temporary-folder.ts'
import { makeEmptyDatabase } from './empty-database.ts'

/**
 * Before any test: the server as it is delivered, which tests start in a third of the time that sources take, and a
 * folder for the data of this run, with an empty database to begin with. Answers what deletes the folder afterwards.
 */
export async function setup(): Promise<() => void> {
  await buildServerIfChanged()
  const folder = makeTemporaryFolder('copydesk-tests-')
  // `os.tmpdir()` in the workers, which inherit it.
  process.env.TMPDIR = folder
  await makeEmptyDatabase()
  return () => rmSync(folder, { recursive: true, force: true })
}
