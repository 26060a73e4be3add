import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, root } from './paths.ts'
import { captureCommand, compilerEnvironment } from './run-command.ts'

/** The folders in `packages` that are published, each after those that it imports. */
export const publishedPackages = ['schema', 'protocol', 'tools', 'agent', 'agent-panel', 'editor-bridge'] as const

const projects = [
  'packages/tsconfig.build.json',
  'packages/agent-panel/tsconfig.build.json',
  'packages/editor-bridge/tsconfig.build.json',
]
// `outDir` of these projects.
const emitted = join(cacheFolder, 'packages')

/** A manifest of the workspace, as far as publishing reads it. */
type Manifest = { name: string; version: string; private?: boolean }

/**
 * Builds the published packages: ES modules, declarations and styles into `dist` of each.
 * @throws with the compiler's messages, or for a manifest that is private or has another version than the root's.
 */
export async function buildPackages(): Promise<void> {
  for (const name of publishedPackages) checkManifest(name)
  rmSync(emitted, { recursive: true, force: true })
  for (const project of projects) {
    const { code, output } = await captureCommand('tsc', ['--project', project], { env: compilerEnvironment })
    if (code !== 0) throw new Error(`${project} does not compile:\n${output}`)
  }
  for (const name of publishedPackages) moveToDist(name)
}

/**
 * Packs the built packages as they are published, into `folder`. Answers the tarballs' absolute paths, in the order of
 * `publishedPackages`. `pnpm pack` writes the versions of `catalog:` and `workspace:`, the built `exports` and the
 * licence.
 */
export async function packPackages(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const filters = publishedPackages.map((name) => `--filter=./packages/${name}`)
  const { code, output } = await runPnpm([...filters, '--recursive', 'pack', '--pack-destination', folder])
  if (code !== 0) throw new Error(`pnpm pack failed:\n${output}`)
  return publishedPackages.map((name) => join(folder, `copydesk-${name}-${readManifest('.').version}.tgz`))
}

async function runPnpm(args: readonly string[]) {
  const result = await captureCommand('pnpm', args)
  return result.code === 127 ? captureCommand('npx', ['-y', 'pnpm@12', ...args]) : result
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

function checkManifest(name: string): void {
  const { version } = readManifest('.')
  const manifest = readManifest(`packages/${name}`)
  if (manifest.private === true) throw new Error(`${manifest.name} is private and can't be published`)
  if (manifest.version === version) return
  throw new Error(`${manifest.name} has version ${manifest.version}; all packages have the root's version, ${version}`)
}

function moveToDist(name: string): void {
  const source = join(emitted, name, 'src')
  const dist = join(root, 'packages', name, 'dist')
  // The compiler rewrites imports only in the code, not in the declarations.
  for (const file of globSync('**/*.d.ts', { cwd: source })) {
    const text = readFileSync(join(source, file), 'utf8')
    writeFileSync(
      join(source, file),
      text.replaceAll(/((?:from|import) ?\(?['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g, '$1.js'),
    )
  }
  const sources = join(root, 'packages', name, 'src')
  for (const file of globSync('**/*.css', { cwd: sources })) {
    cpSync(join(sources, file), join(source, file))
    // Importing a file without types is an error in TypeScript's strict settings.
    writeFileSync(join(source, `${file}.d.ts`), 'export {}\n')
  }
  rmSync(dist, { recursive: true, force: true })
  renameSync(source, dist)
}
