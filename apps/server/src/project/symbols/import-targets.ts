import { posix } from 'node:path'
import { type Family, withoutExtension } from './languages.ts'

const mostDepth = 64
const folderFiles: Partial<Record<Family, RegExp>> = {
  js: /(?:^|\/)index$/,
  py: /(?:^|\/)__init__$/,
  rs: /(?:^|\/)(?:mod|lib|main)$/,
}

/**
 * The keys of a file by its path: the path, the path without extension, and the folder if it is the folder's main file.
 */
export function keysOfPath(family: Family, path: string): string[] {
  const stem = withoutExtension(path)
  const pattern = folderFiles[family]
  const own = [path, ...(stem === path ? [] : [stem]), ...(pattern?.test(stem) ? [stem.replace(pattern, '')] : [])]
  const crate = family === 'rs' ? /(?:^|\/)([^/]+)\/src(?:\/(.*))?$/.exec(stem.replace(pattern ?? '', '')) : null
  // Other crates refer to this crate by Cargo's default name: its folder, with underscores.
  const crates = crate ? [`@${[crate[1]?.replaceAll('-', '_'), crate[2]].filter(Boolean).join('/')}`] : []
  return [...own, ...crates].map((each) => `${family}:${each}`)
}

/** The possible keys of an imported module, the likeliest first; `name` is the imported name. */
export function targetsOf(family: Family, from: string, specifier: string, name?: string): string[] {
  return targets[family](from, specifier, name).map((each) => `${family}:${each}`)
}

type Targets = (from: string, specifier: string, name: string | undefined) => string[]

const targets: Record<Family, Targets> = {
  js(from, specifier) {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return withStem(join(posix.dirname(from), specifier))
    const alias = /^[@~]\/(.+)$/.exec(specifier)?.[1]
    if (alias === undefined) return [`@${specifier}`]
    return foldersUp(from).flatMap((folder) => [
      ...withStem(join(folder, `src/${alias}`)),
      ...withStem(join(folder, alias)),
    ])
  },
  py(from, specifier, name) {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0
    const path = specifier.slice(dots).replaceAll('.', '/')
    const up = '../'.repeat(Math.min(Math.max(0, dots - 1), mostDepth))
    const places =
      dots > 0 ? [join(posix.dirname(from), `${up}${path}`)] : foldersUp(from).map((each) => join(each, path))
    return places.flatMap((place) => (name === undefined ? [place] : [join(place, name), place]))
  },
  go: (_from, specifier) => [specifier],
  java: (_from, specifier) => shorter(specifier, '.', 3),
  c: (from, specifier) =>
    foldersUp(from).flatMap((folder) => ['', 'include/', 'src/'].map((each) => join(folder, `${each}${specifier}`))),
  rb(from, specifier) {
    if (specifier.startsWith('.')) return [join(posix.dirname(from), specifier)]
    return foldersUp(from).flatMap((folder) => [join(folder, specifier), join(folder, `lib/${specifier}`)])
  },
  php(from, specifier) {
    if (!/[./]/.test(specifier)) return [specifier]
    if (specifier.startsWith('.')) return [join(posix.dirname(from), specifier)]
    return foldersUp(from).map((folder) => join(folder, specifier))
  },
  rs: rustTargets,
}

function rustTargets(from: string, specifier: string): string[] {
  const stem = withoutExtension(from)
  const own = folderFiles.rs?.test(stem) ? posix.dirname(from) : stem
  if (specifier.startsWith('mod ')) return [join(own, specifier.slice(4))]
  const parts = specifier.split('::').slice(0, mostDepth)
  const first = parts[0]
  if (first === 'crate') {
    const root = foldersUp(from).find((folder) => posix.basename(folder) === 'src') ?? posix.dirname(from)
    return shorter([root, ...parts.slice(1)].join('/'), '/', parts.length)
  }
  const ups = parts.filter((part) => part === 'super').length
  if (first === 'self' || ups > 0) {
    const base = ups === 0 ? own : join(own, '../'.repeat(ups))
    const rest = parts.slice(first === 'self' ? 1 : ups)
    return shorter([base, ...rest].join('/'), '/', rest.length + 1)
  }
  const path = parts.join('/')
  return [...shorter(`${own}/${path}`, '/', parts.length), ...shorter(`@${path}`, '/', parts.length)]
}

/** `a.b.c`, `a.b`, `a`: at most `most` of them. */
function shorter(path: string, separator: string, most: number): string[] {
  const parts = path.split(separator)
  const count = Math.min(most, parts.length)
  return Array.from({ length: count }, (_, index) => parts.slice(0, parts.length - index).join(separator))
}

// TypeScript files are imported by the names of their compiled JavaScript files.
function withStem(path: string): string[] {
  return /\.[cm]?jsx?$/.test(path) ? [path, withoutExtension(path)] : [path]
}

/** The folder of a file and its parent folders, the project's folder last. */
function foldersUp(path: string): string[] {
  const parts = path.split('/').slice(0, -1).slice(0, mostDepth)
  return Array.from({ length: parts.length + 1 }, (_, index) => parts.slice(0, parts.length - index).join('/'))
}

function join(folder: string, path: string): string {
  const joined = posix.join(folder, path).replace(/\/$/, '')
  return joined === '.' ? '' : joined
}

const mostExpanded = 100

/** The single modules of a declaration with braces: `a::{b, c::{d as e}}` is `a::b` and `a::c::d`, named `e`. */
export function expandUse(text: string, separator: string): { specifier: string; name: string }[] {
  const found: { specifier: string; name: string }[] = []
  const prefixes = ['']
  let current = ''
  const end = (): void => {
    const [path = '', alias] = current.trim().split(/\s+as\s+/)
    const whole = `${prefixes.at(-1)}${path}`
    // Both `a::{self}` and `a::*` are `a`.
    const suffix = ['self', '*'].map((each) => separator + each).find((each) => whole.endsWith(each))
    const specifier = suffix === undefined ? whole : whole.slice(0, -suffix.length)
    const name = alias ?? specifier.split(separator).at(-1) ?? ''
    if (path !== '' && found.length < mostExpanded) found.push({ specifier, name })
    current = ''
  }
  for (const char of text) {
    if (char === '{') {
      prefixes.push(prefixes.length > mostDepth ? '' : `${prefixes.at(-1)}${current.trim()}`)
      current = ''
    } else if (char === ',' || char === '}') {
      end()
      if (char === '}' && prefixes.length > 1) prefixes.pop()
    } else current += char
  }
  end()
  return found
}
