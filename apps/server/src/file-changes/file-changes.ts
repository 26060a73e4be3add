import type { FileProposal, Step, User } from '@copydesk/protocol'
import type { ToolFailure } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import { recordAuditEvent } from '../audit/audit.ts'
import { RequestError } from '../common/errors.ts'
import type { FileProposalRow, RunRow, Tables } from '../store/tables.ts'
import { inFolder, type ProjectFolder } from './project-folder.ts'
import type { WatchedFolders } from './watched-folders.ts'
import { changeFile, readExact } from './write-file.ts'

export type FileChangesDeps = {
  db: Kysely<Tables>
  projectFolder: ProjectFolder
  watchedFolders: WatchedFolders
  now: () => number
}

type Restored = { run: Pick<RunRow, 'id' | 'document'>; calls: readonly string[]; kind: 'undo' | 'redo'; by: User }

/** Shows the file changes that runs propose, checks their approval, and undoes them. */
export class FileChanges {
  readonly #deps: FileChangesDeps
  constructor(deps: FileChangesDeps) {
    this.#deps = deps
  }

  /** The change that a call proposes or has made; reads the current file. @throws RequestError `not_found`. */
  async show(run: string, call: string): Promise<FileProposal> {
    const row = (await this.#rows(this.#deps.db, run, [call]))[0]
    if (!row) throw new RequestError('not_found', 'This call changes no file.')
    const isWritten = row.written !== null
    const now = isWritten ? undefined : await this.#read(row.path)
    const current = now?.ok ? now.text : undefined
    return {
      path: row.path,
      description: row.description,
      ...(row.base === null ? {} : { base: row.base }),
      content: row.written ?? row.content,
      isWritten,
      isStale: now !== undefined && (!now.ok || current !== (row.base ?? undefined)),
      ...(current === undefined ? {} : { current }),
    }
  }

  async #read(path: string) {
    const { projectFolder, watchedFolders } = this.#deps
    return inFolder(projectFolder, async (root) => {
      const read = await readExact(root, path)
      // Folders of unreadable files aren't watched.
      if (read.ok) watchedFolders.watchFolderOf(root.directory, path)
      return read
    })
  }

  /**
   * Refuses the approval if the file has changed since the proposal, or if the arguments name another file.
   * @throws RequestError `conflict`, `invalid_input`.
   */
  async checkApproval(run: string, step: Step, given: Record<string, unknown> | undefined): Promise<void> {
    if (given && given.path !== step.arguments.path) {
      const hint = 'Give the path that the agent proposed; only the content can be changed.'
      throw new RequestError('invalid_input', 'arguments.path: not the proposed file.', hint)
    }
    const { isStale } = await this.show(run, step.id)
    if (!isStale) return
    const hint = 'Reject it, and ask the agent to look again.'
    throw new RequestError('conflict', 'The file has changed since the agent proposed this.', hint)
  }

  /**
   * Undoes or redoes the written changes of these calls, all of them or none. Returns a function that reverts this, for
   * a transaction that fails afterwards.
   * @throws RequestError `conflict` if a file isn't in the state after the change, or after its undo.
   */
  async restore(trx: Transaction<Tables>, { run, calls, kind, by }: Restored): Promise<() => Promise<void>> {
    const rows = await this.#rows(trx, run.id, calls)
    const done: FileProposalRow[] = []
    const rollback = async (): Promise<void> => {
      for (const row of done.splice(0).toReversed()) await this.#move(row, kind === 'undo' ? 'redo' : 'undo')
    }
    // Several changes of one file are undone in reverse order.
    for (const row of kind === 'undo' ? rows.toReversed() : rows) {
      const moved = await this.#move(row, kind)
      if (!moved.ok) {
        await rollback()
        const message = moved.code === 'stale' ? 'A file has changed since, so nothing was done.' : moved.message
        throw new RequestError('conflict', message, 'Change “{text}” by hand.'.replace('{text}', row.path))
      }
      done.push(row)
      await recordAuditEvent(trx, {
        at: this.#deps.now(),
        actor: by.id,
        action: 'file-written',
        document: run.document,
        target: row.path,
        details: { run: run.id, call: row.call, kind },
      })
    }
    return rollback
  }

  /** The proposals of these calls, in the order of their steps. */
  #rows(db: Kysely<Tables>, run: string, calls: readonly string[]): Promise<FileProposalRow[]> {
    return db
      .selectFrom('file_proposals')
      .innerJoin('run_steps', (join) =>
        join.onRef('run_steps.run', '=', 'file_proposals.run').onRef('run_steps.id', '=', 'file_proposals.call'),
      )
      .selectAll('file_proposals')
      .where('file_proposals.run', '=', run)
      .where('file_proposals.call', 'in', calls)
      .orderBy('run_steps.position')
      .execute()
  }

  #move({ path, base, written }: FileProposalRow, kind: 'undo' | 'redo'): Promise<{ ok: true } | ToolFailure> {
    const [before, after] = [base ?? undefined, written ?? undefined]
    const way = kind === 'undo' ? { from: after, to: before } : { from: before, to: after }
    return inFolder(this.#deps.projectFolder, (root) => changeFile(root, path, way))
  }
}
