import { join } from 'node:path'
import { buildIfChanged } from './build-if-changed.ts'
import { compressFiles } from './compress-files.ts'
import { webFolder } from './paths.ts'
import { runCommand } from './run-command.ts'

const output = join(webFolder, 'dist')
const inputs = ['apps/web', 'packages', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']

/** Builds the browser application. Answers Vite's exit code. */
async function buildWeb(): Promise<number> {
  console.log('Building the browser application')
  const code = await runCommand('vite', ['build', '--logLevel', 'warn'], { cwd: webFolder })
  if (code === 0) await compressFiles(output)
  return code
}

/**
 * Builds the browser application unless the last build was made from exactly the present files. Answers an exit code.
 */
export function buildWebIfChanged(): Promise<number> {
  return buildIfChanged({ output, inputs }, buildWeb)
}
