import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test, vi } from 'vitest'
import { build, type Rolldown } from 'vite'
import { webFolder } from '../../scripts/lib/paths.ts'

type Chunk = Rolldown.OutputChunk

/** Gzipped JavaScript in bytes (1 kB is 1000). What is over belongs behind a `lazy` or an `import()`. */
// Menus, fields, toasts and requests that change something aren't in the shell any more, but count where they are
// needed.
// The shell has what puts texts into the user's language: 2 kB.
const limits = { shell: 122_500, editor: 303_000, panels: 43_500 }

// What comes by itself after the text can be read and written.
const besideTheText = ['/chat/chat-panel.tsx', '/review/review-layer.tsx', '/review/threads/comments-panel.tsx']

let output: readonly (Chunk | Rolldown.OutputAsset)[]
let chunks: ReadonlyMap<string, Chunk>

beforeAll(async () => {
  // Vitest's own mode would bring React's development build.
  vi.stubEnv('NODE_ENV', 'production')
  const built = await build({
    root: webFolder,
    configFile: join(webFolder, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  })
  // Other files in this worker load React's development build.
  vi.unstubAllEnvs()
  if (!Array.isArray(built) && !('output' in built)) throw new Error('Vite watches instead of building')
  output = [built].flat().flatMap((bundle) => bundle.output)
  chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
})

/** The chunks that have these modules and everything that these import at once. */
function withImports(...modules: string[]): Set<Chunk> {
  const found = new Set<Chunk>()
  const add = (chunk: Chunk | undefined): void => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) add(chunks.get(name))
  }
  for (const module of modules) {
    const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (chunk === undefined) throw new Error(`no chunk has ${module}: it has moved`)
    add(chunk)
  }
  return found
}

function without(parts: Set<Chunk>, others: Set<Chunk>): Set<Chunk> {
  return new Set([...parts].filter((part) => !others.has(part)))
}

function gzipped(parts: Set<Chunk>): number {
  return [...parts].reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0)
}

// The code that checks the first responses is loaded in parallel with the requests; the first page renders before it,
// but still needs it.
const shell = () => withImports('/web/src/main.tsx', '/api/shell-shapes.ts')
const editor = () => without(withImports('/document/document-page.tsx', '/document/opened-page.tsx'), shell())
const panels = () => without(without(withImports(...besideTheText), editor()), shell())

test('the first page is small, with all that it asks for by itself', () => {
  expect(gzipped(shell())).toBeLessThanOrEqual(limits.shell)
})

test('a document adds little to it', () => {
  expect(gzipped(editor())).toBeLessThanOrEqual(limits.editor)
})

test('so do the panels next to it', () => {
  expect(gzipped(panels())).toBeLessThanOrEqual(limits.panels)
})

test('rare parts of it are not loaded before they are used', () => {
  const early = [...shell(), ...editor(), ...panels()].flatMap(({ moduleIds }) => moduleIds)
  expect(early.filter((id) => /\/node_modules\/(katex|highlight\.js)\/.*\.m?js$/.test(id))).toEqual([])
})

/** The files that a page names. */
function namedIn(page: string): Set<string> {
  const found = output.find(({ fileName }) => fileName === page)
  if (found?.type !== 'asset') throw new Error(`the build has no ${page}`)
  return new Set([...String(found.source).matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? ''))
}

test('[LAYOUT-11] the page of a document names all files that it needs, other pages only the shell', () => {
  const filesOf = (parts: Set<Chunk>) =>
    [...parts].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
  const shellFiles = filesOf(withImports('/web/src/main.tsx'))
  expect(namedIn('index.html')).toEqual(new Set(shellFiles))
  expect(namedIn('document.html')).toEqual(new Set([...shellFiles, ...filesOf(shell()), ...filesOf(editor())]))
})

test('no files import each other, of which one would run before what it needs', () => {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    expect(path, 'a circle of files').not.toContain(name)
    if (done.has(name)) return
    for (const imported of chunks.get(name)?.imports ?? []) visit(imported, [...path, name])
    done.add(name)
  }
  for (const name of chunks.keys()) visit(name, [])
})
