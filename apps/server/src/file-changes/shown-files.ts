import { posix } from 'node:path'
import { createFolderWatch, type FolderWatch } from '../project/symbols/folder-watch.ts'

/** Longer than cards take to ask again while they are shown. */
const keptMs = 90_000
/** Reports of one change, which come in a burst, and those of further ones meanwhile are one. */
const gatheredMs = 200
const foldersAtMost = 200

/** Watches the folders of files whose proposed changes people look at, to report when something changes there. */
export class ShownFiles {
  readonly #onChange: () => void
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  #watch: FolderWatch | undefined
  #gathering: NodeJS.Timeout | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Watches the folder of a file in the project's `directory` for a while from now; of 200 folders at most. */
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
    // The watches of folders in it end, too, and begin again when they are shown next.
    this.#watch?.remove(folder)
  }
}
