import { access, constants } from 'node:fs/promises'
import { Approval } from '@copydesk/protocol'
import { failure, type ProjectWriting, type ToolFailure, localizable } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import { recordAuditEvent } from '../audit/audit.ts'
import type { Check } from '../review/review-rows.ts'
import { receiptKeyOf } from '../runs/run-lease.ts'
import type { FileProposalRow, RunRow, Tables } from '../store/tables.ts'
import { checkContent, inStyleOf } from './file-text.ts'
import { inFolder, type ProjectFolder } from './project-folder.ts'
import { changeFile, type FileNow, readExact } from './write-file.ts'

export type RunWritingDeps = { db: Kysely<Tables>; projectFolder: ProjectFolder; now: () => number }

/** Whether there is a project whose folder this process may change. */
export async function isWritable(folder: ProjectFolder): Promise<boolean> {
  const can = await inFolder(folder, ({ directory }) =>
    access(directory, constants.W_OK).then(
      () => true,
      () => false,
    ),
  )
  return can === true
}

/**
 * The file changes that one run proposes and, after a person's approval, writes. `check` runs first in each
 * transaction, and throws if another worker has claimed the run.
 */
export function createRunWriting(run: RunRow, check: Check, deps: RunWritingDeps): ProjectWriting {
  const { db, projectFolder } = deps
  return {
    propose: (key, { description, isNew, ...change }) =>
      inFolder(projectFolder, async (root) => {
        const now = await readExact(root, change.path)
        if (!now.ok) return now
        const { path, text: base = null } = now
        const content = inStyleOf(base ?? '', change.content)
        const refused = refuse(now, isNew, content)
        if (refused) return refused
        await db.transaction().execute(async (trx) => {
          await check(trx)
          const call = await callOf(run, key, trx)
          await trx
            .insertInto('file_proposals')
            .values({ run: run.id, call, path, description, base, content, written: null })
            // A call that was interrupted before it was held is proposed again.
            .onConflict((conflict) => conflict.columns(['run', 'call']).doUpdateSet({ path, base, content }))
            .execute()
        })
        return { ok: true, path }
      }),
    write: (key, given) =>
      inFolder(projectFolder, async (root) => {
        const call = await callOf(run, key, db)
        const row = await db
          .selectFrom('file_proposals')
          .selectAll()
          .where('run', '=', run.id)
          .where('call', '=', call)
          .executeTakeFirst()
        if (!row) return failure('stale', 'This change was never proposed.', 'Propose it again.')
        const content = inStyleOf(row.base ?? '', given)
        const refused = checkContent(content)
        if (refused) return refused
        // Prevents writes of a worker that has lost the run.
        await db.transaction().execute(check)
        const changed = await changeFile(root, row.path, { from: row.base ?? undefined, to: content })
        if (!changed.ok) return changed
        await db.transaction().execute((trx) => noteWritten(trx, run, row, content, deps))
        return { ok: true, path: row.path }
      }),
  }
}

function refuse({ path, text }: FileNow, isNew: boolean, content: string): ToolFailure | undefined {
  if (isNew && text !== undefined) {
    return failure(
      'invalid_operation',
      localizable`There is a ${path} already.`,
      'Read it, and change it with edit_file.',
    )
  }
  if (!isNew && text === undefined) {
    const hint = 'find_files finds files by name; create_file makes a new one.'
    return failure('not_found', localizable`There is no ${path} in the project.`, hint)
  }
  if (text === content) {
    return failure(
      'invalid_operation',
      localizable`${path} already has this content.`,
      'Nothing needs to change there.',
    )
  }
  return checkContent(content)
}

async function noteWritten(
  trx: Transaction<Tables>,
  run: RunRow,
  { call, path, written: before }: FileProposalRow,
  written: string,
  { now }: RunWritingDeps,
): Promise<void> {
  if (before !== null) return
  await trx.updateTable('file_proposals').set({ written }).where('run', '=', run.id).where('call', '=', call).execute()
  const step = await trx
    .selectFrom('run_steps')
    .select('approval')
    .where('run', '=', run.id)
    .where('id', '=', call)
    .executeTakeFirst()
  const approval = Approval.safeParse(JSON.parse(step?.approval ?? 'null'))
  await recordAuditEvent(trx, {
    at: now(),
    actor: approval.success ? approval.data.by.id : run.invoked_by,
    action: 'file-written',
    document: run.document,
    target: path,
    details: { run: run.id, call },
  })
}

/** The id of the step whose call has this receipt key. */
async function callOf(run: RunRow, key: string, db: Kysely<Tables>): Promise<string> {
  const steps = await db.selectFrom('run_steps').select('id').where('run', '=', run.id).execute()
  const step = steps.find(({ id }) => receiptKeyOf(run, id) === key)
  if (!step) throw new Error(`the run ${run.id} has no step for ${key}`)
  return step.id
}
