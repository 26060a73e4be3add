import { posix } from 'node:path'
import * as queries from './queries.ts'

/** Languages whose files can import each other. */
export type Family = 'js' | 'py' | 'go' | 'rs' | 'java' | 'c' | 'rb' | 'php'

/** The parsing of a language's files: `grammar` names the WebAssembly file, `query` finds the symbols. */
export type Language = { family: Family; grammar: string; query: string }

const typescript: Language = { family: 'js', grammar: 'typescript', query: queries.typescript }
const tsx: Language = { family: 'js', grammar: 'tsx', query: queries.typescript }
const javascript: Language = { family: 'js', grammar: 'javascript', query: queries.javascript }
const python: Language = { family: 'py', grammar: 'python', query: queries.python }
const ruby: Language = { family: 'rb', grammar: 'ruby', query: queries.ruby }
// C uses the grammar of C++, which parses its definitions well enough; the package has no C grammar.
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

export function languageOf(path: string): Language | undefined {
  return byExtension.get(posix.extname(path).toLowerCase())
}

/** Whether a file is a manifest, which assigns names to modules instead of containing symbols. */
export function isManifest(path: string): boolean {
  return manifests.has(posix.basename(path))
}

export function isIndexed(path: string): boolean {
  return languageOf(path) !== undefined || isManifest(path)
}

export function withoutExtension(path: string): string {
  return path.slice(0, path.length - posix.extname(path).length)
}
