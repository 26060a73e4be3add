import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './paths.ts'

/** Test files by runner, as paths from the root with forward slashes. */
export type TestFiles = { vitest: string[]; browser: string[] }

/** Files that Vitest runs. */
export const vitestFiles = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.{ts,tsx}',
  'scripts/**/*.test.ts',
  'eval/src/**/*.test.ts',
  'tests/**/*.test.ts',
]

/** Files that Playwright runs. */
const browserFiles = ['tests/browser/**/*.spec.ts']

/** The test files whose paths contain one of the names; all of them without a name. */
export function findTestFiles(names: readonly string[]): TestFiles {
  const wanted = (file: string): boolean => names.length === 0 || names.some((name) => file.includes(name))
  const exclude = (file: string): boolean => /(?:^|[\\/])(?:node_modules|dist)$/.test(file)
  const find = (patterns: string[]): string[] =>
    globSync(patterns, { cwd: root, exclude })
      .map((file) => file.replaceAll(sep, '/'))
      .filter(wanted)
      .toSorted()
  return { vitest: find(vitestFiles), browser: find(browserFiles) }
}

/** Those of the test files that play texts of other projects, where these are not beside the project; else none. */
export function filesWithoutTexts(files: readonly string[]): string[] {
  if (existsSync(join(root, '../shared/data'))) return []
  return files.filter((file) => /\.\.\/shared\/data/.test(readFileSync(join(root, file), 'utf8')))
}
