import { failure, type ProjectMatch, type ProjectSearch, type ToolFailure } from '@copydesk/tools'
import { ThreadTimeoutError } from '../threads/thread-worker.ts'
import { createPathGuard, type ProjectRoot } from './project-root.ts'
import { listProject, mostBytes, readProjectFile } from './read-project.ts'
import type { EngineResult, EngineSearch, SearchEngine } from './search-engine.ts'
import { splitLines } from './search-lines.ts'

const mostMs = 10_000
const mostCounted = 20_000

/**
 * Searches the text files of a project up to 1 MiB. An engine only returns line numbers: all shown text is read through
 * the project's guard. Counts up to 20,000 matches, within ten seconds, and ends early when the signal is aborted.
 */
export async function searchProject(
  root: ProjectRoot,
  { pattern, path, holds, most }: ProjectSearch,
  engine: SearchEngine,
  signal: AbortSignal,
): Promise<{ ok: true; matches: ProjectMatch[]; total: number; isWhole: boolean } | ToolFailure> {
  const listed = await filesIn(root, path, signal)
  if (!listed.ok) return listed
  const files = listed.files.filter(holds)
  const found = await ask(engine, { ...root, files, pattern, most: mostCounted, ms: mostMs }, signal)
  if (found === undefined) {
    return failure('unavailable', 'The search took too long.', 'Search in one folder, or for a simpler pattern.')
  }
  const matches = await readLines(root, found, most)
  return { ok: true, matches, total: found.lines.length, isWhole: listed.isWhole && found.isWhole }
}

async function filesIn(
  root: ProjectRoot,
  path: string,
  signal: AbortSignal,
): Promise<{ ok: true; files: string[]; isWhole: boolean } | ToolFailure> {
  const listed = await listProject(root, path, true, signal)
  if (listed.ok) {
    const files = listed.entries.filter(({ type, size }) => type === 'file' && size <= mostBytes)
    return { ok: true, files: files.map((each) => each.path), isWhole: listed.isWhole }
  }
  if (listed.code !== 'invalid_operation') return listed
  const read = await readProjectFile(root, path)
  return read.ok ? { ok: true, files: [read.path], isWhole: true } : read
}

async function ask(engine: SearchEngine, search: EngineSearch, signal: AbortSignal): Promise<EngineResult | undefined> {
  try {
    return search.files.length === 0 ? { lines: [], isWhole: true } : await engine(search, signal)
  } catch (error) {
    if (error instanceof ThreadTimeoutError || signal.aborted) return undefined
    throw error
  }
}

async function readLines(root: ProjectRoot, { lines }: EngineResult, most: number): Promise<ProjectMatch[]> {
  const guard = createPathGuard(root)
  const texts = new Map<string, string[]>()
  const matches: ProjectMatch[] = []
  for (const { path, line } of lines) {
    if (matches.length >= most) break
    if (!texts.has(path)) {
      const read = await readProjectFile(root, path, guard)
      texts.set(path, read.ok ? splitLines(read.text) : [])
    }
    const text = texts.get(path)?.[line - 1]
    // The file has changed since the search if the line is missing.
    if (text !== undefined) matches.push({ path, line, text })
  }
  return matches
}
