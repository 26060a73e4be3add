import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Modes of the server's folders and files: only its own user can read stored data. */
export const privateFolder = 0o700
export const privateFile = 0o600

const others = 0o077
// The operator decides the mode of a folder that contains any other file.
const ownNames = /^(copydesk\.sqlite(-wal|-shm|-journal)?|lock(-journal)?|secret(\.new)?|files)$/

/** Creates a folder for this user only, and its missing parents. An existing folder is left unchanged. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateFolder })
}

/**
 * Creates an empty file for this user only, unless it exists. SQLite gives its WAL and index files the mode of the
 * database.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFile))
}

/**
 * Removes other users' access to files that an older version left readable in the data folder: the database and its
 * WAL, the secret, the lock and stored images. Changes only files of this process's user. `onError` is called for
 * each path whose mode could not be changed.
 */
export function closeToOthers(directory: string, onError: (error: unknown, path: string) => void): void {
  const close = (path: string, stats: Stats): void => {
    if ((stats.mode & others) === 0 || stats.uid !== process.getuid?.()) return
    try {
      chmodSync(path, stats.isDirectory() ? privateFolder : privateFile)
    } catch (error) {
      onError(error, path)
    }
  }
  const top = statSync(directory, { throwIfNoEntry: false })
  if (!top) return
  const names = readdirSync(directory)
  for (const name of names.filter((each) => ownNames.test(each))) {
    const path = join(directory, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    // The mode of the images folder is changed last, so that the next start completes an interrupted change.
    if (stats?.isDirectory() && (stats.mode & others) !== 0) closeBelow(path, close)
    if (stats) close(path, stats)
  }
  if (names.length > 0 && names.every((name) => ownNames.test(name))) close(directory, top)
}

function closeBelow(folder: string, close: (path: string, stats: Stats) => void): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const stats = lstatSync(path)
    if (stats.isDirectory()) closeBelow(path, close)
    if (stats.isDirectory() || stats.isFile()) close(path, stats)
  }
}
