import type { ToolFailure } from '../../common/result.ts'
import type { ProjectWriting } from './project-writing.ts'

/** A file, folder or symbolic link; `path` is relative to the project, `size` in bytes, `modified` in ISO 8601. */
export type ProjectEntry = { path: string; type: 'file' | 'folder' | 'link'; size: number; modified: string }

/** A line that a search found; `line` counts from 1. */
export type ProjectMatch = { path: string; line: number; text: string }

/** What `search` looks for; `pattern` is an RE2 expression, `holds` says which files count. */
export type ProjectSearch = { pattern: string; path: string; holds: (path: string) => boolean; most: number }

/**
 * The files of a project. Every path is relative to the project and untrusted: the host refuses what lies
 * outside, and what is ignored or secret, as `denied`. Contents and names are text from outside. `isWhole` is false
 * where the host stopped early, because there are too many files or it took too long.
 */
export type ProjectHost = {
  /** The text of a file; a binary or too large one is `too_large`. */
  read(path: string): Promise<{ ok: true; path: string; text: string } | ToolFailure>
  /** The entries of a folder, with `recursive` also of those below it, in the order of their paths. */
  list(
    path: string,
    recursive: boolean,
  ): Promise<{ ok: true; entries: readonly ProjectEntry[]; isWhole: boolean } | ToolFailure>
  /** The first `most` lines that match, in the order of their paths, and how many do. */
  search(
    search: ProjectSearch,
  ): Promise<{ ok: true; matches: readonly ProjectMatch[]; total: number; isWhole: boolean } | ToolFailure>
  /** Absent where the project is for reading only. */
  writing?: ProjectWriting
}
