import type { AgentMode, Author, Run } from '@copydesk/protocol'
import { AGENT_MENTION } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import type * as Y from 'yjs'
import { findCallableAgent } from '../../agents/agent-rows.ts'
import { type CalledAgent, findCalled, instructionOf } from '../../agents/called-agent.ts'
import { allows } from '../../common/identity.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { CommentRow, Tables } from '../../store/tables.ts'
import type { NewComment, ThreadPlace } from './comment-notices.ts'
import { selectionOf } from './quoted-text.ts'

/** The scope of a change of threads: the room, the content if needed, and the SQL transaction. */
export type ThreadScope = { room: Y.Doc; content: Y.Doc | undefined; trx: Transaction<Tables> }

/**
 * The run whose answer is the thread's newest comment, if any; its caller can continue without calling the agent by
 * name.
 */
export function answeredRun(comments: readonly CommentRow[]): string | undefined {
  const last = comments.at(-1)
  return last?.author_kind === 'agent' ? (last.run ?? undefined) : undefined
}

/**
 * Starts the run that a new comment requests, if any, in the transaction that stores the comment. In the run, "this"
 * refers to the text of the thread.
 */
export async function callAgent(
  runs: RunStore,
  scope: ThreadScope,
  { document, thread, before }: ThreadPlace,
  { id, author, text, credential }: NewComment,
): Promise<Run | undefined> {
  const { room, trx } = scope
  if (author.kind !== 'person' || !credential) return undefined
  const called = (await findCalled(trx, document, text)) ?? (await answeredAgent(runs, scope, document, before, author))
  if (!called) return undefined
  const selection = selectionOf(scope.content, thread)
  return runs.startIn(
    { doc: room, trx },
    {
      document,
      trigger: { kind: 'comment', id },
      instruction: instructionOf(text, called.handle),
      agent: called.agent,
      invokedBy: { id: author.id, name: author.name },
      credential,
      // For callers who may not edit, the agent makes suggestions whatever mode is requested.
      mode: allows(credential.access, 'write') ? await agentMode(trx, document) : 'suggest',
      ...(selection ? { selection } : {}),
    },
  )
}

/** The agent whose answer is the newest comment, if it answered the author of the next one and can still be called. */
async function answeredAgent(
  runs: RunStore,
  { trx }: ThreadScope,
  document: string,
  before: readonly CommentRow[],
  author: Pick<Author, 'id'>,
): Promise<CalledAgent | undefined> {
  const answered = answeredRun(before)
  const run = answered === undefined ? undefined : await runs.findRow(answered, trx)
  if (run?.invoked_by !== author.id) return undefined
  if (run.agent === null) return { handle: AGENT_MENTION }
  const agent = await findCallableAgent(trx, run.agent, document)
  return agent && { handle: agent.handle, agent }
}

async function agentMode(trx: Transaction<Tables>, document: string): Promise<AgentMode> {
  const row = await trx.selectFrom('documents').select('agent_mode').where('id', '=', document).executeTakeFirst()
  return row?.agent_mode ?? 'edit'
}
