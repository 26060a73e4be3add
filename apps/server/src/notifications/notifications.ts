import type { Mentioned, Notification, NotificationList, User } from '@copydesk/protocol'
import { type Kysely, sql, type Transaction } from 'kysely'
import { unknownCursor } from '../common/cursor.ts'
import type { Caller } from '../auth/callers.ts'
import type { PersonMention } from '../collaboration/admission/mentions.ts'
import type { OpenDocumentDeps } from '../collaboration/document/open-document.ts'
import type { Signals } from '../common/signals.ts'
import { shownTitle } from '../store/first-words.ts'
import { toStatement } from '../store/sqlite/sqlite-dialect.ts'
import type { Statement } from '../store/sqlite/sqlite-protocol.ts'
import type { DocumentRow, NotificationRow, Tables } from '../store/tables.ts'
import { excerptOf, namedPeople } from './named-people.ts'

export type NotificationsDeps = {
  db: Kysely<Tables>
  /** The access of a caller to a document; undefined if the caller may not open it. */
  access: (caller: Caller, document: string) => Promise<string | undefined>
  now: () => number
  createId: () => string
}

/** The cause of a notification: its kind, author and place. `source` identifies it within the document. */
export type NotificationCause = {
  document: string
  kind: NotificationRow['kind']
  place: NotificationRow['place']
  source: string
  thread?: string
  /** The person who caused it. */
  actor: string
  text: string
}

type NewNotification = { id: string; person: string; source: string; excerpt: string }

/** A notification's row with the document's names and the author's current colour. */
type Listed = NotificationRow & Pick<DocumentRow, 'title' | 'first_words'> & { color: string | null }

const pageSize = 50
const columns = [
  'id',
  'person',
  'document',
  'kind',
  'place',
  'source',
  'thread',
  'author_id',
  'author_name',
  'excerpt',
  'created_at',
] as const

/**
 * Notifications of mentions, and of replies in threads a person takes part in. Rows are written in the transaction that
 * stores their cause, so that none is wrong, missing or duplicated.
 */
export class Notifications {
  readonly #deps: NotificationsDeps
  constructor(deps: NotificationsDeps) {
    this.#deps = deps
  }

  /**
   * The statements, at most one, that notify people of mentions in a text, for the caller's transaction. They skip the
   * author, people who have never opened the document, and mentions that have been notified before.
   */
  mentionStatements(document: string, actor: string, mentions: readonly PersonMention[]): Statement[] {
    if (mentions.length === 0) return []
    const excerpts = new Map<string, string>()
    const added = mentions.map(({ requestId, person, text }): NewNotification => {
      // One block, which may be long, often contains several mentions.
      const excerpt = excerpts.get(text) ?? excerptOf(text)
      excerpts.set(text, excerpt)
      return { id: this.#deps.createId(), person, source: requestId, excerpt }
    })
    const cause = { document, kind: 'mention', place: 'text', actor } as const
    return [toStatement(this.#insertion(this.#deps.db, cause, added).compile())]
  }

  /** Notifies people in a transaction; skips the same people as `mentionStatements`. */
  async notifyIn(trx: Transaction<Tables>, cause: NotificationCause, people: readonly string[]): Promise<void> {
    if (people.length === 0) return
    const { source, text } = cause
    const excerpt = excerptOf(text)
    const added = [...new Set(people)].map((person): NewNotification => ({
      id: this.#deps.createId(),
      person,
      source,
      excerpt,
    }))
    await this.#insertion(trx, cause, added).execute()
  }

  /** Replaces the text in notifications when their cause was reworded. */
  async rewordIn(trx: Transaction<Tables>, document: string, source: string, text: string): Promise<void> {
    const excerpt = excerptOf(text)
    await trx
      .updateTable('notifications')
      .set({ excerpt })
      .where('document', '=', document)
      .where('source', '=', source)
      .execute()
  }

  /** Deletes the notifications of a deleted cause; returns the notified people. */
  async forgetIn(trx: Transaction<Tables>, document: string, source: string): Promise<string[]> {
    const rows = await trx
      .deleteFrom('notifications')
      .where('document', '=', document)
      .where('source', '=', source)
      .returning('person')
      .execute()
    return rows.map(({ person }) => person)
  }

  /** The mentioned people: those of `ids` who have opened the document and whose `@name` is in the text. */
  async mentionedIn(
    trx: Kysely<Tables> | Transaction<Tables>,
    document: string,
    text: string,
    ids: readonly string[] | undefined,
  ): Promise<Mentioned[]> {
    if (!ids || ids.length === 0) return []
    const people = await trx
      .selectFrom('document_visits as visit')
      .innerJoin('people', 'people.id', 'visit.person')
      .select(['people.id', 'people.name'])
      .where('visit.document', '=', document)
      .where('people.id', 'in', [...new Set(ids)])
      .orderBy('people.id')
      .execute()
    return namedPeople(text, people)
  }

  /**
   * A page of a person's notifications, newest first, about documents they may still open.
   * @throws RequestError `invalid_input` for a cursor that no page returned.
   */
  async list(user: User, cursor?: string): Promise<NotificationList> {
    const { db } = this.#deps
    const canOpen = this.#opener(user)
    let query = db
      .selectFrom('notifications')
      .innerJoin('documents', 'documents.id', 'notifications.document')
      .leftJoin('people', 'people.id', 'notifications.author_id')
      .selectAll('notifications')
      .select(['documents.title', 'documents.first_words', 'people.color'])
      .where('person', '=', user.id)
      .where('documents.trashed_at', 'is', null)
    if (cursor !== undefined) {
      const pivot = await this.#pivot(user.id, cursor)
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('notifications.created_at', 'notifications.id'), '<', tuple(pivot.created_at, pivot.id)),
      )
    }
    const rows = await query
      .orderBy('notifications.created_at', 'desc')
      .orderBy('notifications.id', 'desc')
      .limit(pageSize + 1)
      .execute()
    const page = rows.slice(0, pageSize)
    const notifications: Notification[] = []
    for (const row of page) if (await canOpen(row.document)) notifications.push(toNotification(row))
    const unread = await this.unread(user)
    return { notifications, unread, nextCursor: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null }
  }

  /** The number of a person's unread notifications, about documents they may still open. */
  async unread(user: User): Promise<number> {
    const canOpen = this.#opener(user)
    const counts = await this.#deps.db
      .selectFrom('notifications')
      .innerJoin('documents', 'documents.id', 'notifications.document')
      .select((eb) => ['notifications.document', eb.fn.countAll<number>().as('count')])
      .where('person', '=', user.id)
      .where('read_at', 'is', null)
      .where('documents.trashed_at', 'is', null)
      .groupBy('notifications.document')
      .execute()
    let unread = 0
    for (const { document, count } of counts) if (await canOpen(document)) unread += Number(count)
    return unread
  }

  /** Marks a person's notifications as read: the given ones, or all. Ignores notifications of other people. */
  async markRead(person: string, ids?: readonly string[]): Promise<void> {
    let update = this.#deps.db
      .updateTable('notifications')
      .set({ read_at: this.#deps.now() })
      .where('person', '=', person)
      .where('read_at', 'is', null)
    if (ids) update = update.where('id', 'in', ids)
    if (!ids || ids.length > 0) await update.execute()
  }

  #insertion(
    db: Kysely<Tables> | Transaction<Tables>,
    { document, kind, place, thread, actor }: Omit<NotificationCause, 'source' | 'text'>,
    added: readonly NewNotification[],
  ) {
    const field = (name: keyof NewNotification) => sql<string>`json_extract(added.value, ${sql.lit(`$.${name}`)})`
    return db
      .insertInto('notifications')
      .columns(columns)
      .expression((eb) =>
        eb
          .selectFrom(sql<{ value: string }>`json_each(${JSON.stringify(added)})`.as('added'))
          // With this join order SQLite looks up each notified person instead of scanning all of them for each visitor
          // of the document.
          .crossJoin('document_visits as visit')
          .crossJoin('people as author')
          .select((select) => [
            field('id').as('id'),
            'visit.person as person',
            'visit.document as document',
            select.val(kind).as('kind'),
            select.val(place).as('place'),
            field('source').as('source'),
            select.val(thread ?? null).as('thread'),
            'author.id as author_id',
            'author.name as author_name',
            field('excerpt').as('excerpt'),
            select.val(this.#deps.now()).as('created_at'),
          ])
          .where('visit.document', '=', document)
          .where('visit.person', '=', field('person'))
          .where('visit.person', '!=', actor)
          .where('author.id', '=', actor),
      )
      .onConflict((conflict) => conflict.doNothing())
  }

  async #pivot(person: string, id: string): Promise<{ id: string; created_at: number }> {
    const pivot = await this.#deps.db
      .selectFrom('notifications')
      .select(['id', 'created_at'])
      .where('id', '=', id)
      .where('person', '=', person)
      .executeTakeFirst()
    if (!pivot) throw unknownCursor()
    return pivot
  }

  #opener(user: User): (document: string) => Promise<boolean> {
    const known = new Map<string, Promise<string | undefined>>()
    return async (document) => {
      const asked = known.get(document) ?? this.#deps.access({ kind: 'person', user }, document)
      known.set(document, asked)
      return (await asked) !== undefined
    }
  }
}

/**
 * Notifies people mentioned in the text, in the transaction that appends the update with the mention; the sender of the
 * update is the author. A mention restored by undo or redo keeps its `requestId` and notifies only once.
 */
export function createMentionNotifier({
  notifications,
  signals,
}: {
  notifications: Notifications
  signals: Signals
}): (document: string) => OpenDocumentDeps['statementsFor'] {
  return (document) =>
    ({ people }, { actor, run }) => {
      // Updates by runs cause no notifications.
      const added = run === null ? people.filter(({ person }) => person !== actor) : []
      return {
        statements: notifications.mentionStatements(document, actor, added),
        stored: () => publishNotified(signals, [...new Set(added.map(({ person }) => person))]),
      }
    }
}

/** Signals that these people have new notifications, so that open pages load them. */
export function publishNotified(signals: Pick<Signals, 'publish'>, people: readonly string[]): void {
  if (people.length > 0) signals.publish({ kind: 'notified', people })
}

/** A stored notification in the form of the protocol. */
export function toNotification(row: Listed): Notification {
  return {
    id: row.id,
    kind: row.kind,
    document: { id: row.document, title: shownTitle(row) },
    place: placeOf(row),
    author: {
      id: row.author_id,
      name: row.author_name,
      kind: 'person',
      ...(row.color === null ? {} : { color: row.color }),
    },
    excerpt: row.excerpt,
    createdAt: new Date(row.created_at).toISOString(),
    read: row.read_at !== null,
  }
}

function placeOf({ place, source, thread }: NotificationRow): Notification['place'] {
  switch (place) {
    case 'comment':
      return { kind: 'comment', id: source, thread: thread ?? '' }
    case 'text':
    case 'chat':
      return { kind: place, id: source }
  }
}
