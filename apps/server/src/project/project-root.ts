import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep, win32 } from 'node:path'
import { failure, shorten, type ToolFailure, localizable } from '@copydesk/tools'
import { createIgnoreRules, isSecretName } from './project-rules.ts'

/** A file or folder that was opened and checked: `path` is its real path in the project, as a list of names. */
export type Opened = { ok: true; handle: FileHandle; stats: Stats; path: readonly string[] }

/** The kind of entry to open. */
export type Kind = 'file' | 'folder'

/**
 * The folder of a project: no file outside its real path is opened. `hidden` are inaccessible folders inside it, such
 * as the server's own data.
 */
export type ProjectRoot = { readonly directory: string; readonly hidden: readonly string[] }

/** Checks paths during one call; each `.gitignore` file is read once. */
export type PathGuard = {
  /** Opens a file or folder for reading; the caller closes the handle. */
  open(path: string, kind: Kind): Promise<Opened | ToolFailure>
  /** Whether an entry of an opened folder may be shown. */
  shows(path: readonly string[], isFolder: boolean): Promise<boolean>
}

/** The real paths of a project's folder, which may no longer exist, and of its hidden folders. */
export async function findProjectRoot(
  directory: string,
  hidden: readonly string[],
): Promise<{ ok: true; root: ProjectRoot } | ToolFailure> {
  try {
    const known = await Promise.all(hidden.map((each) => realpath(each).catch(() => each)))
    return { ok: true, root: { directory: await realpath(directory), hidden: known } }
  } catch {
    return failure('unavailable', 'The project can’t be opened.', 'Say that an operator has to look at PROJECT_DIR.')
  }
}

export function createPathGuard(root: ProjectRoot): PathGuard {
  const isIgnored = createIgnoreRules(async (folder) => readIgnoreFile(root, folder))
  const isClosed = (path: readonly string[]): boolean => path.some(isSecretName) || isHidden(root, path)
  return {
    async open(given, kind) {
      const asked = readPath(given)
      if (asked === undefined) return outside(given)
      if (isClosed(asked)) return closed(given)
      const opened = await openInside(root, given, asked, kind, isClosed)
      if (!opened.ok) return opened
      const isFolder = kind === 'folder'
      if (!(await isIgnored(opened.path, isFolder)) && !(await isIgnored(asked, isFolder))) return opened
      await opened.handle.close()
      return closed(given)
    },
    shows: async (path, isFolder) => !isClosed(path) && !(await isIgnored(path, isFolder)),
  }
}

/**
 * The names in a relative path; `undefined` if it is absolute, leads upwards, or contains characters that no path has.
 */
export function readPath(given: string): readonly string[] | undefined {
  if (given.includes('\0') || isAbsolute(given) || win32.isAbsolute(given) || /^[a-z]:/i.test(given)) return undefined
  // Some systems treat a backslash as a separator, so `..` is refused after one on every system.
  if (given.split(/[/\\]/).includes('..')) return undefined
  return given.split(sep === '\\' ? /[/\\]/ : '/').filter((part) => part !== '' && part !== '.')
}

/**
 * Opens the real path without following a link in its last part, and then checks the opened file, so that a folder that
 * is replaced by a link between check and use gives no access (docs/decisions/0036-files-checked-when-open.md).
 */
async function openInside(
  root: ProjectRoot,
  given: string,
  asked: readonly string[],
  kind: Kind,
  isClosed: (path: readonly string[]) => boolean,
): Promise<Opened | ToolFailure> {
  let handle: FileHandle | undefined
  try {
    const real = await realpath(join(root.directory, ...asked))
    const path = partsInside(root, real)
    if (path === undefined) return outside(given)
    if (isClosed(path)) return closed(given)
    // Opening a device can have effects, and opening a pipe can wait.
    const wrong = wrongKind(await lstat(real), given, kind)
    if (wrong) return wrong
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    handle = await open(real, kind === 'folder' ? flags | constants.O_DIRECTORY : flags)
    const stats = await handle.stat()
    const refused = wrongKind(stats, given, kind) ?? ((await isAt(handle, stats, real)) ? undefined : changed(given))
    if (refused) return refused
    const opened: Opened = { ok: true, handle, stats, path }
    handle = undefined
    return opened
  } catch (error) {
    return toFailure(error, given)
  } finally {
    await handle?.close()
  }
}

/** Whether the opened file has this real path: from the kernel if available, else by comparing inodes. */
export async function isAt(handle: FileHandle, stats: Stats, real: string): Promise<boolean> {
  const known = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
  if (known !== undefined) return known === real
  const [path, now] = [await realpath(real), await lstat(real)]
  return path === real && now.dev === stats.dev && now.ino === stats.ino
}

function partsInside({ directory }: ProjectRoot, real: string): readonly string[] | undefined {
  const path = relative(directory, real)
  const parts = path.split(sep).filter((part) => part !== '')
  return isAbsolute(path) || parts[0] === '..' ? undefined : parts
}

function isHidden(root: ProjectRoot, path: readonly string[]): boolean {
  const real = join(root.directory, ...path)
  return root.hidden.some((folder) => real === folder || real.startsWith(folder + sep))
}

function wrongKind(stats: Stats, given: string, kind: Kind): ToolFailure | undefined {
  if (kind === 'file' ? stats.isFile() : stats.isDirectory()) return undefined
  const name = quote(given)
  if (stats.isDirectory()) {
    return failure('invalid_operation', localizable`${name} is a folder.`, 'list_files shows what is in it.')
  }
  if (stats.isFile())
    return failure('invalid_operation', localizable`${name} is a file.`, 'read_file reads it; name its folder.')
  return failure('denied', localizable`${name} is neither a file nor a folder.`, 'Only files and folders can be read.')
}

async function readIgnoreFile(root: ProjectRoot, folder: readonly string[]): Promise<string> {
  const path = [...folder, '.gitignore']
  const opened = await openInside(root, path.join('/'), path, 'file', () => false)
  if (!opened.ok) return opened.code === 'not_found' ? '' : '*'
  try {
    return opened.stats.size > longestIgnoreFile ? '*' : await opened.handle.readFile('utf8')
  } finally {
    await opened.handle.close()
  }
}

const longestIgnoreFile = 64 * 1024

/** A path as shown in messages. */
function quote(given: string): string {
  return JSON.stringify(shorten(given, 200))
}

export function outside(given: string): ToolFailure {
  return failure(
    'denied',
    localizable`${quote(given)} is not inside the project.`,
    "Paths are relative to the project, without '..' and without links that lead out of it; '.' is its root.",
  )
}

export function closed(given: string): ToolFailure {
  return failure(
    'denied',
    localizable`${quote(given)} can't be read: it is ignored by a .gitignore, secret, or part of a repository's own data.`,
    'Go on without it, and say so.',
  )
}

export function changed(given: string): ToolFailure {
  return failure('stale', localizable`${quote(given)} changed while it was being opened.`, 'Try again.')
}

const codes: Readonly<Record<string, (given: string) => ToolFailure>> = {
  ENOENT: notFound,
  ENOTDIR: notFound,
  ENAMETOOLONG: notFound,
  EINVAL: notFound,
  EILSEQ: notFound,
  ELOOP: outside,
  ENXIO: changed,
  EACCES: unreadable,
  EPERM: unreadable,
}

export function toFailure(error: unknown, given: string): ToolFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined
  if (known !== undefined) return known(given)
  if (!/^E[A-Z]+$/.test(code)) throw error
  return failure('unavailable', localizable`${quote(given)} could not be opened (${code}).`, 'Try again later.')
}

function notFound(given: string): ToolFailure {
  const message = `There is no ${quote(given)} in the project.`
  return failure('not_found', message, 'find_files finds files by name, list_files shows a folder.')
}

function unreadable(given: string): ToolFailure {
  const message = localizable`The server may not read ${quote(given)}.`
  return failure('denied', message, 'Say that an operator would have to let the server read it.')
}
