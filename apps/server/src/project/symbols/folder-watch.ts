import { type FSWatcher, type WatchEventType, watch } from 'node:fs'
import { join } from 'node:path'

// Each watch takes kernel memory, and the kernel limits the number of watches per user.
const mostFolders = 8_000

/** Watches folders, without their subfolders, until `close`. */
export type FolderWatch = {
  /** Adds watches of these folders; returns whether any was new. Paths are relative, '' is the root. */
  add(folders: readonly string[]): boolean
  /** Ends the watches of a folder and its subfolders. Returns whether the folder was watched. */
  remove(folder: string): boolean
  /** Whether all added folders are watched; false if the system refused a watch. */
  readonly isWhole: boolean
  close(): void
}

/**
 * Called with the changed path, which may be secret or deleted; `undefined` if the system doesn't report it. `event` is
 * `change` for changed contents, `rename` for a created or deleted entry.
 */
type OnChange = (path: string | undefined, event: WatchEventType) => void

/** Watches subfolders of a project's folder. */
export function createFolderWatch(directory: string, onChange: OnChange): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let isWhole = true
  const end = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const start = (folder: string): void => {
    try {
      const watcher = watch(join(directory, folder), { persistent: false }, (event, name) => {
        onChange(name === null ? undefined : [folder, name].filter((part) => part !== '').join('/'), event)
      })
      watcher.on('error', () => {
        isWhole = false
        end(folder)
      })
      watchers.set(folder, watcher)
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isGone) isWhole = false
    }
  }
  return {
    add(folders) {
      const added = folders.filter((folder) => !watchers.has(folder))
      if (watchers.size + added.length > mostFolders) {
        isWhole = false
        return false
      }
      added.forEach(start)
      return added.length > 0
    },
    remove(folder) {
      const below = [...watchers.keys()].filter((each) => each === folder || each.startsWith(`${folder}/`))
      below.forEach(end)
      return below.length > 0
    },
    get isWhole() {
      return isWhole
    },
    close() {
      for (const folder of watchers.keys()) end(folder)
    },
  }
}
