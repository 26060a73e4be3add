import type { Node, Parser, Query, QueryCapture } from 'web-tree-sitter'
import { type Definition, type DefinitionKind, type FileSymbols, type Import, noSymbols } from './file-symbols.ts'
import { expandUse, keysOfPath, targetsOf } from './import-targets.ts'
import type { Family, Language } from './languages.ts'

const mostDefinitions = 3_000
const mostImports = 500
const mostScopes = 100
const longestName = 200
const longestStatement = 4_000
// The processor time for a file: for its syntax tree, and for the search in it, each. Not elapsed time, so that a busy
// machine omits no files.
const mostMicroseconds = 1_000_000

type Found = { node: Node; line: number; end: number; until: number; modules: { specifier: string; names: string[] }[] }
type Scope = { until: number; name: string | undefined }

/**
 * The symbols of a text. `undefined` if that takes too long. At most 3,000 definitions and 500 imports, with names of
 * up to 200 characters.
 */
export function parseSymbols(
  path: string,
  text: string,
  { family }: Language,
  parser: Parser,
  query: Query,
): FileSymbols | undefined {
  const tree = parser.parse(text, null, { progressCallback: deadline() })
  // Without a reset the parser would continue with this text on the next call.
  if (!tree) parser.reset()
  if (!tree) return undefined
  try {
    let isOver = false
    const passed = deadline()
    const captures = query.captures(tree.rootNode, { progressCallback: () => (isOver = passed()) })
    return isOver ? undefined : collect(path, family, captures)
  } finally {
    tree.delete()
  }
}

function deadline(): () => boolean {
  const start = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(start)
    return user + system > mostMicroseconds
  }
}

function collect(path: string, family: Family, captures: readonly QueryCapture[]): FileSymbols {
  const definitions = new Map<number, Definition>()
  const scopes: Scope[] = []
  const imports: Found[] = []
  let space = ''
  for (const { name: capture, node } of captures) {
    while ((scopes.at(-1)?.until ?? Infinity) <= node.startIndex) scopes.pop()
    if (capture === 'scope') {
      if (scopes.length < mostScopes) scopes.push({ until: node.endIndex, name: undefined })
    } else if (capture === 'in') nameScope(scopes, node)
    else if (capture === 'package') space = nameOf(node) ?? ''
    else if (isKind(capture)) define(definitions, scopes, capture, node)
    else if (!capture.startsWith('_')) noteImport(imports, capture, node)
  }
  const all = [...definitions.values()]
  const flat = imports.flatMap(({ modules, line, end, node }) =>
    modules.flatMap((module) => importsOf(path, family, module, node).map((each) => ({ ...each, line, end }))),
  )
  return {
    ...noSymbols,
    definitions: all,
    imports: flat.slice(0, mostImports),
    keys: [...keysOfPath(family, path), ...namedKeys(family, space, all)],
  }
}

function isKind(capture: string): capture is DefinitionKind {
  return capture === 'function' || capture === 'class' || capture === 'variable'
}

function nameOf(node: Node): string | undefined {
  const length = node.endIndex - node.startIndex
  if (length === 0 || length > longestName) return undefined
  return node.text.replace(/^[:$#]/, '')
}

function nameScope(scopes: Scope[], node: Node): void {
  const scope = scopes.at(-1)
  if (scope) scope.name ??= nameOf(node)
}

function define(known: Map<number, Definition>, scopes: Scope[], kind: DefinitionKind, node: Node): void {
  const name = nameOf(node)
  if (name === undefined || (known.size >= mostDefinitions && !known.has(node.startIndex))) return
  const before = known.get(node.startIndex)
  // The queries match a constant with a function twice.
  if (before) {
    if (before.kind === 'variable') before.kind = kind
    return
  }
  const scope = scopes.at(-1)
  const around = scope?.name === undefined ? scopes.at(-2) : scope
  const within = around?.name
  known.set(node.startIndex, {
    name,
    kind,
    line: node.startPosition.row + 1,
    ...(within === undefined ? {} : { within }),
  })
  if (scope) scope.name ??= name
}

function noteImport(imports: Found[], capture: string, node: Node): void {
  if (capture === 'import') {
    if (imports.length >= mostImports) return
    const [line, end] = [node.startPosition.row + 1, node.endPosition.row + 1]
    imports.push({ node, line, end, until: node.endIndex, modules: [] })
    return
  }
  const found = imports.at(-1)
  if (!found || node.startIndex >= found.until || node.endIndex - node.startIndex > longestStatement) return
  const text = node.text
  if (capture === 'name') {
    // In TypeScript the names of an import precede its specifier.
    const last = found.modules.at(-1) ?? { specifier: '', names: [] }
    if (found.modules.length === 0) found.modules.push(last)
    if (last.names.length < mostImports) last.names.push(text)
    return
  }
  if (capture === 'alias') {
    const names = found.modules.at(-1)?.names
    names?.push(`${names.pop() ?? ''} ${text}`)
    return
  }
  const plain = text.replace(/^["'<]|[">']$/g, '')
  const relative = plain.startsWith('.') ? plain : `./${plain.replace(/^\//, '')}`
  const specifier = capture === 'mod' ? `mod ${plain}` : capture === 'relative' ? relative : plain
  const unnamed = found.modules.at(-1)
  if (unnamed?.specifier === '') unnamed.specifier = specifier
  else found.modules.push({ specifier, names: [] })
}

type Single = Omit<Import, 'line' | 'end'>

/**
 * The single imports of a statement: a declaration in Rust or PHP can name several modules, and in Python submodules.
 */
function importsOf(
  from: string,
  family: Family,
  { specifier, names }: { specifier: string; names: string[] },
  { type }: Node,
): Single[] {
  const single = (module: string, own: string[], taken?: string): Single => {
    const targets = targetsOf(family, from, module, taken)
    return { specifier: module.replace(/^mod /, ''), names: own, targets }
  }
  if (family === 'rs' && !specifier.startsWith('mod ')) {
    return expandUse(specifier, '::').map(({ specifier: module, name }) => single(module, [name]))
  }
  if (family === 'java') {
    const module = specifier.replace(/^import\s+(?:static\s+)?|[\s;]+$/g, '')
    return [single(module, [module.split('.').at(-1) ?? ''])]
  }
  if (family === 'php' && type === 'namespace_use_declaration') {
    const text = specifier.replace(/^use\s+(?:function\s+|const\s+)?|[\s;]+$/g, '')
    return expandUse(text, '\\').map((each) => single(each.specifier.replace(/^\\/, ''), [each.name]))
  }
  if (family === 'py' && type === 'import_from_statement' && names.length > 0) {
    return names.map((name) => single(specifier, name.split(' '), name.split(' ')[0]))
  }
  const last = family === 'go' || family === 'py' ? specifier.split(/[/.]/).at(-1) : undefined
  return [single(specifier, names.length > 0 || last === undefined ? names : [last])]
}

/** Classes of Java and PHP are imported by the name of their package, independently of file paths. */
function namedKeys(family: Family, space: string, definitions: readonly Definition[]): string[] {
  if (family !== 'java' && family !== 'php') return []
  const separator = family === 'java' ? '.' : '\\'
  const top = definitions.filter(({ within, kind }) => within === undefined && kind !== 'variable')
  const names = [...top.map(({ name }) => name), ...(family === 'java' ? ['*'] : [])]
  return names.map((name) => `${family}:${space === '' ? name : `${space}${separator}${name}`}`)
}
