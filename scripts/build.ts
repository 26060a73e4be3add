/**
 * `pnpm build`: the browser application into `apps/web/dist`, and the server as one bundle that needs no `node_modules`
 * into `apps/server/dist`; start it with `node apps/server/dist/main.js`.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { buildWeb } from './lib/build-web.ts'
import { serverFolder } from './lib/paths.ts'
import { workerEntries } from './lib/worker-entries.ts'

async function buildServer(): Promise<void> {
  const dir = join(serverFolder, 'dist')
  rmSync(dir, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { main: join(serverFolder, 'src/main.ts') },
    platform: 'node',
    plugins: [workerEntries()],
  })
  try {
    // Flat on purpose: a worker's file lies beside whichever chunk starts it, and `../../web/dist` is the same place for
    // `src/main.ts` and `dist/main.js`.
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
    const { output } = await bundle.write({ dir, format: 'esm', ...names })
    const starter = output.find((file) => file.type === 'chunk' && file.imports.includes('main.js'))
    if (starter !== undefined) throw new Error(`${starter.fileName} imports main.js: it would start a second server`)
  } finally {
    await bundle.close()
  }
}

const [code] = await Promise.all([buildWeb(), buildServer()])
process.exitCode = code
