import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Language as Grammar, Parser, Query } from 'web-tree-sitter'
import { z } from 'zod'
import { parseJson } from '../../common/parse-json.ts'
import { createPathGuard, type PathGuard, type ProjectRoot } from '../project-root.ts'
import { readBytes } from '../read-project.ts'
import { type FileSymbols, noSymbols, type Provided } from './file-symbols.ts'
import { isIndexed, isManifest, type Language, languageOf } from './languages.ts'
import { parseSymbols } from './parse-symbols.ts'

/** Requests the symbols of files at paths of a project. */
export type ParseFiles = { root: ProjectRoot; paths: readonly string[] }

/** The content of a path: a file with its symbols, a folder, or nothing that may be read. */
export type Parsed =
  | { path: string; is: 'file'; stamp: string; symbols: FileSymbols }
  | { path: string; is: 'folder' }
  | { path: string; is: 'nothing' }

// Generated code and data are larger; parsing takes about 20 times a text's size in memory.
const mostBytes = 512 * 1024
// Short, so that progress is visible, and a thread that hangs is detected early.
const mostMs = 1_000

/** Reads and parses files in the order of the paths; after a second, returns the results so far, at least one. */
export async function parseFiles({ root, paths }: ParseFiles): Promise<Parsed[]> {
  const guard = createPathGuard(root)
  const end = performance.now() + mostMs
  const parsed: Parsed[] = []
  for (const path of paths) {
    parsed.push(await parseFile(path, guard))
    if (performance.now() > end) break
  }
  return parsed
}

/** Identifies a version of a file by its size and the time of its last change. */
export function stampOf({ size, modified }: { size: number; modified: string }): string {
  return `${size} ${modified}`
}

async function parseFile(path: string, guard: PathGuard): Promise<Parsed> {
  const opened = await guard.open(path, 'file')
  if (!opened.ok) return { path, is: opened.code === 'invalid_operation' ? 'folder' : 'nothing' }
  try {
    // A link inside the project: the file is indexed under its real path.
    if (opened.path.join('/') !== path) return { path, is: 'nothing' }
    const stamp = stampOf({ size: opened.stats.size, modified: opened.stats.mtime.toISOString() })
    const isSmall = isIndexed(path) && opened.stats.size <= mostBytes
    const bytes = isSmall ? await readBytes(opened) : undefined
    const isText = bytes !== undefined && !bytes.includes(0)
    const symbols = isText ? await symbolsOf(path, new TextDecoder().decode(bytes)) : noSymbols
    return { path, is: 'file', stamp, symbols }
  } finally {
    await opened.handle.close()
  }
}

async function symbolsOf(path: string, text: string): Promise<FileSymbols> {
  if (isManifest(path)) return { ...noSymbols, provides: readManifest(path, text) }
  const language = languageOf(path)
  if (!language) return noSymbols
  const { parser, query } = await loadParser(language)
  return parseSymbols(path, text, language, parser, query) ?? noSymbols
}

type Loaded = { parser: Parser; query: Query }

let runtime: Promise<void> | undefined
const loaded = new Map<string, Promise<Loaded>>()

function loadParser(language: Language): Promise<Loaded> {
  const known = loaded.get(language.grammar) ?? load(language)
  loaded.set(language.grammar, known)
  return known
}

async function load({ grammar: name, query }: Language): Promise<Loaded> {
  const find = createWasmFinder()
  runtime ??= Parser.init({ locateFile: () => find('web-tree-sitter.wasm') })
  await runtime
  const grammar = await Grammar.load(find(`tree-sitter-${name}.wasm`))
  const parser = new Parser()
  parser.setLanguage(grammar)
  return { parser, query: new Query(grammar, query) }
}

/** Finds a WebAssembly file: next to the built server (`scripts/lib/build-server.ts`), else in its package. */
function createWasmFinder(): (name: string) => string {
  const built = fileURLToPath(new URL('.', import.meta.url))
  if (existsSync(join(built, 'web-tree-sitter.wasm'))) return (name) => join(built, name)
  const runtimeFile = fileURLToPath(import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm'))
  const packaged = dirname(fileURLToPath(import.meta.resolve('@vscode/tree-sitter-wasm/package.json')))
  return (name) => (name === 'web-tree-sitter.wasm' ? runtimeFile : join(packaged, 'wasm', name))
}

const mostEntries = 200

const Manifest = z.object({ name: z.string().max(214), main: z.string().optional(), exports: z.unknown().optional() })

/** The names that a `package.json` or `go.mod` assigns to paths; none if it can't be read. */
function readManifest(path: string, text: string): Provided[] {
  return posix.basename(path) === 'go.mod' ? readGoModule(path, text) : readPackage(path, text)
}

function readGoModule(path: string, text: string): Provided[] {
  const name = /^module[ \t]+"?([^\s"]{1,1000})/m.exec(text)?.[1]
  return name === undefined ? [] : [{ specifier: name, path: folderOf(path) }]
}

function readPackage(path: string, text: string): Provided[] {
  const found = Manifest.safeParse(parseJson(text))
  if (!found.success) return []
  const { name, main, exports } = found.data
  const entries = isEntries(exports) ? Object.entries(exports) : [['.', exports ?? main ?? '.'] as const]
  const own = entries.slice(0, mostEntries).flatMap(([entry, value]) => {
    const file = firstPath(value)
    if (file === undefined || entry.includes('*')) return []
    return [{ specifier: posix.join(name, entry), path: posix.join(folderOf(path), file) }]
  })
  return own.filter((each) => !each.path.startsWith('..'))
}

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

function isEntries(exports: unknown): exports is Record<string, unknown> {
  return typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'))
}

/** The first path among the conditions of an entry. */
function firstPath(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.slice(0, 1_000)
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  for (const each of Object.values(value).slice(0, 10)) {
    const path = firstPath(each, depth + 1)
    if (path !== undefined) return path
  }
  return undefined
}
