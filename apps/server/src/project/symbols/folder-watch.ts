import { type FSWatcher, type WatchEventType, watch } from 'node:fs'
import { join } from 'node:path'

// Each takes some memory in the kernel, which limits how many a user may have.
const mostFolders = 8_000

/** Watches folders, not what is below them, until `close`. */
export type FolderWatch = {
  /** Watches these folders too; returns whether there were new ones. Paths are relative, '' is the root. */
  add(folders: readonly string[]): boolean
  /** Ends the watches of a folder and of all below it. Returns whether it was watched. */
  remove(folder: string): boolean
  /** Whether every folder that was added is watched; false if the system refused one. */
  readonly isWhole: boolean
  close(): void
}

/**
 * Gets the path of what changed, `undefined` if the system doesn't say, which may be secret or gone; `event` is
 * `change` for new contents, `rename` for what appeared or went.
 */
type OnChange = (path: string | undefined, event: WatchEventType) => void

/** Watches folders of a project's folder. */
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
