import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './paths.ts'

/** What a build writes, as an absolute folder, and the files and folders that it reads, as paths from the root. */
export type Build = { output: string; inputs: readonly string[] }

const ignored = /(^|\/)(node_modules|dist)(\/|$)|\.(test|spec)\.tsx?$/

/**
 * Runs `build` unless its last run was made from exactly the present files. `build` answers an exit code, which this
 * answers too.
 */
export async function buildIfChanged({ output, inputs }: Build, build: () => Promise<number>): Promise<number> {
  const stampFile = join(output, '.inputs')
  const stamp = stampOf(inputs)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return 0
  // A build that fails leaves no stamp.
  rmSync(stampFile, { force: true })
  const code = await build()
  if (code !== 0) return code
  writeFileSync(stampFile, stamp)
  return 0
}

/** A hash over names and contents of everything that a build reads. */
function stampOf(inputs: readonly string[]): string {
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
