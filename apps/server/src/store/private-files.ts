import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Nobody but the server's own user reads what is stored: modes of its folders and files. */
export const privateFolder = 0o700
export const privateFile = 0o600

const others = 0o077
// Of a folder with anything else in it the mode is the operator's business.
const ownNames = /^(copydesk\.sqlite(-wal|-shm|-journal)?|lock(-journal)?|secret(\.new)?|files)$/

/** Makes a folder for this user only, with those above it that are missing. One that exists stays as it is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateFolder })
}

/**
 * Makes an empty file for this user only, unless there is one. SQLite gives its log and index files the mode of the
 * database.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFile))
}

/**
 * Takes from everybody else what an older version has left readable in the data folder: the database and its logs, the
 * secret, the lock and stored images. Only what belongs to this user is changed. `onTrouble` is told of each that could
 * not be.
 */
export function closeToOthers(directory: string, onTrouble: (error: unknown, path: string) => void): void {
  const close = (path: string, stats: Stats): void => {
    if ((stats.mode & others) === 0 || stats.uid !== process.getuid?.()) return
    try {
      chmodSync(path, stats.isDirectory() ? privateFolder : privateFile)
    } catch (error) {
      onTrouble(error, path)
    }
  }
  const top = statSync(directory, { throwIfNoEntry: false })
  if (!top) return
  const names = readdirSync(directory)
  for (const name of names.filter((each) => ownNames.test(each))) {
    const path = join(directory, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    // The folder of the images comes after all that is in it, so that a start that was cut off is made up for.
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
