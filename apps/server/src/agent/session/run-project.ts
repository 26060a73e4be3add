import { type IndexState, localizable, type ProjectHost } from '@copydesk/tools'
import { createRunWriting, isWritable, type RunWritingDeps } from '../../file-changes/run-writing.ts'
import type { ProjectFiles } from '../../project/project-files.ts'
import { leaseCheck } from '../../runs/run-lease.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { RunRow } from '../../store/tables.ts'
import type { Peer } from './peer.ts'

/** The dependencies for opening the files of the server's project. */
export type RunProjectDeps = RunWritingDeps & {
  runs: RunStore
  project: Pick<ProjectFiles, 'forRun'> | undefined
}

/** A project for a run whose symbol look-ups show the progress of the index while they wait for it. */
export function showIndexProgress(project: ProjectHost, { showActivity }: Pick<Peer, 'showActivity'>): ProjectHost {
  const { findDefinition, findImporters } = project.symbols
  const during =
    (tool: string) =>
    ({ indexed, of }: IndexState): void => {
      if (of > 0) showActivity(localizable`Indexing the project: ${indexed} of ${of} files…`, tool)
    }
  return {
    ...project,
    symbols: {
      findDefinition: (symbol, options) =>
        findDefinition(symbol, { ...options, onProgress: during('find_definition') }),
      findImporters: (path, options) => findImporters(path, { ...options, onProgress: during('find_importers') }),
    },
  }
}

/** The project's files, with write access if the server has it; undefined for guests. */
export async function openProject(
  run: RunRow,
  peer: Pick<Peer, 'showActivity'>,
  signal: AbortSignal,
  deps: RunProjectDeps,
): Promise<ProjectHost | undefined> {
  if (!deps.project || (await isGuest(run, deps))) return undefined
  const project = showIndexProgress(deps.project.forRun(signal), peer)
  if (!(await isWritable(deps.projectFolder))) return project
  return { ...project, writing: createRunWriting(run, leaseCheck(run, deps.runs), deps) }
}

/**
 * Whether the caller joined by a share link without an account: only members may use the project's files and tool
 * servers.
 */
export async function isGuest({ invoked_by: person }: RunRow, { db }: Pick<RunProjectDeps, 'db'>): Promise<boolean> {
  const row = await db.selectFrom('people').select('guest').where('id', '=', person).executeTakeFirst()
  return row?.guest !== 0
}
