import type { LanguageFn } from 'highlight.js'
import { createLowlight } from 'lowlight'

/** A range of code with the classes that colour it; offsets in UTF-16 units. */
export type Token = { from: number; to: number; className: string }

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type TreeNode = Tree['children'][number]

const lowlight = createLowlight()

// Each language is a chunk of its own in the build, fetched when a document contains code in it.
const loaders: Record<string, () => Promise<{ default: LanguageFn }>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  clojure: () => import('highlight.js/lib/languages/clojure'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  erlang: () => import('highlight.js/lib/languages/erlang'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  html: () => import('highlight.js/lib/languages/xml'),
  http: () => import('highlight.js/lib/languages/http'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  julia: () => import('highlight.js/lib/languages/julia'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  less: () => import('highlight.js/lib/languages/less'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  wasm: () => import('highlight.js/lib/languages/wasm'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

// HTML embeds the other two.
const companions: Record<string, readonly string[]> = { html: ['css', 'javascript'], markdown: ['xml'] }

/** Loads a language of `languages.ts`; resolves to whether that name exists. Rejects when it can't be fetched. */
export async function loadLanguage(name: string): Promise<boolean> {
  const wanted = [name, ...(companions[name] ?? [])].filter((each) => !lowlight.registered(each))
  const loaded = await Promise.all(wanted.map(async (each) => [each, await loaders[each]?.()] as const))
  for (const [each, module] of loaded) if (module) lowlight.register(each, module.default)
  return lowlight.registered(name)
}

/** The tokens of code in a loaded language, in order and without overlap; none for others. */
export function tokenize(name: string, code: string): Token[] {
  if (!lowlight.registered(name)) return []
  const tokens: Token[] = []
  collect(lowlight.highlight(name, code).children, 0, '', tokens)
  return tokens
}

function collect(nodes: readonly TreeNode[], start: number, classes: string, tokens: Token[]): number {
  let at = start
  for (const node of nodes) {
    if (node.type === 'text') {
      if (classes !== '') tokens.push({ from: at, to: at + node.value.length, className: classes })
      at += node.value.length
    } else if (node.type === 'element') {
      const own = node.properties.className
      at = collect(node.children, at, [classes, ...(Array.isArray(own) ? own : [])].join(' ').trim(), tokens)
    }
  }
  return at
}
