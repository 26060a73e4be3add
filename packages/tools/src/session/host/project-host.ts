import type { ToolFailure } from '../../common/result.ts'

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
  /** Where symbols are defined and modules imported. */
  symbols: ProjectSymbols
  /** Absent where the project is for reading only. */
  writing?: ProjectWriting
}

/** What a symbol is: methods are functions, types and modules are classes; `import` finds where it is imported. */
export type SymbolType = 'function' | 'class' | 'variable' | 'import'

/** A place in a file, with its line or statement; `within` names the class or module around a definition. */
export type ProjectPlace = { path: string; line: number; type: SymbolType; within?: string; text: string }

/**
 * How many of the project's source files are indexed. `isCurrent` is false while the index is being built or updated,
 * `isWhole` where a limit leaves files out.
 */
export type IndexState = { indexed: number; of: number; isCurrent: boolean; isWhole: boolean }

/** What a look-up finds: the first places, and how many there are. */
export type PlacesFound = { ok: true; places: readonly ProjectPlace[]; total: number; index: IndexState } | ToolFailure

/** `onProgress` is called now and then while the look-up waits for the index. */
export type LookUp = { most: number; onProgress?: (state: IndexState) => void }

/**
 * An index of a project's symbols, kept up to date with the folder. While it is being built look-ups wait some seconds,
 * then search what is indexed.
 */
export type ProjectSymbols = {
  /** The definitions of a symbol, which can be `Class.member`. */
  findDefinition(symbol: string, options: LookUp & { type?: SymbolType }): Promise<PlacesFound>
  /** The statements that import a module: a path of the project, or a specifier as imports have it. */
  findImporters(modulePath: string, options: LookUp): Promise<PlacesFound>
}

/** A change of a file: its whole new text, and what the change is for. `isNew` means that there is no such file yet. */
export type FileChange = { path: string; content: string; description: string; isNew: boolean }

/** The outcome: `path` is the file's real path in the project. */
export type FileOutcome = { ok: true; path: string } | ToolFailure

/**
 * Changes of a project's files. None happens before a person has approved it, in any mode. Paths are untrusted, and
 * what the host refuses to read it refuses to write. `call` identifies the tool call, see `ToolCallContext`.
 */
export type ProjectWriting = {
  /** Stores what a call would change, for people to decide on. */
  propose(call: string, change: FileChange): Promise<FileOutcome>
  /**
   * Writes what was approved of a proposal; `content` may be a person's. A file that has changed since the proposal is
   * `stale`. A call that is repeated after it was carried out has the same outcome again.
   */
  write(call: string, content: string): Promise<FileOutcome>
}
