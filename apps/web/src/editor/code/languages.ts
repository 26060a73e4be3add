/* oxlint-disable copydesk/translated-text -- the names of code languages are the same in every language */
import { t } from '../../i18n/translate.ts'

/** A code language: its name in the document, its label, and its aliases. */
export type Language = { name: string; label: string; aliases: readonly string[] }

const language = (name: string, label: string, ...aliases: string[]): Language => ({ name, label, aliases })

/** The languages on offer, by label. Their names are those of highlight.js. */
const languages: readonly Language[] = [
  language('bash', 'Bash', 'sh', 'shell', 'zsh', 'console'),
  language('c', 'C', 'h'),
  language('csharp', 'C#', 'cs', 'c#'),
  language('cpp', 'C++', 'c++', 'cc', 'hpp'),
  language('clojure', 'Clojure', 'clj'),
  language('css', 'CSS'),
  language('dart', 'Dart'),
  language('diff', 'Diff', 'patch'),
  language('dockerfile', 'Dockerfile', 'docker'),
  language('elixir', 'Elixir', 'ex', 'exs'),
  language('erlang', 'Erlang', 'erl'),
  language('go', 'Go', 'golang'),
  language('graphql', 'GraphQL', 'gql'),
  language('haskell', 'Haskell', 'hs'),
  language('html', 'HTML', 'htm', 'xhtml', 'vue', 'svelte'),
  language('http', 'HTTP'),
  language('ini', 'INI, TOML', 'toml'),
  language('java', 'Java'),
  language('javascript', 'JavaScript', 'js', 'jsx', 'mjs', 'cjs'),
  language('json', 'JSON', 'jsonc', 'json5'),
  language('julia', 'Julia', 'jl'),
  language('kotlin', 'Kotlin', 'kt', 'kts'),
  language('latex', 'LaTeX', 'tex'),
  language('less', 'Less'),
  language('lua', 'Lua'),
  language('makefile', 'Makefile', 'make', 'mk'),
  language('markdown', 'Markdown', 'md', 'mdx'),
  language('nginx', 'nginx', 'nginxconf'),
  language('objectivec', 'Objective-C', 'objc', 'mm'),
  language('perl', 'Perl', 'pl', 'pm'),
  language('php', 'PHP'),
  language('powershell', 'PowerShell', 'ps1', 'pwsh'),
  language('python', 'Python', 'py', 'py3'),
  language('r', 'R'),
  language('ruby', 'Ruby', 'rb'),
  language('rust', 'Rust', 'rs'),
  language('scala', 'Scala', 'sc'),
  language('scss', 'SCSS', 'sass'),
  language('sql', 'SQL', 'mysql', 'postgresql', 'sqlite'),
  language('swift', 'Swift'),
  language('typescript', 'TypeScript', 'ts', 'tsx', 'mts', 'cts'),
  language('wasm', 'WebAssembly', 'wat', 'wast'),
  language('xml', 'XML', 'svg', 'plist', 'rss'),
  language('yaml', 'YAML', 'yml'),
]

/** The language with this name or alias in a document, ignoring case; undefined for an unknown one. */
export function findLanguage(written: unknown): Language | undefined {
  if (typeof written !== 'string') return undefined
  const wanted = written.trim().toLowerCase()
  return languages.find(({ name, aliases }) => name === wanted || aliases.includes(wanted))
}

/** The label of a block's language: its own label, else the document's value, else “Plain text”. */
export function describeLanguage(written: unknown): string {
  if (typeof written !== 'string' || written === '') return t('Plain text')
  return findLanguage(written)?.label ?? written.slice(0, 40)
}

/** The languages that match the typed text, those that begin with it first. */
export function searchLanguages(typed: string): readonly Language[] {
  const wanted = typed.trim().toLowerCase()
  const names = ({ name, label, aliases }: Language) => [name, label.toLowerCase(), ...aliases]
  const begins = languages.filter((each) => names(each).some((name) => name.startsWith(wanted)))
  const holds = languages.filter((each) => !begins.includes(each) && names(each).some((name) => name.includes(wanted)))
  return [...begins, ...holds]
}
