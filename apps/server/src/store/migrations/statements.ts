import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that executes SQL statements in order. */
export function statements(...all: readonly string[]): Migration {
  return {
    async up(db) {
      for (const each of all) await sql.raw(each).execute(db)
    },
  }
}
