import { contentName } from '@copydesk/schema'
import type { FastifyBaseLogger } from 'fastify'
import { expressionBuilder, type ExpressionWrapper, type RawBuilder, sql } from 'kysely'
import { agentIdentity } from '../../common/identity.ts'
import type { SideEffects, OpenDocumentDeps } from '../../collaboration/document/open-document.ts'
import { type Sender, writerOf } from '../../common/identity.ts'
import { toStatement } from '../../store/sqlite/sqlite-dialect.ts'
import type { Statement } from '../../store/sqlite/sqlite-protocol.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { Changes } from './changes.ts'

type StatementsFor = OpenDocumentDeps['statementsFor']

const remembered = 10_000

type Deps = { store: Store; changes: Changes; now: () => number }

/**
 * Changes that an update names: `fresh` are new since the document was opened, `known` were recorded before, `joined`
 * are those into which this sender writes for the first time.
 */
type Named = { fresh: readonly string[]; known: readonly string[]; joined: readonly string[] }

/**
 * Records the sender of each suggested change of a document, in the transaction that appends the update. The first
 * sender remains the author, so pasting a change doesn't change its author. Another sender who adds content under the
 * same id is recorded as a contributor, since that content is shown as the author's. The room is updated afterwards.
 */
export function createChangeRecorder(deps: Deps, logger: FastifyBaseLogger): (document: string) => StatementsFor {
  const { changes } = deps
  const receive = async (document: string, writer: string, { fresh, known, joined }: Named): Promise<void> => {
    try {
      const decided = known.length > 0 ? await changes.decided(document, known) : []
      const others = joined.length > 0 ? await changes.writtenInto(document, joined, writer) : []
      const ids = new Set([...fresh, ...decided, ...others])
      if (ids.size > 0) await changes.receive(document, [...ids])
    } catch (error) {
      // The rows are stored; the next `settle` of the document shows them.
      logger.error({ err: error, document }, 'suggested changes could not be updated')
    }
  }
  return (document) => {
    // Typing inside a suggestion names its id in every update.
    const recorded = new Set<string>()
    const writers = new Set<string>()
    return (effects, sender) => {
      const writer = writerOf(sender)
      const fresh = effects.changes.filter((id) => !recorded.has(id))
      const known = effects.changes.filter((id) => recorded.has(id))
      const joined = effects.written.filter((id) => !writers.has(`${writer} ${id}`))
      return {
        statements: [
          ...authorStatements(deps, document, fresh, sender),
          ...contributorStatements(deps, document, joined, sender),
        ],
        stored: () => {
          if (fresh.length + known.length + joined.length === 0) return
          if (recorded.size > remembered) recorded.clear()
          if (writers.size > remembered) writers.clear()
          for (const id of fresh) recorded.add(id)
          for (const id of joined) writers.add(`${writer} ${id}`)
          void receive(document, writer, { fresh, known, joined })
        },
      }
    }
  }
}

// One row for each id in a JSON list. With one VALUES row per id, each would run the subqueries for the name and the
// log's head again.
function authorStatements(deps: Deps, document: string, ids: readonly string[], { actor, run }: Sender): Statement[] {
  const { store, now } = deps
  if (ids.length === 0) return []
  const query = store.db
    .insertInto('changes')
    .columns(['document', 'id', 'author_id', 'author_name', 'author_kind', 'run', 'created_at', 'seq'])
    .expression((eb) =>
      eb
        .selectFrom(eachOf(ids).as('named'))
        .select((each) => [
          each.val(document).as('document'),
          'named.value as id',
          authorIdOf(actor, run).as('author_id'),
          nameOf(actor, run).as('author_name'),
          each.val(kindOf(run)).as('author_kind'),
          each.val(run).as('run'),
          each.cast<number>(each.val(now()), 'bigint').as('created_at'),
          // In the transaction that appends the update, the log's newest row is the update's.
          each
            .selectFrom('logs')
            .select('logs.seq')
            .where('logs.name', '=', contentName(document))
            .$asScalar()
            .$notNull()
            .as('seq'),
        ])
        // Without WHERE, SQLite parses the ON of ON CONFLICT as that of a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing())
  return [toStatement(query.compile())]
}

// Executed after `authorStatements` of the same update, so that a sender never contributes to their own change.
function contributorStatements(deps: Deps, document: string, ids: readonly string[], sender: Sender): Statement[] {
  const { actor, run } = sender
  const { store, now } = deps
  if (ids.length === 0) return []
  const query = store.db
    .insertInto('change_contributors')
    .columns(['document', 'change', 'writer', 'author_id', 'author_name', 'author_kind', 'run', 'at'])
    .expression((eb) =>
      eb
        .selectFrom('changes')
        .select((each) => [
          'changes.document',
          'changes.id',
          each.val(writerOf(sender)).as('writer'),
          authorIdOf(actor, run).as('author_id'),
          nameOf(actor, run).as('author_name'),
          each.val(kindOf(run)).as('author_kind'),
          each.val(run).as('run'),
          each.cast<number>(each.val(now()), 'bigint').as('at'),
        ])
        .where('changes.document', '=', document)
        .where('changes.id', 'in', (each) => each.selectFrom(eachOf(ids).as('named')).select('named.value'))
        .where((each) =>
          run === null
            ? each.or([each('changes.author_id', '!=', actor), each('changes.run', 'is not', null)])
            : each.or([each('changes.run', 'is', null), each('changes.run', '!=', run)]),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
  return [toStatement(query.compile())]
}

function eachOf(ids: readonly string[]): RawBuilder<{ value: string }> {
  return sql<{ value: string }>`json_each(${JSON.stringify(ids)})`
}

function kindOf(run: string | null): 'person' | 'agent' {
  return run === null ? 'person' : 'agent'
}

function authorIdOf(actor: string, run: string | null): ExpressionWrapper<Tables, never, string> {
  const eb = expressionBuilder<Tables>()
  const agent = eb.selectFrom('runs').select('agent').where('id', '=', run)
  return run === null ? eb.val(actor) : eb.fn.coalesce(agent, eb.val(actor))
}

function nameOf(actor: string, run: string | null): ExpressionWrapper<Tables, never, string> {
  const eb = expressionBuilder<Tables>()
  if (run !== null) {
    const ownName = eb.selectFrom('runs').select('agent_name').where('id', '=', run)
    return eb.fn.coalesce(ownName, eb.val<string>(agentIdentity.name))
  }
  const name = eb.selectFrom('people').select('name').where('id', '=', actor)
  return eb.fn.coalesce(name, eb.val('Unknown person'))
}

const nothing: SideEffects = { statements: [], stored: () => undefined }

/** Combines several sources of statements for an update in which review data was found. */
export function combineStatements(
  ...sources: readonly ((document: string) => StatementsFor)[]
): (document: string) => StatementsFor {
  return (document) => {
    const asked = sources.map((source) => source(document))
    return (effects, sender): SideEffects => {
      // Most updates only contain typed characters.
      if (Object.values(effects).every(({ length }) => length === 0)) return nothing
      const all = asked.map((statementsFor) => statementsFor(effects, sender))
      return {
        statements: all.flatMap(({ statements }) => statements),
        stored: () => {
          for (const { stored } of all) stored()
        },
      }
    }
  }
}
