/** The kind of a definition: methods and macros are functions, types and modules are classes. */
export type DefinitionKind = 'function' | 'class' | 'variable'

/** A definition; `line` counts from 1, `within` is the name of the enclosing class, module or function. */
export type Definition = { name: string; kind: DefinitionKind; line: number; within?: string }

/**
 * One imported module; `line` to `end` is its statement, `names` are the names that it defines in the file. `targets`
 * are the possible keys of the module, the likeliest first: the first key that a file of the project has is the module.
 */
export type Import = { specifier: string; names: string[]; line: number; end: number; targets: string[] }

/** A name that a manifest (`package.json`, `go.mod`) assigns to a path: a file, or for Go a folder. */
export type Provided = { specifier: string; path: string }

/** A file's symbols. `keys` are the names under which imports may refer to the file, see `Import.targets`. */
export type FileSymbols = { definitions: Definition[]; imports: Import[]; keys: string[]; provides: Provided[] }

/** A file without symbols. */
export const noSymbols: FileSymbols = { definitions: [], imports: [], keys: [], provides: [] }

// The approximate size of an object with its numbers, without its texts.
const objectCost = 80

/** The approximate memory of a file's symbols in bytes. */
export function costOf({ definitions, imports, keys, provides }: FileSymbols): number {
  const texts = [
    ...definitions.flatMap(({ name, within = '' }) => [name, within]),
    ...imports.flatMap(({ specifier, names, targets }) => [specifier, ...names, ...targets]),
    ...keys,
    ...provides.flatMap(({ specifier, path }) => [specifier, path]),
  ]
  const objects = 1 + definitions.length + imports.length + provides.length
  return texts.reduce((sum, text) => sum + text.length + 16, objects * objectCost)
}
