import type { ProjectPlace, SymbolType } from '@copydesk/tools'
import type { FileSymbols, Import } from './file-symbols.ts'
import { languageOf, withoutExtension } from './languages.ts'

/** The symbols of a project's files by their paths. */
export type SymbolsByPath = ReadonlyMap<string, FileSymbols>

/** A found position; `shows` is a word that its lines contain unless the file has changed. */
export type FoundPlace = Omit<ProjectPlace, 'text'> & { end: number; shows: string }

/**
 * The definitions of a symbol, ordered by path. `Class.member` finds members of that class. Imports of the symbol are
 * included on request, or if there is no definition; names in another case are included if no name matches exactly.
 */
export function findDefinitions(files: SymbolsByPath, symbol: string, type: SymbolType | undefined): FoundPlace[] {
  const path = symbol.split(/::|[.#\\]|->/).filter((part) => part !== '')
  const name = (path.pop() ?? symbol).replace(/^[$@]/, '')
  const within = path.at(-1)
  for (const isSame of [(each: string) => each === name, sameLetters(name)]) {
    const defined = type === 'import' ? [] : definitionsOf(files, isSame, type, within)
    const found = defined.length > 0 || (type !== undefined && type !== 'import') ? defined : importsOf(files, isSame)
    if (found.length > 0) return found
  }
  return []
}

function sameLetters(name: string): (each: string) => boolean {
  const folded = name.toLowerCase()
  return (each) => each.length === name.length && each.toLowerCase() === folded
}

function definitionsOf(
  files: SymbolsByPath,
  isSame: (name: string) => boolean,
  type: SymbolType | undefined,
  container: string | undefined,
): FoundPlace[] {
  const found: FoundPlace[] = []
  for (const [path, { definitions }] of files) {
    for (const { name, kind, line, within } of definitions) {
      if (!isSame(name) || (type !== undefined && type !== kind)) continue
      if (container !== undefined && within !== container) continue
      found.push({ path, line, end: line, type: kind, shows: name, ...(within === undefined ? {} : { within }) })
    }
  }
  return inOrder(found)
}

function importsOf(files: SymbolsByPath, isSame: (name: string) => boolean): FoundPlace[] {
  const found: FoundPlace[] = []
  for (const [path, { imports }] of files) {
    for (const each of imports) if (each.names.some(isSame)) found.push(placeOf(path, each))
  }
  return inOrder(found)
}

function placeOf(path: string, { line, end, specifier }: Import): FoundPlace {
  return { path, line, end, type: 'import', shows: /[\w-]*$/.exec(specifier)?.[0] ?? '' }
}

function inOrder(places: readonly FoundPlace[]): FoundPlace[] {
  const sorted = places.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  // A statement that imports several names is one position.
  return sorted.filter(({ path, line, type, shows }, index) => {
    const before = sorted[index - 1]
    return (
      path !== before?.path ||
      line !== before.line ||
      type !== before.type ||
      (type !== 'import' && shows !== before.shows)
    )
  })
}

/** The files of each key. Built once for a version of the index. */
export type KeyOwners = ReadonlyMap<string, readonly string[]>

/** Collects the keys of all files, including those that manifests assign. */
export function collectKeys(files: SymbolsByPath): KeyOwners {
  const owners = new Map<string, string[]>()
  const add = (key: string, path: string): void => {
    const known = owners.get(key)
    if (known) known.push(path)
    else owners.set(key, [path])
  }
  const modules = [...files].flatMap(([path, { provides }]) => (path.endsWith('go.mod') ? provides : []))
  for (const [path, { keys }] of files) {
    for (const key of keys) add(key, path)
    if (path.endsWith('.go')) for (const key of goKeys(path, modules)) add(key, path)
  }
  for (const [path, { provides }] of files) {
    if (path.endsWith('go.mod')) continue
    const folder = path.split('/').slice(0, -1).join('/')
    for (const each of provides)
      for (const file of entryFiles(owners, folder, each.path)) add(`js:@${each.specifier}`, file)
  }
  return owners
}

function goKeys(path: string, modules: FileSymbols['provides']): string[] {
  const folder = path.split('/').slice(0, -1).join('/')
  return modules.flatMap((module) => {
    if (module.path !== '' && folder !== module.path && !folder.startsWith(`${module.path}/`)) return []
    const below = folder.slice(module.path.length).replace(/^\//, '')
    return [`go:${below === '' ? module.specifier : `${module.specifier}/${below}`}`]
  })
}

/** The source files for an entry of a package, which may name a file that only a build creates. */
function entryFiles(owners: KeyOwners, folder: string, path: string): readonly string[] {
  const own = path.slice(folder === '' ? 0 : folder.length + 1)
  const stem = own.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
  const source = stem.replace(/^(?:dist|lib|build|out)\//, 'src/')
  const inFolder = (each: string): string => [folder, each].filter((part) => part !== '').join('/')
  for (const each of [own, stem, source, 'src/index', 'index']) {
    const found = owners.get(`js:${inFolder(each)}`)
    if (found) return found
  }
  return []
}

/** The imports of a module, named by its path in the project or by its import specifier; ordered by path. */
export function findImports(files: SymbolsByPath, owners: KeyOwners, modulePath: string): FoundPlace[] {
  const path = modulePath.replace(/^(?:\.\/+)+|\/+$/g, '')
  const meant = filesOf(files, owners, path)
  const keys = new Set<string>()
  for (const [key, of] of owners) if (of.some((each) => meant.has(each))) keys.add(key)
  const isNamed = createSpecifierTest(modulePath)
  const found: FoundPlace[] = []
  for (const [from, { imports }] of files) {
    for (const each of imports) {
      const means =
        isNamed(each.specifier) || (each.targets.some((key) => keys.has(key)) && resolves(each, owners, meant))
      if (means) found.push(placeOf(from, each))
    }
  }
  return inOrder(found)
}

/** The files that a path can refer to: itself, without its extension, or a folder's index file. */
function filesOf(files: SymbolsByPath, owners: KeyOwners, path: string): Set<string> {
  const manifest = files.get(path === '.' ? 'package.json' : `${path}/package.json`)?.provides[0]
  const entry = manifest ? (owners.get(`js:@${manifest.specifier}`) ?? []) : []
  if (files.has(path)) return new Set([path])
  // A TypeScript file is imported by the name of its compiled JavaScript file.
  const stem = languageOf(path) ? withoutExtension(path) : path
  const byKey = ['js', 'py', 'rs', 'c', 'rb', 'php'].flatMap((family) => owners.get(`${family}:${stem}`) ?? [])
  const inFolder = [...files.keys()].filter(
    (each) => each.endsWith('.go') && each.startsWith(`${path}/`) && !each.slice(path.length + 1).includes('/'),
  )
  return new Set([...entry, ...byKey, ...inFolder])
}

function resolves({ targets }: Import, owners: KeyOwners, meant: ReadonlySet<string>): boolean {
  const first = targets.find((key) => owners.has(key))
  return first !== undefined && (owners.get(first) ?? []).some((path) => meant.has(path))
}

/** Whether an import has this specifier, or one below it: `lodash` is also imported as `lodash/get`. */
function createSpecifierTest(module: string): (specifier: string) => boolean {
  if (module.startsWith('.')) return () => false
  return (specifier) =>
    specifier === module || (specifier.startsWith(module) && /^(?:[/.\\]|::)/.test(specifier.slice(module.length)))
}
