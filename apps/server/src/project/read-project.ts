import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type ProjectEntry, type ToolFailure, localizable } from '@copydesk/tools'
import { createPathGuard, type PathGuard, type Opened, type ProjectRoot } from './project-root.ts'

/** The size limit of files that are read, in bytes. */
export const mostBytes = 1024 * 1024
const mostEntries = 20_000
const mostMs = 10_000
const mostDepth = 64

/** Reads a whole text file of the project: at most 1 MiB, not binary. Bytes that aren't UTF-8 become U+FFFD. */
export async function readProjectFile(
  root: ProjectRoot,
  path: string,
  guard: PathGuard = createPathGuard(root),
): Promise<{ ok: true; path: string; text: string } | ToolFailure> {
  const opened = await guard.open(path, 'file')
  if (!opened.ok) return opened
  try {
    const bytes = await readBytes(opened)
    const name = opened.path.join('/')
    if (bytes === undefined) {
      return failure(
        'too_large',
        localizable`${name} is larger than 1 MiB.`,
        'search_files finds nothing in it either: go on without it.',
      )
    }
    if (bytes.includes(0)) {
      return failure('too_large', localizable`${name} is a binary file.`, 'Only text can be read.')
    }
    return { ok: true, path: name, text: new TextDecoder().decode(bytes) }
  } finally {
    await opened.handle.close()
  }
}

/** The bytes of an opened file; `undefined` over 1 MiB, also if the file has grown since its size was read. */
export async function readBytes({ handle, stats }: Opened): Promise<Uint8Array | undefined> {
  if (stats.size > mostBytes) return undefined
  let buffer = Buffer.allocUnsafe(stats.size + 1)
  let length = 0
  while (length <= mostBytes) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) return buffer.subarray(0, length)
    length += bytesRead
    if (length === buffer.length) buffer = Buffer.concat([buffer], mostBytes + 1)
  }
  return undefined
}

/**
 * Lists a folder, with `recursive` also its subfolders, without ignored or secret entries, ordered by path. Links are
 * listed and not followed. Stops at 20,000 entries, 64 folders deep, after ten seconds, or when the signal is aborted.
 */
export async function listProject(
  root: ProjectRoot,
  path: string,
  recursive: boolean,
  signal?: AbortSignal,
): Promise<{ ok: true; entries: ProjectEntry[]; isWhole: boolean } | ToolFailure> {
  const guard = createPathGuard(root)
  const deadline = performance.now() + mostMs
  const entries: ProjectEntry[] = []
  const isOver = (): boolean =>
    entries.length >= mostEntries || performance.now() > deadline || signal?.aborted === true
  let isWhole = true
  const visit = async (folder: string, depth: number): Promise<ToolFailure | undefined> => {
    const opened = await guard.open(folder, 'folder')
    if (!opened.ok) return opened
    const found = await readFolder(root, opened, guard, isOver)
    isWhole &&= found.isWhole
    for (const entry of found.entries) {
      if (isOver()) isWhole = false
      if (!isWhole) break
      entries.push(entry)
      if (!recursive || entry.type !== 'folder') continue
      if (depth >= mostDepth) isWhole = false
      // A folder that was deleted or hidden meanwhile is skipped.
      else await visit(entry.path, depth + 1)
    }
    return undefined
  }
  const refused = await visit(path, 1)
  return refused ?? { ok: true, entries, isWhole }
}

async function readFolder(root: ProjectRoot, { handle, path }: Opened, guard: PathGuard, isOver: () => boolean) {
  const entries: ProjectEntry[] = []
  try {
    const { names, at } = await readNames(root, path, handle.fd)
    for (const each of names.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isOver()) return { entries, isWhole: false }
      const type = each.isDirectory() ? 'folder' : each.isFile() ? 'file' : each.isSymbolicLink() ? 'link' : undefined
      const own = [...path, each.name]
      if (type === undefined || !(await guard.shows(own, type === 'folder'))) continue
      const stats = await lstat(join(at, each.name)).catch(() => undefined)
      if (!stats) continue
      entries.push({ path: own.join('/'), type, size: stats.size, modified: stats.mtime.toISOString() })
    }
    return { entries, isWhole: true }
  } finally {
    await handle.close()
  }
}

// The kernel's link refers to the checked folder, even if its path refers to another one by now.
async function readNames({ directory }: ProjectRoot, path: readonly string[], fd: number) {
  const held = `/proc/self/fd/${fd}/`
  const names = await readdir(held, { withFileTypes: true }).catch(() => undefined)
  if (names) return { names, at: held }
  const real = join(directory, ...path)
  return { names: await readdir(real, { withFileTypes: true }), at: real }
}
