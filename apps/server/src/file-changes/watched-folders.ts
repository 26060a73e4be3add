import { posix } from 'node:path'
import { createFolderWatch, type FolderWatch } from '../project/symbols/folder-watch.ts'

/** Longer than the interval at which shown cards request the file again. */
const watchedMs = 90_000
/** The pause in which several reports of changes are combined. */
const debounceMs = 200
const foldersAtMost = 200

/** Watches the folders of files whose proposed changes people have open, and reports changes in these folders. */
export class WatchedFolders {
  readonly #onChange: () => void
  readonly #expiryTimers = new Map<string, NodeJS.Timeout>()
  #watch: FolderWatch | undefined
  #debounce: NodeJS.Timeout | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Watches the folder of a file in the project's `directory` for the next 90 seconds; at most 200 folders. */
  watchFolderOf(directory: string, path: string): void {
    const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
    if (!this.#expiryTimers.has(folder) && this.#expiryTimers.size >= foldersAtMost) return
    clearTimeout(this.#expiryTimers.get(folder))
    this.#expiryTimers.set(folder, setTimeout(() => this.#unwatch(folder), watchedMs).unref())
    this.#watch ??= createFolderWatch(directory, () => {
      this.#debounce ??= setTimeout(() => {
        this.#debounce = undefined
        this.#onChange()
      }, debounceMs).unref()
    })
    this.#watch.add([folder])
  }

  /** Ends all watches. May be called twice. */
  close(): void {
    for (const timer of [...this.#expiryTimers.values(), this.#debounce]) clearTimeout(timer)
    this.#expiryTimers.clear()
    this.#watch?.close()
    this.#watch = undefined
  }

  #unwatch(folder: string): void {
    this.#expiryTimers.delete(folder)
    // This also ends the watches of its subfolders, which begin again when they are shown next.
    this.#watch?.remove(folder)
  }
}
