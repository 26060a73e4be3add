import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { compiledMessages } from './apps/web/compiled-messages.ts'
import { serverFolder } from './scripts/lib/paths.ts'
import { vitestFiles } from './scripts/lib/test-files.ts'
import { bundledWorkers } from './scripts/lib/worker-entries.ts'

// Those that play whole games with servers, and those that read large texts.
const takesLong = ({ moduleId }: TestSpecification): boolean =>
  /\/tests\/|(fuzz|corpus|real-documents)\.test/.test(moduleId)

/** Files that take long come first: begun last, one of them would keep the others' workers waiting for nothing. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(takesLong), ...sorted.filter((file) => !takesLong(file))]
  }
}

/**
 * Workers load packages as a server does. By itself Vitest asks for the condition `development`, under which the parser
 * of Markdown checks itself at every step.
 */
const productionPackages: Plugin = {
  name: 'production-packages',
  configResolved(config) {
    Object.assign(config.ssr.resolve ?? {}, { conditions: ['node'] })
  },
}

export default defineConfig({
  plugins: [productionPackages, compiledMessages(), { ...bundledWorkers(join(serverFolder, 'dist')), enforce: 'pre' }],
  test: {
    include: vitestFiles,
    exclude: ['**/node_modules/**', '**/dist/**', 'tests/browser/**'],
    environment: 'node',
    // What files import is loaded once a worker, not once a file; no file leaves anything behind that another would
    // see.
    isolate: false,
    globalSetup: 'tests/support/before-all-tests.ts',
    setupFiles: 'tests/support/cheap-passwords.ts',
    // Many tests wait for servers that they start: on a small machine three more than it has processors are fastest.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongestFirst },
    // A limit for what hangs, not a measure: machines that test are slow and busy.
    testTimeout: 300_000,
    // A failure is read from one line of a log: what was logged instead of nothing belongs in it.
    chaiConfig: { truncateThreshold: 500 },
    hookTimeout: 300_000,
    expect: { poll: { timeout: 55_000 } },
  },
})
