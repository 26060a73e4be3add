import { extname } from 'node:path'
import type { Authorship } from '@copydesk/protocol'
import { contentName } from '@copydesk/schema'
import { Mutex } from 'async-mutex'
import type { Kysely } from 'kysely'
import { agentIdentity } from '../common/identity.ts'
import { RequestError } from '../common/errors.ts'
import { readHistory } from '../provenance/log-rows.ts'
import type { Tables } from '../store/tables.ts'
import { lastResortMs } from '../threads/thread-lanes.ts'
import { ThreadTimeoutError, ThreadWorker } from '../threads/thread-worker.ts'
import type { AuthorshipRequest, AuthorshipResponse } from './authorship-requests.ts'
import { findAgentsOf, findAuthors, findRuns } from './names-in-text.ts'

type Answer = Extract<AuthorshipResponse, { kind: 'authorship' }>

/** The author of each part of a document, computed only from its update log in a worker thread. */
export class AuthorshipReader {
  readonly #db: Kysely<Tables>
  readonly #thread = new ThreadWorker<AuthorshipRequest, AuthorshipResponse>(
    new URL(`./authorship-thread${extname(import.meta.url)}`, import.meta.url),
  )
  readonly #mutex = new Mutex()

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /**
   * The authorship of a document at the newest row of its log.
   * @throws RequestError `unavailable` if it takes too long.
   */
  async read(document: string, by: 'positions' | 'ids'): Promise<Authorship> {
    // One request at a time: each sends the rows after those that the thread already has.
    const reading = () => this.#ask(contentName(document), by)
    const answer = await this.#mutex.runExclusive(reading)
    const found = [...(answer.ranges ?? []), ...(answer.ids ?? [])]
    const agents = await findAgentsOf(
      this.#db,
      found.flatMap(({ run }) => run ?? []),
    )
    // In the log all agents have the same actor.
    const named = <T extends { actor: string; run?: string | undefined }>(each: T): T =>
      each.actor === agentIdentity.id ? { ...each, actor: agents.get(each.run ?? '') ?? each.actor } : each
    const { stateVector } = answer
    const [ranges, ids] = [answer.ranges?.map(named), answer.ids?.map(named)]
    const written = ranges ?? ids ?? []
    const actors = [...new Set(written.map(({ actor }) => actor))]
    const authorOf = await findAuthors(this.#db, actors)
    const runs = await findRuns(
      this.#db,
      written.flatMap(({ run }) => run ?? []),
    )
    return {
      stateVector: Buffer.from(stateVector).toString('base64'),
      ...(ranges ? { ranges } : {}),
      ...(ids ? { ids } : {}),
      authors: actors.map(authorOf),
      runs: [...runs.values()],
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #ask(name: string, by: 'positions' | 'ids'): Promise<Answer> {
    try {
      // A thread that was restarted between the two requests has no state: it gets all rows.
      return (await this.#askOnce(name, by)) ?? (await this.#askOnce(name, by)) ?? lost()
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error
      throw new RequestError('unavailable', 'Reading the authorship takes too long.', 'Try again in a moment.')
    }
  }

  async #askOnce(name: string, by: 'positions' | 'ids'): Promise<Answer | undefined> {
    const known = await this.#thread.ask({ kind: 'known', name }, lastResortMs)
    const after = known.kind === 'known' ? known.seq : 0
    const rows = await readHistory(this.#db, name, after)
    const answer = await this.#thread.ask({ kind: 'read', name, after, rows, by }, lastResortMs)
    return answer.kind === 'authorship' ? answer : undefined
  }
}

function lost(): never {
  throw new Error('the authorship thread returned no result')
}
