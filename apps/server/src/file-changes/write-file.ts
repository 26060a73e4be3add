import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { link, lstat, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, shorten, type ToolFailure, localizable } from '@copydesk/tools'
import {
  changed,
  closed,
  createPathGuard,
  type PathGuard,
  isAt,
  type Opened,
  outside,
  type ProjectRoot,
  readPath,
  toFailure,
} from '../project/project-root.ts'
import { readBytes } from '../project/read-project.ts'
import { exactText } from './file-text.ts'

/** The current state of a file: `text` is undefined if it doesn't exist and may be created. `path` is its real path. */
export type FileNow = { ok: true; path: string; text: string | undefined; stats: Stats | undefined }

const deepest = 32
const longestName = 200
// Invisible characters, and characters that some systems remove from names.
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s|[\s.]$/u
const newMode = 0o644

/** The exact text of a file that may be changed, or undefined text for a file that may be created. */
export async function readExact(root: ProjectRoot, path: string): Promise<FileNow | ToolFailure> {
  return readNow(createPathGuard(root), path)
}

/**
 * Replaces the text of a file; undefined means no file. A file that already has the new text stays unchanged; a file
 * with any other text is `stale`. The text is written to a temporary file in the same folder, which is then renamed, so
 * that readers see the old or the new text. All names are relative to the opened folder, and no link is followed
 * (docs/decisions/0038-files-are-proposed.md).
 */
export async function changeFile(
  root: ProjectRoot,
  path: string,
  { from, to }: { from: string | undefined; to: string | undefined },
): Promise<{ ok: true } | ToolFailure> {
  const guard = createPathGuard(root)
  const now = await readNow(guard, path)
  if (!now.ok) return now
  if (now.text === to) return { ok: true }
  if (now.text !== from) return stale(now.path)
  const parts = now.path.split('/')
  const name = parts.at(-1) ?? ''
  const folder = await openFolder(guard, parts.slice(0, -1), root)
  if (!folder.ok) return folder
  try {
    const at = await placeOf(root, folder)
    return to === undefined
      ? await removeFrom(at, name, now)
      : await replaceIn(at, name, now, to, () =>
          isAt(folder.handle, folder.stats, join(root.directory, ...folder.path)),
        )
  } catch (error) {
    return toWriteFailure(error, now.path)
  } finally {
    await folder.handle.close()
  }
}

async function readNow(guard: PathGuard, path: string): Promise<FileNow | ToolFailure> {
  const opened = await guard.open(path, 'file')
  if (!opened.ok) return opened.code === 'not_found' ? placeForNew(guard, path) : opened
  try {
    const name = opened.path.join('/')
    if (isRules(opened.path)) return closed(path)
    const bytes = await readBytes(opened)
    const text = bytes && exactText(bytes)
    if (text !== undefined) return { ok: true, path: name, text, stats: opened.stats }
    const what = bytes ? 'not text in UTF-8' : 'larger than 1 MiB'
    return failure('too_large', localizable`${name} is ${what}.`, 'Such a file can’t be changed here.')
  } finally {
    await opened.handle.close()
  }
}

/** The path of a new file: below the innermost existing folder of the given path. */
async function placeForNew(guard: PathGuard, path: string): Promise<FileNow | ToolFailure> {
  const asked = readPath(path)
  if (!asked || asked.length === 0) return outside(path)
  if (asked.length > deepest || asked.some((part) => unfit.test(part) || Buffer.byteLength(part) > longestName)) {
    const hint = `path: at most ${deepest} names of ${longestName} bytes, without invisible characters or a dot at the end.`
    return failure('invalid_input', localizable`There can be no file ${JSON.stringify(shorten(path, 200))}.`, hint)
  }
  for (let known = asked.length - 1; known >= 0; known -= 1) {
    const folder = await guard.open(asked.slice(0, known).join('/') || '.', 'folder')
    if (!folder.ok && folder.code === 'not_found') continue
    if (!folder.ok) return folder
    await folder.handle.close()
    const real = [...folder.path, ...asked.slice(known)]
    if (isRules(real) || !(await guard.shows(real, false))) return closed(path)
    return { ok: true, path: real.join('/'), text: undefined, stats: undefined }
  }
  return outside(path)
}

// A change of these files could make hidden files readable.
function isRules(path: readonly string[]): boolean {
  return path.at(-1)?.normalize('NFKC').toLowerCase() === '.gitignore'
}

/** Opens a folder by its real path, after creating it and its missing parents. */
async function openFolder(guard: PathGuard, path: readonly string[], root: ProjectRoot): Promise<Opened | ToolFailure> {
  const opened = await guard.open(path.join('/') || '.', 'folder')
  const name = path.at(-1)
  if (opened.ok || opened.code !== 'not_found' || name === undefined) return opened
  const parent = await openFolder(guard, path.slice(0, -1), root)
  if (!parent.ok) return parent
  try {
    await mkdir(join(await placeOf(root, parent), name)).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  } catch (error) {
    return toWriteFailure(error, path.join('/'))
  } finally {
    await parent.handle.close()
  }
  return guard.open(path.join('/'), 'folder')
}

/** A path to an opened folder: if available, the kernel's link to its handle, which is independent of later renames. */
async function placeOf({ directory }: ProjectRoot, { handle, path }: Opened): Promise<string> {
  const held = `/proc/self/fd/${handle.fd}`
  return (await stat(held).catch(() => undefined)) ? held : join(directory, ...path)
}

async function replaceIn(
  at: string,
  name: string,
  now: FileNow,
  text: string,
  isInside: () => Promise<boolean>,
): Promise<{ ok: true } | ToolFailure> {
  const temporary = join(at, `.copydesk-${randomBytes(8).toString('hex')}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, 0o600)
  try {
    try {
      await handle.writeFile(text)
      // Without the set-user-ID and set-group-ID bits.
      await handle.chmod(now.stats ? now.stats.mode & 0o777 : newMode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (!(await isInside())) return changed(now.path)
    if (now.stats) {
      if (!(await isSame(join(at, name), now.stats))) return stale(now.path)
      await rename(temporary, join(at, name))
    } else {
      // Fails if the file exists by now; `rename` would overwrite it.
      await link(temporary, join(at, name))
    }
    await syncFolder(at)
    return { ok: true }
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

async function removeFrom(at: string, name: string, { path, stats }: FileNow): Promise<{ ok: true } | ToolFailure> {
  if (!stats || !(await isSame(join(at, name), stats))) return stale(path)
  await unlink(join(at, name))
  await syncFolder(at)
  return { ok: true }
}

/** Whether the name still refers to the file that was read, unchanged. */
async function isSame(path: string, read: Stats): Promise<boolean> {
  const now = await lstat(path).catch(() => undefined)
  return now !== undefined && now.ino === read.ino && now.dev === read.dev && now.mtimeMs === read.mtimeMs
}

// Some file systems can't sync a folder; the durability of the change then depends on them.
async function syncFolder(at: string): Promise<void> {
  const handle = await open(at, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}

/** The failure if a file was changed in the meantime. */
function stale(path: string): ToolFailure {
  return failure(
    'stale',
    localizable`${path} has changed since.`,
    'Read it again with read_file, and propose the change again.',
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const unwritable: readonly string[] = ['EACCES', 'EPERM', 'EROFS']
const full: readonly string[] = ['ENOSPC', 'EDQUOT']

function toWriteFailure(error: unknown, path: string): ToolFailure {
  const code = codeOf(error)
  if (code === 'EEXIST') return stale(path)
  if (full.includes(code))
    return failure('unavailable', localizable`The disk is full: ${path} was not written.`, 'Say so.')
  if (!unwritable.includes(code)) return toFailure(error, path)
  const hint = 'Say that an operator has to give the server the right to write there.'
  return failure('denied', localizable`The server may not write ${path}.`, hint)
}
