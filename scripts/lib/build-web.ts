import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compressFiles } from './compress-files.ts'
import { root, webFolder } from './paths.ts'
import { runCommand } from './run-command.ts'

const output = join(webFolder, 'dist')
// Vite empties its output folder, so the stamp is deleted together with the build that it describes.
const stampFile = join(output, '.inputs')

const inputs = ['apps/web', 'packages', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
const ignored = /(^|\/)(node_modules|dist)(\/|$)|\.(test|spec)\.tsx?$/

/** Builds the browser application. Answers Vite's exit code. */
async function buildWeb(): Promise<number> {
  console.log('Building the browser application')
  const stamp = inputStamp()
  rmSync(stampFile, { force: true })
  const code = await runCommand('vite', ['build', '--logLevel', 'warn'], { cwd: webFolder })
  if (code !== 0) return code
  await compressFiles(output)
  writeFileSync(stampFile, stamp)
  return 0
}

/**
 * Builds the browser application unless the last build was made from exactly the present files. Answers an exit code.
 */
export async function buildWebIfChanged(): Promise<number> {
  const fresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputStamp()
  return fresh ? 0 : buildWeb()
}

/** A hash over names and contents of everything that a build of the browser application reads. */
function inputStamp(): string {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((input) => filesUnder(join(root, input)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** The files in a folder and below it, sorted, without what a build doesn't read; a file is its own only member. */
function filesUnder(path: string): string[] {
  if (!existsSync(path) || ignored.test(relative(root, path))) return []
  try {
    return readdirSync(path)
      .toSorted()
      .flatMap((name) => filesUnder(join(path, name)))
  } catch {
    return [path]
  }
}
