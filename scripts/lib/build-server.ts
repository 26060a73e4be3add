import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { buildIfChanged } from './build-if-changed.ts'
import { serverFolder } from './paths.ts'
import { workerEntries } from './worker-entries.ts'

const dir = join(serverFolder, 'dist')
// The files of this build decide what becomes of the sources, too.
const builders = ['scripts/lib/build-server.ts', 'scripts/lib/worker-entries.ts']
const inputs = ['apps/server', 'packages', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...builders]

/**
 * Builds the server as one bundle that needs no `node_modules`, unless the last build was made from exactly the present
 * files. Files of earlier builds are deleted after the new ones are written, so that a server that is just starting
 * finds all of its own. Start it with `node apps/server/dist/main.js`.
 * @throws with the bundler's messages.
 */
export async function buildServerIfChanged(): Promise<void> {
  await buildIfChanged({ output: dir, inputs }, async () => {
    await buildServer()
    return 0
  })
}

async function buildServer(): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(serverFolder, 'src/main.ts') },
    platform: 'node',
    plugins: [workerEntries()],
    // The parsers of tree-sitter need no code from text, but its runtime could.
    onLog(level, log, handle) {
      if (log.code !== 'EVAL' || !log.id?.includes('web-tree-sitter')) handle(level, log)
    },
  })
  try {
    // Flat on purpose: a worker's file is next to the chunk that starts it, and `../../web/dist` is the same place for
    // `src/main.ts` and `dist/main.js`.
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
    // V8 keeps the source of every module in memory. Names stay, for stack traces.
    const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } }
    const { output } = await bundle.write({ dir, format: 'esm', minify, ...names })
    const starter = output.find((file) => file.type === 'chunk' && file.imports.includes('main.js'))
    if (starter !== undefined) throw new Error(`${starter.fileName} imports main.js: it would start a second server`)
    await copyRipgrep(dir)
    const written = new Set([...output.map((file) => file.fileName), ripgrep, ...copyGrammars(dir)])
    for (const file of readdirSync(dir)) if (!written.has(file)) rmSync(join(dir, file), { recursive: true })
  } finally {
    await bundle.close()
  }
}

const ripgrep = 'rg'

/** The program that searches in a project's files, if its package has one for this system; without it a thread does. */
async function copyRipgrep(dir: string): Promise<void> {
  // Resolved from the server, whose dependency it is.
  const server = createRequire(join(serverFolder, 'package.json'))
  const { rgPath } = (await import(server.resolve('@vscode/ripgrep'))) as { rgPath: string }
  copyFileSync(rgPath, join(dir, ripgrep))
}

// Those that `apps/server/src/project/symbols/languages.ts` names.
const grammars = ['typescript', 'tsx', 'javascript', 'python', 'go', 'rust', 'java', 'cpp', 'ruby', 'php']

/** The parsers for the index of a project's symbols. Returns the names of the files. */
function copyGrammars(dir: string): string[] {
  const { resolve } = createRequire(join(serverFolder, 'package.json'))
  const packaged = join(dirname(resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm')
  const files = grammars.map((name) => join(packaged, `tree-sitter-${name}.wasm`))
  return [resolve('web-tree-sitter/web-tree-sitter.wasm'), ...files].map((file) => {
    copyFileSync(file, join(dir, basename(file)))
    return basename(file)
  })
}
