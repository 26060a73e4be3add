import { posix } from 'node:path'
import { z } from 'zod'
import type { Provided } from './file-symbols.ts'

const mostEntries = 200

const Manifest = z.object({ name: z.string().max(214), main: z.string().optional(), exports: z.unknown().optional() })

/** The names that a `package.json` or `go.mod` gives to paths; none if it can't be read. */
export function readManifest(path: string, text: string): Provided[] {
  return posix.basename(path) === 'go.mod' ? readGoModule(path, text) : readPackage(path, text)
}

function readGoModule(path: string, text: string): Provided[] {
  const name = /^module[ \t]+"?([^\s"]{1,1000})/m.exec(text)?.[1]
  return name === undefined ? [] : [{ specifier: name, path: folderOf(path) }]
}

function readPackage(path: string, text: string): Provided[] {
  const found = Manifest.safeParse(parse(text))
  if (!found.success) return []
  const { name, main, exports } = found.data
  const entries = isEntries(exports) ? Object.entries(exports) : [['.', exports ?? main ?? '.'] as const]
  const own = entries.slice(0, mostEntries).flatMap(([entry, value]) => {
    const file = firstPath(value)
    if (file === undefined || entry.includes('*')) return []
    return [{ specifier: posix.join(name, entry), path: posix.join(folderOf(path), file) }]
  })
  return own.filter((each) => !each.path.startsWith('..'))
}

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

function isEntries(exports: unknown): exports is Record<string, unknown> {
  return typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'))
}

/** The first path among the conditions of an entry. */
function firstPath(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.slice(0, 1_000)
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  for (const each of Object.values(value).slice(0, 10)) {
    const path = firstPath(each, depth + 1)
    if (path !== undefined) return path
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
