import type { Access, Author, ReactionEmoji, Run, Thread } from '@copydesk/protocol'
import { contentName, roomName } from '@copydesk/schema'
import { localizable } from '@copydesk/tools/localizable'
import { markThread } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import type * as Y from 'yjs'
import { mayCallAgent } from '../../agents/called-agent.ts'
import { type Refusal, refuse } from '../../common/errors.ts'
import { type Notifications, publishNotified } from '../../notifications/notifications.ts'
import { putThread } from '../../room/review.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { Signals } from '../../common/signals.ts'
import type { DocumentTransactions } from '../../store/log/document-transactions.ts'
import type { Tables } from '../../store/tables.ts'
import { answeredRun, callAgent, type ThreadScope } from './comment-call.ts'
import { mentionedBy, type NewComment, notifyOfComment } from './comment-notices.ts'
import { type Content, readContent, writeContent } from '../content.ts'
import { findPlace, type Pointer } from '../place.ts'
import { blockOfMention, quoteOf, withText } from './quoted-text.ts'
import { authorColumns, type Check } from '../review-rows.ts'
import { deleteComment, react, type Rewording, rewordComment } from './own-comments.ts'
import { findFullThread, findTooManyThreads } from './thread-limits.ts'
import {
  amendComment,
  type CommentPlace,
  findThread,
  insertThread,
  listThreads,
  newThreadRow,
  toThread,
} from './thread-rows.ts'

/** A thread in its current state, the run that its newest comment started, and the users who may have been notified. */
export type Commented = { ok: true; thread: Thread; run?: Run; notified?: readonly string[] }

export type ThreadsDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  runs: RunStore
  notifications: Notifications
  signals: Signals
  now: () => number
}

/** The maximum number of characters in a thread's text. */
const longestQuote = 20_000

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
   * Starts a thread on the range of `pointer` and marks it in the content. If the document already has a thread with
   * this id, returns that thread, so that a repeated call creates only one. `check`, here and below, runs first in the
   * same transaction and may throw.
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
      const full = await findTooManyThreads(scope.trx, document)
      if (full) return full
      const content = readScope(scope)
      if (!content.ok) return content
      const place = findPlace(content, pointer)
      if (!place.ok) return place
      const ranges = place.ranges.map((range) => withText(content, range))
      if (ranges.reduce((length, { from, to }) => length + to - from, 0) > longestQuote) {
        return refuse(
          'too_large',
          localizable`A comment can be about at most ${longestQuote} characters.`,
          'Select less.',
        )
      }
      const mark = markThread(content.node, id, ...ranges)
      if (mark.steps.length === 0) {
        const hint = 'Select some text or an image that does not have many comments already.'
        return refuse('invalid_input', 'There is nothing here to comment on.', hint)
      }
      const context = quoteOf(content, ...ranges)
      writeContent(content, mark)
      await insertThread(scope.trx, {
        ...newThreadRow(document, id, this.#deps.now()),
        ...context,
        marked: context.quote,
      })
      return this.#add(scope, document, id, comment)
    })
  }

  /** Replies in a thread. Has no effect if the document already has the comment's id. */
  async reply(document: string, id: string, comment: NewComment, check?: Check): Promise<Commented | Refusal> {
    const before = await findThread(this.#deps.db, document, id)
    const mayCall = mayCallAgent(comment.text) || answeredRun(before?.comments ?? []) !== undefined
    return this.#write(document, comment.author, mayCall && comment.author.kind === 'person', async (scope) => {
      await check?.(scope.trx)
      return this.#add(scope, document, id, comment)
    })
  }

  /** Resolves or reopens a thread. `api/requests/route-rules.ts` defines the right: everyone who may comment. */
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

  /** Replaces the text of the author's own comment; a mention of the agent in the new text starts no run. */
  async reword(place: CommentPlace, rewording: Rewording, author: Author): Promise<Commented | Refusal> {
    const { document, thread } = place
    return this.#write(document, author, false, async (scope) => {
      const outcome = await rewordComment(this.#deps, scope, place, rewording, author)
      if (!outcome.ok) return outcome
      const shown = await this.#show(scope.room, scope.trx, document, thread)
      return shown.ok ? { ...shown, notified: outcome.notified } : shown
    })
  }

  /** Deletes a comment, with the last one its thread. */
  async delete(place: CommentPlace, by: { author: Author; access: Access }): Promise<{ ok: true } | Refusal> {
    const { document, thread } = place
    return this.#write(document, by.author, true, async (scope) => {
      const outcome = await deleteComment(this.#deps, scope, place, by)
      if (!outcome.ok) return outcome
      if (!outcome.isEmpty) await this.#show(scope.room, scope.trx, document, thread)
      return { ok: true, notified: outcome.notified }
    })
  }

  /** Adds the author's reaction to a comment, or removes it. */
  async react(
    place: CommentPlace,
    reaction: { emoji: ReactionEmoji; isOn: boolean },
    author: Author,
  ): Promise<Commented | Refusal> {
    return this.#write(place.document, author, false, async (scope) => {
      const outcome = await react(scope, place, reaction, author)
      return outcome.ok ? this.#show(scope.room, scope.trx, place.document, place.thread) : outcome
    })
  }

  /**
   * Stores the agent's answer of a run at the place of the request: in the thread of the comment that called the agent,
   * or in a new thread on the block of the mention. A repeated call replaces the earlier answer. A full thread also
   * accepts the answer, so that the caller gets it there.
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
      if (await amendComment(scope.trx, document, comment)) return this.#show(scope.room, scope.trx, document, id)
      if (!asked) await this.#startOnMention(scope, id, run)
      return this.#add(scope, document, id, comment, true)
    })
  }

  async #startOnMention(
    scope: ThreadScope,
    id: string,
    run: { document: string; trigger_id: string; instruction: string },
  ): Promise<void> {
    const content = readScope(scope)
    const range = content.ok ? blockOfMention(content, run.trigger_id) : undefined
    const row = newThreadRow(run.document, id, this.#deps.now())
    if (!content.ok || !range) {
      // The block of the mention was deleted; the answer stays readable in an orphaned thread.
      await insertThread(scope.trx, { ...row, quote: run.instruction, orphaned: 1 })
      return
    }
    const context = quoteOf(content, range)
    writeContent(content, markThread(content.node, id, range))
    await insertThread(scope.trx, { ...row, ...context, marked: context.quote })
  }

  async #add(scope: ThreadScope, document: string, id: string, comment: NewComment, isAnswer = false) {
    const { room, trx } = scope
    const found = await findThread(trx, document, id)
    if (!found) return noThread
    if (found.comments.some((each) => each.id === comment.id)) return this.#show(room, trx, document, id)
    const full = isAnswer ? undefined : await findFullThread(trx, document, found.comments, comment)
    if (full) return full
    const run = await callAgent(this.#deps.runs, scope, { document, thread: id, before: found.comments }, comment)
    const mentions = await mentionedBy(this.#deps.notifications, trx, document, comment)
    await trx
      .insertInto('comments')
      .values({
        document,
        id: comment.id,
        thread: id,
        position: (found.comments.at(-1)?.position ?? -1) + 1,
        ...authorColumns(comment.author),
        text: comment.text,
        replacement: comment.replacement ?? null,
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

  async #show(room: Y.Doc, trx: Transaction<Tables>, document: string, id: string): Promise<Commented | Refusal> {
    const found = await findThread(trx, document, id)
    if (!found) return noThread
    const thread = toThread(found.row, found.comments)
    putThread(room, thread)
    return { ok: true, thread }
  }

  async #write<T extends { ok: true; run?: Run; notified?: readonly string[] }>(
    document: string,
    author: Author,
    withContent: boolean,
    change: (scope: ThreadScope) => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
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
}

function readScope({ content }: ThreadScope): Content | Refusal {
  if (!content) throw new Error('this write has not asked for the content')
  return readContent(content)
}
