import type { AgentMode, Author, Run, Thread } from '@copydesk/protocol'
import { contentName, roomName } from '@copydesk/schema'
import { markThread } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import type * as Y from 'yjs'
import { allows } from '../access-level.ts'
import { type Notifications, publishNotified } from '../notifications/notifications.ts'
import { putThread } from '../room/review.ts'
import type { RunStore } from '../runs/run-store.ts'
import type { Signals } from '../signals.ts'
import type { DocumentTransactions } from '../store/document-transactions.ts'
import type { CommentRow, Tables, ThreadRow } from '../store/tables.ts'
import { answeredRun, instructionOf, namesAgent } from './comment-call.ts'
import { mentionedBy, type NewComment, notifyOfComment } from './comment-notices.ts'
import { type Content, readContent, writeContent } from './content.ts'
import { findPlace, type Pointer } from './place.ts'
import { blockOfMention, quoteOf, selectionOf, withText } from './quoted-text.ts'
import { type Refusal, refuse } from './refusal.ts'
import { authorColumns, type Check, findThread, listThreads, toThread } from './review-rows.ts'

/** A thread as of now, the run that its newest comment started, and the users who may have been notified of it. */
export type Commented = { ok: true; thread: Thread; run?: Run; notified?: readonly string[] }

export type ThreadsDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  runs: RunStore
  notifications: Notifications
  signals: Signals
  now: () => number
}

/** The scope of a change of threads: the room, the content if needed, and the SQL transaction. */
type Scope = { room: Y.Doc; content: Y.Doc | undefined; trx: Transaction<Tables> }

const limits = {
  threads: 5000,
  comments: 500,
  characters: 20_000,
  /**
   * Limits for the comments of one thread, which all clients see as one room entry, and for all comments of a document.
   */
  charactersInThread: 200_000,
  charactersInDocument: 4_000_000,
}

const noThread = refuse('not_found', 'There is no such comment in this document.', 'It may have been deleted.')

/**
 * Comment threads: rows, room entries that all clients see, and a thin mark in the content for their position. Used by
 * the routes and by the agent's workers. A refusal stores nothing.
 */
export class Threads {
  readonly #deps: ThreadsDeps
  constructor(deps: ThreadsDeps) {
    this.#deps = deps
  }

  /** All threads of a document, oldest first. */
  list(document: string): Promise<Thread[]> {
    return listThreads(this.#deps.db, document)
  }

  /** One thread, or `undefined` if the document has none of this id. */
  async find(document: string, id: string): Promise<Thread | undefined> {
    const found = await findThread(this.#deps.db, document, id)
    return found && toThread(found.row, found.comments)
  }

  /** The thread that contains a comment. */
  async ofComment(document: string, comment: string): Promise<Thread | undefined> {
    const row = await this.#deps.db
      .selectFrom('comments')
      .select('thread')
      .where('document', '=', document)
      .where('id', '=', comment)
      .executeTakeFirst()
    return row && this.find(document, row.thread)
  }

  /** The API keys with which comments of a thread were written, by comment id. */
  async keysIn(document: string, thread: string): Promise<Map<string, string>> {
    const rows = await this.#deps.db
      .selectFrom('comments')
      .select(['id', 'api_key'])
      .where('document', '=', document)
      .where('thread', '=', thread)
      .execute()
    return new Map(rows.flatMap(({ id, api_key }) => (api_key === null ? [] : [[id, api_key] as const])))
  }

  /**
   * Starts a thread on what `pointer` names and marks it in the content. If the document already has a thread with this
   * id, returns that thread, so that a repeated call creates only one. `check`, here and below, runs first in the same
   * transaction and may throw.
   */
  async start(
    document: string,
    id: string,
    pointer: Pointer,
    comment: NewComment,
    check?: Check,
  ): Promise<Commented | Refusal> {
    return this.#write(document, comment.author, true, async (scope) => {
      await check?.(scope.trx)
      const known = await findThread(scope.trx, document, id)
      if (known) return { ok: true, thread: toThread(known.row, known.comments) }
      if (await this.#isFull(scope.trx, document)) {
        return refuse(
          'too_large',
          `A document has at most ${limits.threads} threads of comments.`,
          'Reply to a comment that is there already.',
        )
      }
      const content = readScope(scope)
      if (!content.ok) return content
      const place = findPlace(content, pointer)
      if (!place.ok) return place
      const range = withText(content, place.range)
      if (range.to - range.from > limits.characters) {
        return refuse('too_large', `A comment can be about at most ${limits.characters} characters.`, 'Select less.')
      }
      const mark = markThread(content.node, id, range)
      if (mark.steps.length === 0) {
        const hint = 'Select some text or an image that does not have many comments already.'
        return refuse('invalid_input', 'There is nothing here to comment on.', hint)
      }
      const context = quoteOf(content, range)
      writeContent(content, mark)
      await insertThread(scope.trx, { ...this.#newRow(document, id), ...context, marked: context.quote })
      return this.#add(scope, document, id, comment)
    })
  }

  /** Replies in a thread. A comment id that the document already has changes nothing. */
  async reply(document: string, id: string, comment: NewComment, check?: Check): Promise<Commented | Refusal> {
    const before = await findThread(this.#deps.db, document, id)
    const mayCall = namesAgent(comment.text) || answeredRun(before?.comments ?? []) !== undefined
    return this.#write(document, comment.author, mayCall && comment.author.kind === 'person', async (scope) => {
      await check?.(scope.trx)
      return this.#add(scope, document, id, comment)
    })
  }

  /** Resolves or reopens a thread. */
  async setResolved(
    document: string,
    id: string,
    resolved: boolean,
    by: Author,
    check?: Check,
  ): Promise<Commented | Refusal> {
    return this.#write(document, by, false, async ({ room, trx }) => {
      await check?.(trx)
      await trx
        .updateTable('threads')
        .set({ resolved: resolved ? 1 : 0 })
        .where('document', '=', document)
        .where('id', '=', id)
        .execute()
      return this.#show(room, trx, document, id)
    })
  }

  /**
   * Stores the agent's answer of a run where the run was requested: in the thread of the comment that called the agent,
   * or in a new thread on the block of the mention. A repeated call replaces the earlier answer. A full thread accepts
   * the answer too, so that the caller is answered there.
   */
  async answer(
    run: { id: string; document: string; trigger_kind: string; trigger_id: string; instruction: string },
    author: Author,
    text: string,
    check: Check,
  ): Promise<void> {
    const { document } = run
    const comment = { id: `answer-${run.id}`, author, text, run: run.id }
    const asked = run.trigger_kind === 'comment' ? await this.ofComment(document, run.trigger_id) : undefined
    const id = asked?.id ?? `thread-${run.id}`
    await this.#write(document, author, !asked, async (scope) => {
      await check(scope.trx)
      if (await this.#amend(scope.trx, document, comment)) return this.#show(scope.room, scope.trx, document, id)
      if (!asked) await this.#startOnMention(scope, id, run)
      return this.#add(scope, document, id, comment, true)
    })
  }

  async #startOnMention(
    scope: Scope,
    id: string,
    run: { document: string; trigger_id: string; instruction: string },
  ): Promise<void> {
    const content = readScope(scope)
    const range = content.ok ? blockOfMention(content, run.trigger_id) : undefined
    const row = this.#newRow(run.document, id)
    if (!content.ok || !range) {
      // The block of the mention is gone; the answer stays readable in an orphaned thread.
      await insertThread(scope.trx, { ...row, quote: run.instruction, orphaned: 1 })
      return
    }
    const context = quoteOf(content, range)
    writeContent(content, markThread(content.node, id, range))
    await insertThread(scope.trx, { ...row, ...context, marked: context.quote })
  }

  async #add(
    scope: Scope,
    document: string,
    id: string,
    comment: NewComment,
    isAnswer = false,
  ): Promise<Commented | Refusal> {
    const { room, trx } = scope
    const found = await findThread(trx, document, id)
    if (!found) return noThread
    if (found.comments.some((each) => each.id === comment.id)) return this.#show(room, trx, document, id)
    if (!isAnswer && found.comments.length >= limits.comments) {
      return refuse(
        'too_large',
        `There can be at most ${limits.comments} replies to a comment.`,
        'Start with another comment.',
      )
    }
    const full = isAnswer ? undefined : await findFull(trx, document, found.comments, comment)
    if (full) return full
    const run = await this.#call(scope, document, id, found.comments, comment)
    const mentions = await mentionedBy(this.#deps.notifications, trx, document, comment)
    await trx
      .insertInto('comments')
      .values({
        document,
        id: comment.id,
        thread: id,
        position: found.comments.length,
        ...authorColumns(comment.author),
        text: comment.text,
        mentions: mentions.length === 0 ? null : JSON.stringify(mentions),
        run: comment.run ?? run?.id ?? null,
        api_key: comment.credential?.apiKey ?? null,
        created_at: this.#deps.now(),
      })
      .execute()
    const place = { document, thread: id, before: found.comments }
    const notified = await notifyOfComment(this.#deps.notifications, trx, place, comment, mentions)
    const shown = await this.#show(room, trx, document, id)
    return shown.ok ? { ...shown, notified, ...(run ? { run } : {}) } : shown
  }

  /** Starts the run that a comment asks for; the thread's text is what "this" refers to. */
  async #call(
    scope: Scope,
    document: string,
    thread: string,
    before: readonly CommentRow[],
    { id, author, text, credential }: NewComment,
  ): Promise<Run | undefined> {
    const { room, trx } = scope
    if (author.kind !== 'person' || !credential) return undefined
    const answered = answeredRun(before)
    const isReply = answered !== undefined && (await this.#deps.runs.findRow(answered, trx))?.invoked_by === author.id
    if (!isReply && !namesAgent(text)) return undefined
    const selection = selectionOf(scope.content, thread)
    return this.#deps.runs.startIn(
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

  /** Replaces the text of an existing comment. */
  async #amend(trx: Transaction<Tables>, document: string, { id, text }: NewComment): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable('comments')
      .set({ text })
      .where('document', '=', document)
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async #show(room: Y.Doc, trx: Transaction<Tables>, document: string, id: string): Promise<Commented | Refusal> {
    const found = await findThread(trx, document, id)
    if (!found) return noThread
    const thread = toThread(found.row, found.comments)
    putThread(room, thread)
    return { ok: true, thread }
  }

  async #write(
    document: string,
    author: Author,
    withContent: boolean,
    change: (scope: Scope) => Promise<Commented | Refusal>,
  ): Promise<Commented | Refusal> {
    const { writer, signals } = this.#deps
    const names = [roomName(document), ...(withContent ? [contentName(document)] : [])]
    const outcome = await writer.writeMany(names, { actor: author.id }, ({ docs, trx }) => {
      const room = docs.get(roomName(document))
      if (!room) throw new Error(`no room of ${document}`)
      return change({ room, content: docs.get(contentName(document)), trx })
    })
    if (!outcome.ok) return outcome
    if (outcome.run) signals.publish({ kind: 'run-queued', run: outcome.run.id })
    publishNotified(signals, outcome.notified ?? [])
    return outcome
  }

  async #isFull(trx: Transaction<Tables>, document: string): Promise<boolean> {
    const { count } = await trx
      .selectFrom('threads')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('document', '=', document)
      .executeTakeFirstOrThrow()
    return Number(count) >= limits.threads
  }

  #newRow(document: string, id: string): ThreadRow {
    const created = this.#deps.now()
    return {
      document,
      id,
      quote: '',
      marked: '',
      prefix: '',
      suffix: '',
      resolved: 0,
      orphaned: 0,
      created_at: created,
    }
  }
}

/** Why a comment would exceed the text limits, if it would. */
async function findFull(
  trx: Transaction<Tables>,
  document: string,
  before: readonly CommentRow[],
  { text }: NewComment,
): Promise<Refusal | undefined> {
  const inThread = before.reduce((sum, comment) => sum + comment.text.length, text.length)
  if (inThread > limits.charactersInThread) {
    const message = `The comments of a thread have at most ${limits.charactersInThread} characters together.`
    return refuse('too_large', message, 'Start with another comment.')
  }
  const { characters } = await trx
    .selectFrom('comments')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>(eb.fn('length', ['text'])), eb.lit(0)).as('characters'))
    .where('document', '=', document)
    .executeTakeFirstOrThrow()
  if (Number(characters) + text.length <= limits.charactersInDocument) return undefined
  const message = `The comments of a document have at most ${limits.charactersInDocument} characters together.`
  return refuse('too_large', message, 'Write it into the text, or into the chat.')
}

async function insertThread(trx: Transaction<Tables>, row: ThreadRow): Promise<void> {
  await trx.insertInto('threads').values(row).execute()
}

function readScope({ content }: Scope): Content | Refusal {
  if (!content) throw new Error('this write has not asked for the content')
  return readContent(content)
}

async function agentMode(trx: Transaction<Tables>, document: string): Promise<AgentMode> {
  const row = await trx.selectFrom('documents').select('agent_mode').where('id', '=', document).executeTakeFirst()
  return row?.agent_mode ?? 'edit'
}
