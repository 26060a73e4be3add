/**
 * `pnpm start`: builds the browser application if its sources changed, then serves everything. The server runs in this
 * process, so that signals and the exit code are its own.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildWebIfChanged } from './lib/build-web.ts'
import { serverFolder } from './lib/paths.ts'

const code = await buildWebIfChanged()
if (code !== 0) process.exit(code)
await import(pathToFileURL(join(serverFolder, 'src/main.ts')).href)
