import type { ToolFailure } from '../../common/result.ts'

/** A file, folder or symbolic link; `path` is relative to the project, `size` in bytes, `modified` in ISO 8601. */
export type ProjectEntry = { path: string; type: 'file' | 'folder' | 'link'; size: number; modified: string }

/** A line that a search found; `line` counts from 1. */
export type ProjectMatch = { path: string; line: number; text: string }

/** The parameters of `search`; `pattern` is an RE2 expression, `holds` tests whether a file is included. */
export type ProjectSearch = { pattern: string; path: string; holds: (path: string) => boolean; most: number }

/**
 * The files of a project. Every path is relative to the project and untrusted: the host refuses paths outside, and
 * ignored or secret files, as `denied`. Contents and names are outside text. `isWhole` is false if the host stopped
 * early, because there are too many files or it took too long.
 */
export type ProjectHost = {
  /** The text of a file; `too_large` for a binary or too large file. */
  read(path: string): Promise<{ ok: true; path: string; text: string } | ToolFailure>
  /** The entries of a folder, with `recursive` also those of its subfolders, sorted by path. */
  list(
    path: string,
    recursive: boolean,
  ): Promise<{ ok: true; entries: readonly ProjectEntry[]; isWhole: boolean } | ToolFailure>
  /** The first `most` matching lines, sorted by path, and the number of all matching lines. */
  search(
    search: ProjectSearch,
  ): Promise<{ ok: true; matches: readonly ProjectMatch[]; total: number; isWhole: boolean } | ToolFailure>
  /** Look-ups of definitions and imports. */
  symbols: ProjectSymbols
  /** Absent if the project is read-only. */
  writing?: ProjectWriting
}

/**
 * The type of a symbol: methods are functions, types and modules are classes; `import` is a statement that imports it.
 */
export type SymbolType = 'function' | 'class' | 'variable' | 'import'

/** A place in a file, with its line or statement; `within` names the class or module around a definition. */
export type ProjectPlace = { path: string; line: number; type: SymbolType; within?: string; text: string }

/**
 * The number of indexed source files of the project, and of all. `isCurrent` is false while the index is being built or
 * updated, `isWhole` if a limit excludes files.
 */
export type IndexState = { indexed: number; of: number; isCurrent: boolean; isWhole: boolean }

/** The result of a look-up: the first places, and the number of all places. */
export type PlacesFound = { ok: true; places: readonly ProjectPlace[]; total: number; index: IndexState } | ToolFailure

/** `onProgress` is called repeatedly while the look-up waits for the index. */
export type LookUp = { most: number; onProgress?: (state: IndexState) => void }

/**
 * An index of a project's symbols, kept up to date with the folder. While the index is being built, look-ups wait some
 * seconds, then search the indexed part.
 */
export type ProjectSymbols = {
  /** The definitions of a symbol, which can be `Class.member`. */
  findDefinition(symbol: string, options: LookUp & { type?: SymbolType }): Promise<PlacesFound>
  /** The statements that import a module: a path of the project, or a specifier as in import statements. */
  findImporters(modulePath: string, options: LookUp): Promise<PlacesFound>
}

/** A change of a file: its whole new text, and the purpose of the change. `isNew`: the file doesn't exist yet. */
export type FileChange = { path: string; content: string; description: string; isNew: boolean }

/** The outcome: `path` is the file's real path in the project. */
export type FileOutcome = { ok: true; path: string } | ToolFailure

/**
 * Changes of a project's files. Every change needs a person's approval first, in any mode. Paths are untrusted, and the
 * host refuses to write files that it refuses to read. `call` identifies the tool call, see `ToolCallContext`.
 */
export type ProjectWriting = {
  /** Stores the change of a call, for people to decide on. */
  propose(call: string, change: FileChange): Promise<FileOutcome>
  /**
   * Writes the approved part of a proposal; `content` may be edited by a person. A file that has changed since the
   * proposal is `stale`. A repeated call that was already executed has the same outcome again.
   */
  write(call: string, content: string): Promise<FileOutcome>
}
