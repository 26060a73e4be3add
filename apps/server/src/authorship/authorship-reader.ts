import { extname } from 'node:path'
import type { AuthorInText, Authorship, RunInText } from '@copydesk/protocol'
import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { agentIdentity } from '../collaboration/identity.ts'
import { RequestError } from '../errors.ts'
import { readHistory } from '../history/history-rows.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables } from '../store/tables.ts'
import { ThreadTimeoutError, ThreadWorker } from '../threads/thread-worker.ts'
import type { AuthorshipRequest, AuthorshipResponse } from './authorship-requests.ts'

type Answer = Extract<AuthorshipResponse, { kind: 'authorship' }>

const limitMs = 30_000

/** Who wrote which part of a document, from its update log alone, worked out in a thread of its own. */
export class AuthorshipReader {
  readonly #db: Kysely<Tables>
  readonly #thread = new ThreadWorker<AuthorshipRequest, AuthorshipResponse>(
    new URL(`./authorship-thread${extname(import.meta.url)}`, import.meta.url),
  )
  #last: Promise<unknown> = Promise.resolve()

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /**
   * The authorship of a document at the newest row of its log.
   * @throws RequestError `unavailable` if it takes too long.
   */
  async read(document: string, by: 'positions' | 'ids'): Promise<Authorship> {
    // One at a time: the thread is told what came since what it knows.
    const reading = this.#last.then(() => this.#ask(contentName(document), by))
    this.#last = reading.catch(() => undefined)
    const { stateVector, ranges, ids } = await reading
    const written = ranges ?? ids ?? []
    return {
      stateVector: Buffer.from(stateVector).toString('base64'),
      ...(ranges ? { ranges } : {}),
      ...(ids ? { ids } : {}),
      authors: await this.#authors([...new Set(written.map(({ actor }) => actor))]),
      runs: await this.#runs([...new Set(written.flatMap(({ run }) => run ?? []))]),
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #ask(name: string, by: 'positions' | 'ids'): Promise<Answer> {
    try {
      // A thread that was started anew between the two questions has forgotten everything: it is told from the beginning.
      return (await this.#askOnce(name, by)) ?? (await this.#askOnce(name, by)) ?? lost()
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error
      throw new RequestError('unavailable', 'Reading who wrote this takes too long.', 'Try again in a moment.')
    }
  }

  async #askOnce(name: string, by: 'positions' | 'ids'): Promise<Answer | undefined> {
    const known = await this.#thread.ask({ kind: 'known', name }, limitMs)
    const after = known.kind === 'known' ? known.seq : 0
    const rows = await readHistory(this.#db, name, after)
    const answer = await this.#thread.ask({ kind: 'read', name, after, rows, by }, limitMs)
    return answer.kind === 'authorship' ? answer : undefined
  }

  async #authors(ids: readonly string[]): Promise<AuthorInText[]> {
    const people = new Map<string, AuthorInText>()
    for (const part of inParts(ids)) {
      const rows = await this.#db.selectFrom('people').select(['id', 'name', 'color']).where('id', 'in', part).execute()
      for (const row of rows) people.set(row.id, { ...row, kind: 'person' })
    }
    const { id: agent, name } = agentIdentity
    return ids.map((id) => {
      if (id === agent) return { id, name, kind: 'agent' }
      return people.get(id) ?? { id, name: 'Somebody', kind: 'person' }
    })
  }

  async #runs(ids: readonly string[]): Promise<RunInText[]> {
    const found: RunInText[] = []
    for (const part of inParts(ids)) {
      const rows = await this.#db
        .selectFrom('runs')
        .select(['id', 'instruction', 'invoked_by', 'invoked_by_name', 'created_at'])
        .where('id', 'in', part)
        .execute()
      for (const { id, instruction, invoked_by, invoked_by_name, created_at } of rows) {
        const invokedBy = { id: invoked_by, name: invoked_by_name, kind: 'person' as const }
        found.push({ id, instruction, invokedBy, createdAt: new Date(created_at).toISOString() })
      }
    }
    return found
  }
}

function lost(): never {
  throw new Error('the authorship thread forgets what it is told')
}
