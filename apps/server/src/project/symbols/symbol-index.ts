import { setImmediate } from 'node:timers/promises'
import type { IndexState, ProjectEntry } from '@copydesk/tools'
import { isOver } from '../../common/time.ts'
import { lastResortMs } from '../../threads/thread-lanes.ts'
import { ThreadWorker } from '../../threads/thread-worker.ts'
import type { ProjectRoot } from '../project-root.ts'
import { listProject } from '../read-project.ts'
import { costOf, type FileSymbols, noSymbols } from './file-symbols.ts'
import { collectKeys, type KeyOwners, type SymbolsByPath } from './find-symbols.ts'
import { createFolderWatch, type FolderWatch } from './folder-watch.ts'
import { isIndexed } from './languages.ts'
import { type ParseFiles, type Parsed, stampOf } from './parse-files.ts'

const batch = 100
const mostFailures = 20
const mostChanges = 2_000
// The syntax trees of a parser stay in the thread's memory until the thread ends.
const threadIdleMs = 30_000
const indexIdleMs = 15 * 60_000
const listRounds = 3
/** How long a folder without a watch is assumed to be unchanged. */
const unwatchedMs = 2_000

type ParsingThread = Pick<ThreadWorker<ParseFiles, Parsed[]>, 'ask' | 'close'>

type File = FileSymbols & { stamp: string; cost: number }

/**
 * The symbols of a project's source files, built with the first look-up and then kept up to date. A thread reads and
 * parses, so that a file that makes the parser hang or fail only affects that thread. Dropped after 15 minutes without
 * a look-up.
 */
export class SymbolIndex {
  readonly #thread: ParsingThread
  readonly #mostBytes: number
  #root: ProjectRoot | undefined
  readonly #files = new Map<string, File>()
  #cost = 0
  #keys: KeyOwners | undefined
  #watch: FolderWatch | undefined
  readonly #changed = new Set<string>()
  #isStale = true
  #listedAt = -Infinity
  #isWhole = true
  #failures = 0
  #waiting = 0
  #updating: Promise<void> | undefined
  #idle: NodeJS.Timeout | undefined
  #threadIdle: NodeJS.Timeout | undefined
  #isClosed = false

  /** `mostBytes` limits the memory of all symbols; further files have none. */
  constructor(
    thread: ParsingThread = new ThreadWorker(new URL('./symbols-thread.ts', import.meta.url)),
    mostBytes = 64 * 1024 * 1024,
  ) {
    this.#thread = thread
    this.#mostBytes = mostBytes
  }

  /** Resolves when the index has all changes until now, or after `ms`; the update then continues. */
  async refresh(root: ProjectRoot, ms: number, onProgress: (state: IndexState) => void): Promise<IndexState> {
    if (root.directory !== this.#root?.directory) this.#drop()
    this.#root = root
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#drop(), indexIdleMs).unref()
    // The system's reports of earlier changes arrive before this.
    await setImmediate()
    const shown = setInterval(() => onProgress(this.state()), 500)
    const ended = new AbortController()
    try {
      await Promise.race([this.#update(), isOver(ms, ended.signal)])
    } finally {
      clearInterval(shown)
      ended.abort()
    }
    return this.state()
  }

  /** The current size of the index, and whether it is complete. */
  state(): IndexState {
    const [indexed, isCurrent] = [this.#files.size, this.#updating === undefined]
    return { indexed, of: indexed + this.#waiting, isCurrent, isWhole: this.#isWhole }
  }

  get symbols(): SymbolsByPath {
    return this.#files
  }

  /** The files by the keys with which imports refer to them. */
  get keys(): KeyOwners {
    this.#keys ??= collectKeys(this.#files)
    return this.#keys
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#drop()
    clearTimeout(this.#threadIdle)
    await this.#thread.close()
  }

  #drop(): void {
    this.#watch?.close()
    this.#watch = undefined
    this.#root = undefined
    this.#files.clear()
    this.#changed.clear()
    this.#cost = 0
    this.#failures = 0
    this.#keys = undefined
    this.#isStale = true
    this.#isWhole = true
    clearTimeout(this.#idle)
  }

  /** Updates the index; a concurrent call waits for the same update. */
  async #update(): Promise<void> {
    if (!this.#watch?.isWhole && performance.now() - this.#listedAt > unwatchedMs) this.#isStale = true
    this.#updating ??= this.#runUpdates().finally(() => {
      this.#updating = undefined
      this.#endThreadLater()
    })
    await this.#updating
  }

  async #runUpdates(): Promise<void> {
    while (this.#root && !this.#isClosed && (this.#isStale || this.#changed.size > 0)) {
      if (this.#isStale) {
        this.#isStale = false
        this.#changed.clear()
        await this.#scan(this.#root, '')
        continue
      }
      const changed = [...this.#changed]
      this.#changed.clear()
      await this.#parse(this.#root, changed)
    }
  }

  #isAt(root: ProjectRoot): boolean {
    return !this.#isClosed && this.#root?.directory === root.directory
  }

  // Another folder may have replaced the watched one under the same name.
  #rewatch(root: ProjectRoot, folder: string): FolderWatch {
    if (folder !== '' && this.#watch) {
      this.#watch.remove(folder)
      return this.#watch
    }
    this.#watch?.close()
    this.#watch = createFolderWatch(root.directory, (path, event) => this.#note(path, event === 'change'))
    return this.#watch
  }

  /** Lists a folder with its subfolders, and parses changed files. */
  async #scan(root: ProjectRoot, folder: string): Promise<void> {
    const watch = this.#rewatch(root, folder)
    let files: ProjectEntry[] = []
    // Entries created between the list and the watch are in the next list.
    for (let round = 0; round < listRounds; round++) {
      const listed = await listProject(root, folder === '' ? '.' : folder, true)
      if (!this.#isAt(root)) return
      if (!listed.ok) {
        this.#remove(folder)
        return
      }
      if (!listed.isWhole) this.#isWhole = false
      files = listed.entries.filter(({ type, path }) => type === 'file' && isIndexed(path))
      const folders = listed.entries.filter(({ type }) => type === 'folder').map(({ path }) => path)
      if (!watch.add([folder, ...folders])) break
    }
    if (folder === '') this.#listedAt = performance.now()
    const listed = new Map(files.map((file) => [file.path, stampOf(file)]))
    for (const path of this.#files.keys()) if (isBelow(path, folder) && !listed.has(path)) this.#remove(path)
    await this.#parse(
      root,
      [...listed].filter(([path, stamp]) => this.#files.get(path)?.stamp !== stamp).map(([path]) => path),
    )
  }

  async #parse(root: ProjectRoot, paths: readonly string[]): Promise<void> {
    let left = [...paths]
    let oneByOne = 0
    while (left.length > 0 && this.#isAt(root) && this.#failures < mostFailures) {
      this.#waiting = left.filter((path) => !this.#files.has(path)).length
      const asked = left.slice(0, oneByOne > 0 ? 1 : batch)
      let parsed = await this.#ask(root, asked)
      if (!parsed && asked.length > 1) {
        // One of these files made the thread hang or fail; they are parsed one by one to find it.
        oneByOne = asked.length
        continue
      }
      if (!parsed) {
        this.#failures += 1
        this.#isWhole = false
        parsed = asked.map((path) => ({ path, is: 'file', stamp: '', symbols: noSymbols }))
      }
      oneByOne = Math.max(0, oneByOne - parsed.length)
      left = left.slice(parsed.length)
      for (const each of parsed) if (this.#isAt(root)) await this.#store(root, each)
    }
    this.#waiting = 0
  }

  async #ask(root: ProjectRoot, paths: readonly string[]): Promise<Parsed[] | undefined> {
    try {
      return await this.#thread.ask({ root, paths }, lastResortMs)
    } catch {
      // The parser's memory may be damaged.
      await this.#thread.close()
      return undefined
    }
  }

  async #store(root: ProjectRoot, parsed: Parsed): Promise<void> {
    const { path } = parsed
    if (parsed.is === 'folder') {
      await this.#scan(root, path)
      return
    }
    this.#remove(path)
    if (parsed.is === 'nothing' || !isIndexed(path)) return
    const cost = costOf(parsed.symbols)
    const fits = this.#cost + cost <= this.#mostBytes
    if (!fits) this.#isWhole = false
    const file = { ...(fits ? parsed.symbols : noSymbols), stamp: parsed.stamp, cost: fits ? cost : 0 }
    this.#files.set(path, file)
    this.#cost += file.cost
    this.#keys = undefined
  }

  /** Removes a file, or all files below a folder. */
  #remove(path: string): void {
    const isFolder = path === '' || this.#watch?.remove(path) === true
    const gone = isFolder ? [...this.#files.keys()].filter((each) => isBelow(each, path)) : [path]
    for (const each of gone) {
      this.#cost -= this.#files.get(each)?.cost ?? 0
      this.#files.delete(each)
    }
    this.#keys = undefined
  }

  #note(path: string | undefined, isContent: boolean): void {
    const isRule = path === undefined || path === '.gitignore' || path.endsWith('/.gitignore')
    if (isRule || this.#changed.size >= mostChanges) this.#isStale = true
    // A created or removed entry may be a folder.
    else if (!isContent || isIndexed(path)) this.#changed.add(path)
  }

  #endThreadLater(): void {
    clearTimeout(this.#threadIdle)
    this.#threadIdle = setTimeout(() => void (this.#updating ?? this.#thread.close()), threadIdleMs).unref()
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
