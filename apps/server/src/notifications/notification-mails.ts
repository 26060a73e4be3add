import type { Kysely } from 'kysely'
import type { Caller } from '../auth/callers.ts'
import { Repetition } from '../common/repetition.ts'
import { notificationsLetter } from '../mail/letters.ts'
import { isPermanent, type Mailer } from '../mail/mailer.ts'
import type { StopTokens } from '../mail/stop-tokens.ts'
import type { Tables } from '../store/tables.ts'
import { toNotification } from './notifications.ts'

export type NotificationMailsDeps = {
  db: Kysely<Tables>
  mailer: Mailer
  /** The access of a caller to a document; undefined if the caller may not open it. */
  access: (caller: Caller, document: string) => Promise<string | undefined>
  stopTokens: StopTokens
  publicUrl: string
  now: () => number
  onError: (error: unknown) => void
  times?: Partial<MailTimes> | undefined
}

/** In milliseconds. */
export type MailTimes = {
  /** The interval at which the store is read for due notifications. */
  every: number
  /** How long a notification may stay unread before it is mailed. */
  unreadFor: number
  /** The minimum time between two mails to one person. */
  between: number
}

const minute = 60_000
const defaultTimes: MailTimes = { every: minute, unreadFor: 10 * minute, between: 60 * minute }
/** Older notifications are not mailed, neither after a long outage nor when an operator configures mail. */
const newest = 24 * 60 * minute
const listed = 20
const peopleAtOnce = 100
const atOnce = 1000

/**
 * Mails people their unread notifications, several in one mail, except those whose document they have opened since.
 * Only to confirmed addresses of people who haven't unsubscribed. A mail that was sent just before a crash may be sent
 * again.
 */
export class NotificationMails extends Repetition {
  readonly #deps: NotificationMailsDeps
  readonly #times: MailTimes

  constructor(deps: NotificationMailsDeps) {
    const times = { ...defaultTimes, ...deps.times }
    super({ every: times.every, work: () => this.#sendDue(), onError: deps.onError })
    this.#deps = deps
    this.#times = times
  }

  async #sendDue(): Promise<void> {
    for (const person of await this.#duePeople()) {
      if (this.signal.aborted) return
      await this.#sendTo(person)
    }
  }

  async #duePeople(): Promise<string[]> {
    const now = this.#deps.now()
    const rows = await this.#unmailed()
      .select('notifications.person')
      .distinct()
      .where('notifications.created_at', '<=', now - this.#times.unreadFor)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('notifications as mailed')
              .select('mailed.id')
              .whereRef('mailed.person', '=', 'notifications.person')
              .where('mailed.mailed_at', '>', now - this.#times.between),
          ),
        ),
      )
      .limit(peopleAtOnce)
      .execute()
    return rows.map(({ person }) => person)
  }

  async #sendTo(person: string): Promise<void> {
    const { mailer, publicUrl, stopTokens } = this.#deps
    const rows = await this.#unmailed()
      .selectAll('notifications')
      .select([
        'documents.title',
        'documents.first_words',
        'reader.email',
        'reader.name',
        'reader.color as own_color',
        'reader.language',
      ])
      .where('notifications.person', '=', person)
      .orderBy('notifications.created_at')
      .limit(atOnce)
      .execute()
    const [first] = rows
    if (!first?.email) return
    const caller: Caller = { kind: 'person', user: { id: person, name: first.name, color: first.own_color } }
    const documents = new Set(rows.map(({ document }) => document))
    for (const document of documents)
      if ((await this.#deps.access(caller, document)) === undefined) documents.delete(document)
    const noted = rows
      .filter(({ document }) => documents.has(document))
      .map((row) => toNotification({ ...row, color: null }))
    const stopUrl = `${publicUrl}/stop-mail#${stopTokens.issue(person)}`
    if (noted.length > 0) {
      const more = Math.max(0, noted.length - listed)
      const letter = notificationsLetter({
        noted: noted.slice(0, listed),
        more,
        publicUrl,
        stopUrl,
        language: first.language,
      })
      try {
        await mailer.send({ to: first.email, ...letter, headers: { 'List-Unsubscribe': `<${stopUrl}>` } })
      } catch (error) {
        if (!isPermanent(error)) throw error
        this.#deps.onError(error)
      }
    }
    await this.#markMailed(rows.map(({ id }) => id))
  }

  async #markMailed(ids: readonly string[]): Promise<void> {
    await this.#deps.db
      .updateTable('notifications')
      .set({ mailed_at: this.#deps.now() })
      .where('id', 'in', ids)
      .execute()
  }

  #unmailed() {
    return this.#deps.db
      .selectFrom('notifications')
      .innerJoin('documents', 'documents.id', 'notifications.document')
      .innerJoin('people as reader', 'reader.id', 'notifications.person')
      .leftJoin('document_visits as visit', (join) =>
        join
          .onRef('visit.document', '=', 'notifications.document')
          .onRef('visit.person', '=', 'notifications.person')
          .onRef('visit.last_at', '>=', 'notifications.created_at'),
      )
      .where('notifications.read_at', 'is', null)
      .where('notifications.mailed_at', 'is', null)
      .where('notifications.created_at', '>', this.#deps.now() - newest)
      .where('visit.person', 'is', null)
      .where('documents.trashed_at', 'is', null)
      .where('reader.email_verified', '=', 1)
      .where('reader.mails', '=', 1)
      .where('reader.deactivated_at', 'is', null)
  }
}
