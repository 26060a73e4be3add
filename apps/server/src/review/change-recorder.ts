import { contentName } from '@copydesk/schema'
import type { FastifyBaseLogger } from 'fastify'
import { agentIdentity } from '../collaboration/identity.ts'
import type { Companions, OpenDocumentDeps } from '../collaboration/open-document.ts'
import type { Sender } from '../collaboration/sender.ts'
import type { Services } from '../services.ts'
import { toStatement } from '../store/sqlite-dialect.ts'
import type { Statement } from '../store/sqlite-protocol.ts'

type StatementsFor = OpenDocumentDeps['statementsFor']

const idsInStatement = 500
const remembered = 10_000

/**
 * Records who has brought which suggested change into a document: in the very transaction that appends the update, the first sender
 * for good, so that nobody becomes the author of what they paste. The room shows it afterwards.
 */
export function createChangeRecorder(
  { store, changes, now }: Pick<Services, 'store' | 'changes' | 'now'>,
  logger: FastifyBaseLogger,
): (document: string) => StatementsFor {
  const receive = async (document: string, fresh: readonly string[], known: readonly string[]): Promise<void> => {
    try {
      const decided = known.length > 0 ? await changes.decided(document, known) : []
      if (fresh.length + decided.length > 0) await changes.receive(document, [...fresh, ...decided])
    } catch (error) {
      // They are recorded; the next look at the settled document shows them.
      logger.error({ err: error, document }, 'suggested changes could not be looked after')
    }
  }
  return (document) => {
    // Typing inside a suggestion names its id again and again.
    const recorded = new Set<string>()
    return (findings, sender) => {
      const ids = findings.changes.filter((id) => !recorded.has(id))
      const known = findings.changes.filter((id) => recorded.has(id))
      return {
        statements: recordStatements(document, ids, sender),
        stored: () => {
          if (ids.length + known.length === 0) return
          if (recorded.size > remembered) recorded.clear()
          for (const id of ids) recorded.add(id)
          void receive(document, ids, known)
        },
      }
    }
  }

  function recordStatements(document: string, ids: readonly string[], { actor, run }: Sender): Statement[] {
    const statements: Statement[] = []
    for (let at = 0; at < ids.length; at += idsInStatement) {
      const query = store.db
        .insertInto('changes')
        .values((eb) => {
          const person = eb.selectFrom('people').select('name').where('id', '=', actor)
          const name = run === null ? eb.fn.coalesce(person, eb.val('Somebody')) : eb.val(agentIdentity.name)
          return ids.slice(at, at + idsInStatement).map((id) => ({
            document,
            id,
            author_id: actor,
            author_name: name,
            author_kind: run === null ? ('person' as const) : ('agent' as const),
            run,
            created_at: now(),
            // In the transaction that appends the update, the log's newest row is the update's.
            seq: eb.selectFrom('logs').select('seq').where('name', '=', contentName(document)),
          }))
        })
        .onConflict((conflict) => conflict.doNothing())
      statements.push(toStatement(query.compile()))
    }
    return statements
  }
}

/** Several sources of what goes with an update, as one. */
export function together(
  ...sources: readonly ((document: string) => StatementsFor)[]
): (document: string) => StatementsFor {
  return (document) => {
    const asked = sources.map((source) => source(document))
    return (findings, sender): Companions => {
      const all = asked.map((statementsFor) => statementsFor(findings, sender))
      return {
        statements: all.flatMap(({ statements }) => statements),
        stored: () => {
          for (const { stored } of all) stored()
        },
      }
    }
  }
}
