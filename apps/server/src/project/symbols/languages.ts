import { posix } from 'node:path'
import * as queries from './queries.ts'

/** Languages whose files can import each other. */
export type Family = 'js' | 'py' | 'go' | 'rs' | 'java' | 'c' | 'rb' | 'php'

/** How files of a language are parsed: `grammar` names the WebAssembly file, `query` finds its symbols. */
export type Language = { family: Family; grammar: string; query: string }

const typescript: Language = { family: 'js', grammar: 'typescript', query: queries.typescript }
const tsx: Language = { family: 'js', grammar: 'tsx', query: queries.typescript }
const javascript: Language = { family: 'js', grammar: 'javascript', query: queries.javascript }
const python: Language = { family: 'py', grammar: 'python', query: queries.python }
const ruby: Language = { family: 'rb', grammar: 'ruby', query: queries.ruby }
// C is close enough to a part of C++ for its definitions; there is no grammar of its own in the package.
const cpp: Language = { family: 'c', grammar: 'cpp', query: queries.cpp }

const byExtension = new Map<string, Language>([
  ...['.ts', '.mts', '.cts'].map((each) => [each, typescript] as const),
  ['.tsx', tsx],
  ...['.js', '.mjs', '.cjs', '.jsx'].map((each) => [each, javascript] as const),
  ...['.py', '.pyi'].map((each) => [each, python] as const),
  ['.go', { family: 'go', grammar: 'go', query: queries.go }],
  ['.rs', { family: 'rs', grammar: 'rust', query: queries.rust }],
  ['.java', { family: 'java', grammar: 'java', query: queries.java }],
  ...['.c', '.h', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.inl'].map((each) => [each, cpp] as const),
  ...['.rb', '.rake'].map((each) => [each, ruby] as const),
  ['.php', { family: 'php', grammar: 'php', query: queries.php }],
])

const manifests = new Set(['package.json', 'go.mod'])

/** The language of a file by its name. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(posix.extname(path).toLowerCase())
}

/** Whether a file gives names to modules instead of having symbols. */
export function isManifest(path: string): boolean {
  return manifests.has(posix.basename(path))
}

/** Whether the index reads a file. */
export function isIndexed(path: string): boolean {
  return languageOf(path) !== undefined || isManifest(path)
}

/** A path without its extension. */
export function withoutExtension(path: string): string {
  return path.slice(0, path.length - posix.extname(path).length)
}
