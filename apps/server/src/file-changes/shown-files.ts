import { posix } from 'node:path'
import { createFolderWatch, type FolderWatch } from '../project/symbols/folder-watch.ts'

/** Longer than the interval at which shown cards request the file again. */
const keptMs = 90_000
/** The pause in which several reports of changes are combined. */
const gatheredMs = 200
const foldersAtMost = 200

/** Watches the folders of files whose proposed changes people have open, and reports changes in these folders. */
export class ShownFiles {
  readonly #onChange: () => void
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  #watch: FolderWatch | undefined
  #gathering: NodeJS.Timeout | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Watches the folder of a file in the project's `directory` for the next 90 seconds; at most 200 folders. */
  note(directory: string, path: string): void {
    const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
    if (!this.#leaving.has(folder) && this.#leaving.size >= foldersAtMost) return
    clearTimeout(this.#leaving.get(folder))
    this.#leaving.set(folder, setTimeout(() => this.#leave(folder), keptMs).unref())
    this.#watch ??= createFolderWatch(directory, () => {
      this.#gathering ??= setTimeout(() => {
        this.#gathering = undefined
        this.#onChange()
      }, gatheredMs).unref()
    })
    this.#watch.add([folder])
  }

  /** Ends all watches. May be called twice. */
  close(): void {
    for (const timer of [...this.#leaving.values(), this.#gathering]) clearTimeout(timer)
    this.#leaving.clear()
    this.#watch?.close()
    this.#watch = undefined
  }

  #leave(folder: string): void {
    this.#leaving.delete(folder)
    // This also ends the watches of its subfolders, which begin again when they are shown next.
    this.#watch?.remove(folder)
  }
}
