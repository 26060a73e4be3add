import { localizable } from '@copydesk/tools/localizable'
import type { Transaction } from 'kysely'
import { type Refusal, refuse } from '../../common/errors.ts'
import type { CommentRow, Tables } from '../../store/tables.ts'

const limits = {
  threads: 5000,
  comments: 500,
  /**
   * Limits for the comments of one thread, which all clients see as one room entry, and for all comments of a document.
   */
  charactersInThread: 200_000,
  charactersInDocument: 4_000_000,
}

/** The reason why a document accepts no more threads; undefined if it does. */
export async function findTooManyThreads(trx: Transaction<Tables>, document: string): Promise<Refusal | undefined> {
  const { count } = await trx
    .selectFrom('threads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('document', '=', document)
    .executeTakeFirstOrThrow()
  if (Number(count) < limits.threads) return undefined
  const message = localizable`A document has at most ${limits.threads} threads of comments.`
  return refuse('too_large', message, 'Reply to an existing comment.')
}

/**
 * The reason why a thread or its document accepts no comment of this length; undefined if it does. The comment replaces
 * `freed` characters of the document's comments.
 */
export async function findFullThread(
  trx: Transaction<Tables>,
  document: string,
  before: readonly CommentRow[],
  { text, replacement = '' }: { text: string; replacement?: string },
  freed = 0,
): Promise<Refusal | undefined> {
  if (before.length >= limits.comments) {
    const message = localizable`There can be at most ${limits.comments} replies to a comment.`
    return refuse('too_large', message, 'Start another thread.')
  }
  const length = text.length + replacement.length
  const inThread = before.reduce((sum, each) => sum + each.text.length + (each.replacement?.length ?? 0), length)
  if (inThread > limits.charactersInThread) {
    const message = localizable`The comments of a thread have at most ${limits.charactersInThread} characters together.`
    return refuse('too_large', message, 'Start another thread.')
  }
  const { said, proposed } = await trx
    .selectFrom('comments')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>(eb.fn('length', ['text'])), eb.lit(0)).as('said'),
      eb.fn.coalesce(eb.fn.sum<number>(eb.fn('length', ['replacement'])), eb.lit(0)).as('proposed'),
    ])
    .where('document', '=', document)
    .executeTakeFirstOrThrow()
  if (Number(said) + Number(proposed) + length - freed <= limits.charactersInDocument) return undefined
  const message = localizable`The comments of a document have at most ${limits.charactersInDocument} characters together.`
  return refuse('too_large', message, 'Write it into the text, or into the chat.')
}
