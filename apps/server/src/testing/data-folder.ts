import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStore } from '../store/store.ts'

const file = 'copydesk.sqlite'
let template: Promise<string> | undefined

/**
 * Creates a data folder with an empty database, as after the first start. Copied from a template: migrating a thousand
 * new files takes minutes.
 */
export async function makeDataFolder(prefix: string): Promise<string> {
  const made = await (template ??= makeTemplate())
  const directory = mkdtempSync(join(tmpdir(), prefix))
  copyFileSync(join(made, file), join(directory, file))
  return directory
}

async function makeTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const store = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  await store.close()
  return directory
}
