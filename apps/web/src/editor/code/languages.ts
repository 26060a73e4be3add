/* oxlint-disable copydesk/translated-text -- the names of code languages are the same in every language */
import type { LanguageFn } from 'highlight.js'
import { t } from '../../i18n/translate.ts'

type Load = () => Promise<{ default: LanguageFn }>

/** A code language: its name in the document, its label, its grammar, and its aliases. */
export type Language = { name: string; label: string; load: Load; aliases: readonly string[] }

function language(name: string, label: string, load: Load, aliases?: string): Language {
  return { name, label, load, aliases: aliases?.split(' ') ?? [] }
}

/**
 * The supported languages, by label. Their names are those of highlight.js. Each is a separate chunk in the build,
 * fetched when a document contains code in it.
 */
const languages: readonly Language[] = [
  language('bash', 'Bash', () => import('highlight.js/lib/languages/bash'), 'sh shell zsh console'),
  language('c', 'C', () => import('highlight.js/lib/languages/c'), 'h'),
  language('csharp', 'C#', () => import('highlight.js/lib/languages/csharp'), 'cs c#'),
  language('cpp', 'C++', () => import('highlight.js/lib/languages/cpp'), 'c++ cc hpp'),
  language('clojure', 'Clojure', () => import('highlight.js/lib/languages/clojure'), 'clj'),
  language('css', 'CSS', () => import('highlight.js/lib/languages/css')),
  language('dart', 'Dart', () => import('highlight.js/lib/languages/dart')),
  language('diff', 'Diff', () => import('highlight.js/lib/languages/diff'), 'patch'),
  language('dockerfile', 'Dockerfile', () => import('highlight.js/lib/languages/dockerfile'), 'docker'),
  language('elixir', 'Elixir', () => import('highlight.js/lib/languages/elixir'), 'ex exs'),
  language('erlang', 'Erlang', () => import('highlight.js/lib/languages/erlang'), 'erl'),
  language('go', 'Go', () => import('highlight.js/lib/languages/go'), 'golang'),
  language('graphql', 'GraphQL', () => import('highlight.js/lib/languages/graphql'), 'gql'),
  language('haskell', 'Haskell', () => import('highlight.js/lib/languages/haskell'), 'hs'),
  language('html', 'HTML', () => import('highlight.js/lib/languages/xml'), 'htm xhtml vue svelte'),
  language('http', 'HTTP', () => import('highlight.js/lib/languages/http')),
  language('ini', 'INI, TOML', () => import('highlight.js/lib/languages/ini'), 'toml'),
  language('java', 'Java', () => import('highlight.js/lib/languages/java')),
  language('javascript', 'JavaScript', () => import('highlight.js/lib/languages/javascript'), 'js jsx mjs cjs'),
  language('json', 'JSON', () => import('highlight.js/lib/languages/json'), 'jsonc json5'),
  language('julia', 'Julia', () => import('highlight.js/lib/languages/julia'), 'jl'),
  language('kotlin', 'Kotlin', () => import('highlight.js/lib/languages/kotlin'), 'kt kts'),
  language('latex', 'LaTeX', () => import('highlight.js/lib/languages/latex'), 'tex'),
  language('less', 'Less', () => import('highlight.js/lib/languages/less')),
  language('lua', 'Lua', () => import('highlight.js/lib/languages/lua')),
  language('makefile', 'Makefile', () => import('highlight.js/lib/languages/makefile'), 'make mk'),
  language('markdown', 'Markdown', () => import('highlight.js/lib/languages/markdown'), 'md mdx'),
  language('nginx', 'nginx', () => import('highlight.js/lib/languages/nginx'), 'nginxconf'),
  language('objectivec', 'Objective-C', () => import('highlight.js/lib/languages/objectivec'), 'objc mm'),
  language('perl', 'Perl', () => import('highlight.js/lib/languages/perl'), 'pl pm'),
  language('php', 'PHP', () => import('highlight.js/lib/languages/php')),
  language('powershell', 'PowerShell', () => import('highlight.js/lib/languages/powershell'), 'ps1 pwsh'),
  language('python', 'Python', () => import('highlight.js/lib/languages/python'), 'py py3'),
  language('r', 'R', () => import('highlight.js/lib/languages/r')),
  language('ruby', 'Ruby', () => import('highlight.js/lib/languages/ruby'), 'rb'),
  language('rust', 'Rust', () => import('highlight.js/lib/languages/rust'), 'rs'),
  language('scala', 'Scala', () => import('highlight.js/lib/languages/scala'), 'sc'),
  language('scss', 'SCSS', () => import('highlight.js/lib/languages/scss'), 'sass'),
  language('sql', 'SQL', () => import('highlight.js/lib/languages/sql'), 'mysql postgresql sqlite'),
  language('swift', 'Swift', () => import('highlight.js/lib/languages/swift')),
  language('typescript', 'TypeScript', () => import('highlight.js/lib/languages/typescript'), 'ts tsx mts cts'),
  language('wasm', 'WebAssembly', () => import('highlight.js/lib/languages/wasm'), 'wat wast'),
  language('xml', 'XML', () => import('highlight.js/lib/languages/xml'), 'svg plist rss'),
  language('yaml', 'YAML', () => import('highlight.js/lib/languages/yaml'), 'yml'),
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
