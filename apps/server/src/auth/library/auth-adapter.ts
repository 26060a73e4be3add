import { createAdapterFactory, type CleanedWhere, type CustomAdapter } from '@better-auth/core/db/adapter'
import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import type { Tables } from '../../store/tables.ts'

// The library passes names of tables and columns as strings, from our own mapping.
type AnyTables = Record<string, Record<string, unknown>>
type Condition = (eb: ExpressionBuilder<AnyTables, string>) => Expression<SqlBool>

/**
 * The authentication library's database adapter: the same tables and conventions as elsewhere (times in milliseconds,
 * flags 0 and 1), in portable SQL. Statements run without a transaction; operations that must be atomic are in our own
 * code.
 */
export function createAuthAdapter(store: Kysely<Tables>) {
  const db = store as unknown as Kysely<AnyTables>
  return createAdapterFactory({
    config: {
      adapterId: 'copydesk',
      supportsBooleans: false,
      supportsDates: false,
      supportsJSON: false,
      supportsNumericIds: false,
      customTransformInput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'string' ? Date.parse(data) : (data as unknown),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && data !== null && data !== undefined
          ? new Date(Number(data))
          : (data as unknown),
    },
    adapter: ({ getFieldName }) => createQueries(db, getFieldName),
  })
}

// The library's types promise rows of the caller's type; it checks and converts them itself.
function createQueries(db: Kysely<AnyTables>, columnOf: ColumnOf): CustomAdapter {
  const queries = {
    async create({ model, data }: { model: string; data: Record<string, unknown> }) {
      return db.insertInto(model).values(data).returningAll().executeTakeFirstOrThrow()
    },
    async findOne({ model, where }: Find) {
      return (await db.selectFrom(model).selectAll().where(all(where)).limit(1).executeTakeFirst()) ?? null
    },
    async findMany({ model, where = [], limit, offset, sortBy }: FindMany) {
      let query = db.selectFrom(model).selectAll().where(all(where)).limit(limit)
      if (sortBy) query = query.orderBy(columnOf({ model, field: sortBy.field }), sortBy.direction)
      if (offset) query = query.offset(offset)
      return query.execute()
    },
    async update({ model, where, update }: Update) {
      const query = db.updateTable(model).set(update).where(all(where))
      return (await query.returningAll().executeTakeFirst()) ?? null
    },
    async updateMany({ model, where, update }: Update) {
      const { numUpdatedRows } = await db.updateTable(model).set(update).where(all(where)).executeTakeFirst()
      return Number(numUpdatedRows)
    },
    async delete({ model, where }: Find) {
      await db.deleteFrom(model).where(all(where)).execute()
    },
    async deleteMany({ model, where }: Find) {
      const { numDeletedRows } = await db.deleteFrom(model).where(all(where)).executeTakeFirst()
      return Number(numDeletedRows)
    },
    async consumeOne({ model, where }: Find) {
      // Only the statement that deletes the row returns it, so no row is returned twice.
      const found = await db.selectFrom(model).select('id').where(all(where)).limit(1).executeTakeFirst()
      if (!found) return null
      return (await db.deleteFrom(model).where('id', '=', found.id).returningAll().executeTakeFirst()) ?? null
    },
    async count({ model, where = [] }: { model: string; where?: CleanedWhere[] }) {
      const rows = db.selectFrom(model).select((eb) => eb.fn.countAll<number>().as('count'))
      return Number((await rows.where(all(where)).executeTakeFirstOrThrow()).count)
    },
  }
  return queries as unknown as CustomAdapter
}

/** Conditions use column names; sort orders use the library's field names. */
type ColumnOf = (of: { model: string; field: string }) => string
type Find = { model: string; where: CleanedWhere[] }
type Update = Find & { update: Record<string, unknown> }
type FindMany = {
  model: string
  where?: CleanedWhere[]
  limit: number
  offset?: number
  sortBy?: { field: string; direction: 'asc' | 'desc' }
}

/** The library's semantics: all AND conditions, and at least one of the OR conditions. */
function all(where: CleanedWhere[]): Condition {
  return (eb) => {
    const parts = (connector: 'AND' | 'OR') =>
      where.filter((one) => one.connector === connector).map((one) => condition(eb, one))
    const either = parts('OR')
    return eb.and([...parts('AND'), ...(either.length > 0 ? [eb.or(either)] : [])])
  }
}

function condition(eb: ExpressionBuilder<AnyTables, string>, { field, operator, value, mode }: CleanedWhere) {
  const isFolded = mode === 'insensitive' && typeof value === 'string'
  const column = isFolded ? sql<unknown>`lower(${sql.ref(field)})` : eb.ref(field)
  const given: unknown = isFolded ? value.toLowerCase() : value
  switch (operator) {
    case 'eq':
      return value === null ? eb(column, 'is', null) : eb(column, '=', given)
    case 'ne':
      return value === null ? eb(column, 'is not', null) : eb(column, '<>', given)
    case 'lt':
      return eb(column, '<', given)
    case 'lte':
      return eb(column, '<=', given)
    case 'gt':
      return eb(column, '>', given)
    case 'gte':
      return eb(column, '>=', given)
    case 'in':
      return eb(column, 'in', [value].flat())
    case 'not_in':
      return eb(column, 'not in', [value].flat())
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      throw new Error(`the authentication library asked for ${operator}, which is not implemented`)
  }
}
