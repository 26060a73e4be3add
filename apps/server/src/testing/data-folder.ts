import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const file = 'copydesk.sqlite'
let template: Promise<string> | undefined

/**
 * Creates a data folder with an empty database, as after the first start. Copied from a template: migrating a thousand
 * new files takes minutes.
 */
export async function makeDataFolder(prefix: string): Promise<string> {
  const made = process.env.EMPTY_DATABASE ?? (await (template ??= makeTemplate()))
  const directory = mkdtempSync(join(tmpdir(), prefix))
  copyFileSync(made, join(directory, file))
  return directory
}

/**
 * Makes the template once for all workers that are started from now on, which inherit the environment. Returns what
 * deletes it.
 */
export async function shareTemplate(): Promise<() => void> {
  const directory = await makeDataFolder('copydesk-empty-')
  process.env.EMPTY_DATABASE = join(directory, file)
  return () => rmSync(directory, { recursive: true, force: true })
}

async function makeTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  // Most processes copy a shared template, and need no store.
  const { openEmbeddedStore } = await import('../store/store.ts')
  const store = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  await store.close()
  return join(directory, file)
}
