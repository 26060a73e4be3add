import { RE2JS } from 're2js'
import { createPathGuard } from './project-root.ts'
import { readProjectFile } from './read-project.ts'
import type { EngineResult, EngineSearch, FoundLine } from './search-engine.ts'

/**
 * Finds lines with RE2 in linear time, file by file. Slow, so it should run in a separate thread. Files that can't be
 * read, or aren't text, have no matches.
 */
export async function searchLines({
  directory,
  hidden,
  files,
  pattern,
  most,
  ms,
}: EngineSearch): Promise<EngineResult> {
  const root = { directory, hidden }
  const guard = createPathGuard(root)
  const compiled = RE2JS.compile(pattern)
  const deadline = performance.now() + ms
  const lines: FoundLine[] = []
  for (const path of files) {
    if (lines.length >= most || performance.now() > deadline) return { lines: lines.slice(0, most), isWhole: false }
    const read = await readProjectFile(root, path, guard)
    if (!read.ok) continue
    for (const [index, text] of splitLines(read.text).entries()) {
      if (compiled.test(text)) lines.push({ path, line: index + 1 })
    }
  }
  return { lines: lines.slice(0, most), isWhole: lines.length < most }
}

/** The lines of a file without line ends; the line end of the last line doesn't begin another line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
