import { type IndexState, localizable, type ProjectHost } from '@copydesk/tools'
import { createRunWriting, isWritable, type RunWritingDeps } from '../../file-changes/run-writing.ts'
import type { ProjectFiles } from '../../project/project-files.ts'
import { leaseCheck } from '../../runs/run-lease.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { RunRow } from '../../store/tables.ts'
import type { Peer } from './peer.ts'

/** What a run needs to open the files of the server's project. */
export type RunProjectDeps = RunWritingDeps & {
  runs: RunStore
  project: Pick<ProjectFiles, 'forRun'> | undefined
}

/** A project for a run whose look-ups show how far the index is while they wait for it. */
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

/** The project's files, with the right to change them where the server has it; none for guests. */
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

/** Whether the caller came by a share link and has no account: the project's files and tool servers are for members. */
export async function isGuest({ invoked_by: person }: RunRow, { db }: Pick<RunProjectDeps, 'db'>): Promise<boolean> {
  const row = await db.selectFrom('people').select('guest').where('id', '=', person).executeTakeFirst()
  return row?.guest !== 0
}
