/** What a definition defines: methods and macros are functions, types and modules are classes. */
export type DefinitionKind = 'function' | 'class' | 'variable'

/** A definition; `line` counts from 1, `within` names the class, module or function around it. */
export type Definition = { name: string; kind: DefinitionKind; line: number; within?: string }

/**
 * One imported module; `line` to `end` is its statement, `names` are what it makes available in the file. `targets` are
 * the keys that the module may have, the likeliest first: the first key that a file of the project has is the module.
 */
export type Import = { specifier: string; names: string[]; line: number; end: number; targets: string[] }

/** A name that a manifest (`package.json`, `go.mod`) gives to a path: a file, or for Go a folder. */
export type Provided = { specifier: string; path: string }

/** What the index knows of a file. `keys` are the names under which imports may mean it, see `Import.targets`. */
export type FileSymbols = { definitions: Definition[]; imports: Import[]; keys: string[]; provides: Provided[] }

/** A file without symbols. */
export const noSymbols: FileSymbols = { definitions: [], imports: [], keys: [], provides: [] }

// About what an object with its numbers takes in addition to its texts.
const objectCost = 80

/** About how many bytes the symbols of a file take in memory. */
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
