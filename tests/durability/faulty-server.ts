import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import type { Faults } from './fault-injector.ts'

/** A server whose disk and clock can be made to misbehave while it runs. */
export type FaultyServer = Copydesk & {
  /** From now on these faults and no others. */
  setFaults(faults: Faults): void
  /**
   * Ends the server and takes back what was written and not synced, where it has had the fault `keepsSynced` since it
   * was started: of the log of writes; the database itself is written a thousand commits later.
   */
  cutPower(): Promise<void>
}

/** Starts a server with `fault-injector.ts` loaded into it. */
export async function startFaultyServer(env: Record<string, string> = {}): Promise<FaultyServer> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-faults-'))
  const file = join(directory, 'faults.json')
  const setFaults = (faults: Faults): void => {
    // Readers find the old faults or the new ones, never a partial file.
    writeFileSync(`${file}.new`, JSON.stringify(faults))
    renameSync(`${file}.new`, file)
  }
  setFaults({})
  const injector = new URL('./fault-injector.ts', import.meta.url).href
  const server = await startCopydesk({ NODE_OPTIONS: `--import ${injector}`, FAULTS_FILE: file, ...env })
  return {
    ...server,
    setFaults,
    async cutPower() {
      await server.kill()
      const log = join(server.dataDir, 'copydesk.sqlite-wal')
      renameSync(`${log}.synced`, log)
      rmSync(join(server.dataDir, 'copydesk.sqlite-shm'), { force: true })
    },
    async restart(changed) {
      setFaults({})
      await server.restart(changed)
    },
    async dispose() {
      await server.dispose()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** How many rounds of each kind: few for each change, `ROUNDS` at night. */
export function roundsOr(few: number): number {
  return Number(process.env.ROUNDS ?? few)
}
