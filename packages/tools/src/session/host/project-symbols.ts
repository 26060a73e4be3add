import type { ToolFailure } from '../../common/result.ts'

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
