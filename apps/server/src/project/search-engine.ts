/**
 * A search in files of a project: `files` are paths relative to `directory`; the search ends after `most` matches or
 * `ms` milliseconds.
 */
export type EngineSearch = {
  directory: string
  hidden: readonly string[]
  files: readonly string[]
  pattern: string
  most: number
  ms: number
}

/** A line with a match; `line` counts from 1. */
export type FoundLine = { path: string; line: number }

/** The lines with a match, in the order of the files; `isWhole` is false if the search ended early. */
export type EngineResult = { lines: FoundLine[]; isWhole: boolean }

/**
 * Finds lines. `undefined` if this engine isn't installed or doesn't support the pattern. When the signal is aborted,
 * it stops, and resolves or rejects.
 */
export type SearchEngine = (search: EngineSearch, signal: AbortSignal) => Promise<EngineResult | undefined>
