import { getAuthTables } from 'better-auth/db'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { createAuthLibrary } from './auth-library.ts'

// The column type in which the adapter stores each kind of field.
const columnTypes: Record<string, string> = { string: 'text', boolean: 'integer', date: 'bigint' }

function openLibrary(context: TestStore, publicUrl: string) {
  return createAuthLibrary({
    db: context.store.db,
    secret: 'x',
    publicUrl,
    createId: () => 'id',
    logger: pino({ level: 'silent' }),
    oidc: undefined,
    admit: async () => ({ refused: 'nobody' }),
    isClosed: async () => false,
  })
}

test('[ACC-7] behind https every cookie is sent with it only', async () => {
  const context = await openTestStore()
  for (const publicUrl of ['http://127.0.0.1:3000', 'https://admin.example.org']) {
    const { authCookies, createAuthCookie } = await openLibrary(context, publicUrl).$context
    const cookies = [authCookies.sessionToken, createAuthCookie('state')]
    for (const { attributes } of cookies) {
      expect(attributes).toMatchObject({ secure: publicUrl.startsWith('https'), httpOnly: true, sameSite: 'lax' })
    }
  }
  await context.dispose()
})

test('[ACC-16] the store has the tables and columns that the library wants, and needs nothing that it doesn’t give', async () => {
  const context = await openTestStore()
  const library = openLibrary(context, 'http://127.0.0.1:3000')
  const tables = Object.values(getAuthTables(library.options))
  expect(tables.map(({ modelName }) => modelName).toSorted()).toEqual([
    'api_keys',
    'auth_accounts',
    'auth_sessions',
    'auth_verifications',
    'people',
  ])
  for (const { modelName, fields } of tables) {
    const columns = new Map(
      (context.file.prepare(`PRAGMA table_info(${modelName})`).all() as Column[]).map((column) => [
        column.name,
        { ...column, type: column.type.toLowerCase() },
      ]),
    )
    const wanted = Object.entries(fields).map(([key, field]) => ({ ...field, column: field.fieldName ?? key }))
    for (const { column, type, required } of wanted) {
      const found = columns.get(column)
      const place = `${modelName}.${column}`
      expect([place, found?.type]).toEqual([place, expect.any(String)])
      const isNumber = type === 'number' && /^(integer|bigint)$/.test(found?.type ?? '')
      if (!isNumber) expect([place, found?.type]).toEqual([place, columnTypes[String(type)]])
      // Columns of optional fields need a default or must be nullable; the colour is always set before the insert.
      if (required === false && column !== 'color')
        expect([place, found?.notnull === 0 || found?.dflt_value !== null]).toEqual([place, true])
    }
    const names = new Set([...wanted.map(({ column }) => column), 'id'])
    const others = [...columns.values()].filter(({ name }) => !names.has(name))
    expect(others.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null)).toEqual([])
  }
  await context.dispose()
})

type Column = { name: string; type: string; notnull: number; dflt_value: string | null }
