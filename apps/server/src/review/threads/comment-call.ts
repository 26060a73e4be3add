import { AGENT_WORD, type AgentMode, type Run } from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import type * as Y from 'yjs'
import { allows } from '../../common/access-level.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { CommentRow, Tables } from '../../store/tables.ts'
import type { NewComment, ThreadPlace } from './comment-notices.ts'
import { selectionOf } from './quoted-text.ts'

/** The scope of a change of threads: the room, the content if needed, and the SQL transaction. */
export type ThreadScope = { room: Y.Doc; content: Y.Doc | undefined; trx: Transaction<Tables> }

const word = new RegExp(AGENT_WORD, 'u')
const wordAndComma = new RegExp(`(?:,\\s*)?${AGENT_WORD}`, 'gu')

/** Whether a comment's text calls the agent with the word `@agent`. */
export function namesAgent(text: string): boolean {
  return word.test(text)
}

/**
 * The request in a comment that calls the agent: its text without `@agent`, or the whole text if it contains nothing
 * else.
 */
export function instructionOf(text: string): string {
  const rest = text
    .replace(wordAndComma, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/ ([,.;:?!])/g, '$1')
    .replace(/^[\s,:;–—-]+/, '')
    .trim()
  return rest === '' ? text : rest
}

/** The run whose answer is the newest comment of a thread, if it is; its caller continues without `@agent`. */
export function answeredRun(comments: readonly CommentRow[]): string | undefined {
  const last = comments.at(-1)
  return last?.author_kind === 'agent' ? (last.run ?? undefined) : undefined
}

/**
 * Starts the run that a new comment asks for, if it does, in the transaction that stores the comment. The text of the
 * thread is what "this" refers to.
 */
export async function callAgent(
  runs: RunStore,
  scope: ThreadScope,
  { document, thread, before }: ThreadPlace,
  { id, author, text, credential }: NewComment,
): Promise<Run | undefined> {
  const { room, trx } = scope
  if (author.kind !== 'person' || !credential) return undefined
  const answered = answeredRun(before)
  const isReply = answered !== undefined && (await runs.findRow(answered, trx))?.invoked_by === author.id
  if (!isReply && !namesAgent(text)) return undefined
  const selection = selectionOf(scope.content, thread)
  return runs.startIn(
    { doc: room, trx },
    {
      document,
      trigger: { kind: 'comment', id },
      instruction: instructionOf(text),
      invokedBy: { id: author.id, name: author.name },
      credential,
      // For callers who may not edit, the agent makes suggestions whatever mode is requested.
      mode: allows(credential.access, 'write') ? await agentMode(trx, document) : 'suggest',
      ...(selection ? { selection } : {}),
    },
  )
}

async function agentMode(trx: Transaction<Tables>, document: string): Promise<AgentMode> {
  const row = await trx.selectFrom('documents').select('agent_mode').where('id', '=', document).executeTakeFirst()
  return row?.agent_mode ?? 'edit'
}
