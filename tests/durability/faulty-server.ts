import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import type { Faults } from './fault-injector.ts'

/** A server whose disk and clock can be made to misbehave while it runs. */
export type FaultyServer = Copydesk & {
  /** From now on these faults and no others. */
  suffer(faults: Faults): void
}

/** Starts a server with `fault-injector.ts` loaded into it. */
export async function startFaultyServer(env: Record<string, string> = {}): Promise<FaultyServer> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-faults-'))
  const file = join(directory, 'faults.json')
  const suffer = (faults: Faults): void => {
    // Whoever reads it finds the old faults or the new ones, never half of them.
    writeFileSync(`${file}.new`, JSON.stringify(faults))
    renameSync(`${file}.new`, file)
  }
  suffer({})
  const injector = new URL('./fault-injector.ts', import.meta.url).href
  const server = await startCopydesk({ NODE_OPTIONS: `--import ${injector}`, FAULTS_FILE: file, ...env })
  return {
    ...server,
    suffer,
    async restart(changed) {
      suffer({})
      await server.restart(changed)
    },
    async dispose() {
      await server.dispose()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** How many rounds of each kind: few in everyday testing, `ROUNDS` for a long trial. */
export function roundsOr(few: number): number {
  return Number(process.env.ROUNDS ?? few)
}
