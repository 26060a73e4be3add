/**
 * `pnpm start`: builds what changed, then serves everything. The server runs in this process, so that signals and the
 * exit code are its own; it is built in another one, whose memory is free again. The bundle needs a third less memory
 * than the sources.
 */
import { pathToFileURL } from 'node:url'
import { serverBundle } from './lib/paths.ts'
import { runCommand } from './lib/run-command.ts'

const code = await runCommand('node', ['scripts/build.ts'])
if (code !== 0) process.exit(code)
await import(pathToFileURL(serverBundle).href)
