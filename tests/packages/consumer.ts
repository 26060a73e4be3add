import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { publishedPackages } from '../../scripts/lib/build-packages.ts'
import { root } from '../../scripts/lib/paths.ts'
import { captureCommand } from '../../scripts/lib/run-command.ts'

/** What a project that uses the packages installs besides them, in the versions of this workspace. */
const others = ['react', 'react-dom', '@types/react', '@types/react-dom', '@types/node']

/** Every import that the published packages offer, read from their manifests; styles are left out. */
export const publishedEntries = publishedPackages.flatMap((name) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    publishConfig: { exports: Record<string, unknown> }
  }
  const paths = Object.keys(manifest.publishConfig.exports).filter((path) => !path.endsWith('.css'))
  return paths.map((path) => `@copydesk/${name}${path.slice(1)}`)
})

/** Writes an empty project into `folder` that depends on the tarballs, and installs it with npm. */
export async function installConsumer(folder: string, tarballs: readonly string[]) {
  const ours = publishedPackages.map((name, index) => [`@copydesk/${name}`, `file:${tarballs[index]}`])
  const foreign = others.map((name) => [name, catalogVersion(name)])
  const dependencies = Object.fromEntries([...ours, ...foreign]) as Record<string, string>
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies }
  writeFiles(folder, { 'package.json': JSON.stringify(manifest, null, 2) })
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  return captureCommand('npm', ['install', ...quiet], { cwd: folder })
}

/** Writes files, by path, into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** The first example of a package's README, and whether it is TSX. */
export function firstExample(name: string): { code: string; extension: 'ts' | 'tsx' } {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
  const [, extension, code] = /^```(tsx?)\n([^]*?)^```/m.exec(readme) ?? []
  if (code === undefined) throw new Error(`the README of ${name} has no example`)
  return { code, extension: extension === 'tsx' ? 'tsx' : 'ts' }
}

/** The path of a Node of this major version: the one of this process, or one in `PATH`; undefined if there is none. */
export async function findNode(major: number): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [process.execPath, ...folders.map((folder) => join(folder, 'node'))]
  for (const path of new Set(candidates)) {
    if (!existsSync(path)) continue
    const { output } = await captureCommand(path, ['--version'])
    if (output.startsWith(`v${major}.`)) return path
  }
  return undefined
}

/** Installs a Node of this major version into a folder with npm; undefined if it can't be had. */
export async function installNode(major: number, folder: string): Promise<string | undefined> {
  writeFiles(folder, { 'package.json': JSON.stringify({ private: true, dependencies: { node: `^${major}` } }) })
  await captureCommand('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder })
  const path = join(folder, 'node_modules/node/bin/node')
  return existsSync(path) ? path : undefined
}

/** Whether npm failed since the registry can't be reached. */
export function isOffline(output: string): boolean {
  return /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.test(output)
}

function catalogVersion(name: string): string {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const version = new RegExp(`^  '?${name}'?: (\\S+)$`, 'm').exec(workspace)?.[1]
  if (version === undefined) throw new Error(`the catalog has no ${name}`)
  return version
}
