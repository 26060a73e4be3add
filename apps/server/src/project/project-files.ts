import type { ProjectHost, ToolFailure } from '@copydesk/tools'
import { ThreadWorker } from '../threads/thread-worker.ts'
import { findProjectRoot, type ProjectRoot } from './project-root.ts'
import { listProject, readProjectFile } from './read-project.ts'
import { createRipgrep, findRipgrep } from './ripgrep.ts'
import type { EngineResult, EngineSearch, SearchEngine } from './search-engine.ts'
import { searchProject } from './search-project.ts'
import { createProjectSymbols } from './symbols/project-symbols.ts'
import { SymbolIndex } from './symbols/symbol-index.ts'

/** Read access to the files of a project, until `close`. */
export type ProjectFiles = ProjectHost & {
  /** The files for one run: lists and searches end when the signal is aborted. */
  forRun(signal: AbortSignal): ProjectHost
  close(): Promise<void>
}

// The time after a search's own limit that the file being searched may still take.
const graceMs = 5_000

/**
 * Creates read access to the files of a project's folder; no file is written or executed. `hidden` are inaccessible
 * folders in it. Searches with ripgrep if it is installed and interprets the pattern in the same way, else with RE2 in
 * a thread.
 */
export function createProjectFiles(
  directory: string,
  hidden: readonly string[],
  ripgrep: SearchEngine = createRipgrep(findRipgrep(directory)),
): ProjectFiles {
  const thread = new ThreadWorker<EngineSearch, EngineResult>(new URL('./search-thread.ts', import.meta.url))
  const engine: SearchEngine = async (search, signal) =>
    (await ripgrep(search, signal)) ?? thread.ask(search, search.ms + graceMs, signal)
  const index = new SymbolIndex()
  const inRoot = async <T>(act: (root: ProjectRoot) => Promise<T>): Promise<T | ToolFailure> => {
    const found = await findProjectRoot(directory, hidden)
    return found.ok ? act(found.root) : found
  }
  const symbols = createProjectSymbols(index, inRoot)
  const forRun = (signal: AbortSignal): ProjectHost => ({
    read: (path) => inRoot((root) => readProjectFile(root, path)),
    list: (path, recursive) => inRoot((root) => listProject(root, path, recursive, signal)),
    search: (search) => inRoot((root) => searchProject(root, search, engine, signal)),
    symbols,
  })
  return {
    ...forRun(new AbortController().signal),
    forRun,
    async close() {
      await Promise.all([thread.close(), index.close()])
    },
  }
}
