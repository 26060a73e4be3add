import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ProjectHost } from '@copydesk/tools'
import { ThreadWorker } from '../threads/thread-worker.ts'
import { openProjectRoot } from './project-root.ts'
import { listProject, readProjectFile } from './read-project.ts'
import { createRipgrep } from './ripgrep.ts'
import type { EngineResult, EngineSearch, SearchEngine } from './search-engine.ts'
import { searchProject } from './search-project.ts'

/** The files of a project for reading, until `close`. */
export type ProjectFiles = ProjectHost & { close(): Promise<void> }

// For the file that is being searched when a search's own time is over.
const graceMs = 5_000

/**
 * Opens a project's folder for reading; nothing here writes, and no file of it is executed. `hidden` are folders in it
 * that stay closed. Searches with ripgrep where that is installed and the pattern means the same there, else by RE2 in a
 * thread.
 * @throws if the folder can't be opened.
 */
export async function openProjectFiles(
  directory: string,
  hidden: readonly string[],
  ripgrep?: SearchEngine,
): Promise<ProjectFiles> {
  const root = await openProjectRoot(directory, hidden)
  const thread = new ThreadWorker<EngineSearch, EngineResult>(new URL('./search-thread.ts', import.meta.url))
  const fast = ripgrep ?? createRipgrep(await findRipgrep())
  const engine: SearchEngine = async (search) => (await fast(search)) ?? thread.ask(search, search.ms + graceMs)
  return {
    read: (path) => readProjectFile(root, path),
    list: (path, recursive) => listProject(root, path, recursive),
    search: (search) => searchProject(root, search, engine),
    close: () => thread.close(),
  }
}

/** The program next to the built server, else the one of its package, else the system's by name. */
async function findRipgrep(): Promise<string> {
  const built = fileURLToPath(new URL('./rg', import.meta.url))
  if (existsSync(built)) return built
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    return 'rg'
  }
}
