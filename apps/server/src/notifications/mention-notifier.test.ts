import { contentName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { createMentionNotifier } from './notifications.ts'

let context: TestStore
beforeEach(async () => {
  context = await openTestStore()
})
afterEach(() => context.dispose())

test('[NOTE-8] many mentions are stored in one statement, for visitors of the document other than their author', async () => {
  const { store, documents, log, file } = context
  const { id } = await documents.create('ana', { markdown: 'Some words.' })
  for (const person of ['ana', 'ben', 'cleo']) {
    file
      .prepare(`INSERT INTO people (id, name, color, created_at) VALUES (?, ?, '#112233', 1)`)
      .run(person, person.toUpperCase())
    if (person !== 'cleo')
      await store.db.insertInto('document_visits').values({ document: id, person, last_at: 1 }).execute()
  }
  const people = ['ben', 'ana', 'cleo', 'nobody'].flatMap((person) =>
    Array.from({ length: 250 }, (_, index) => ({
      requestId: `${person}-${index}`,
      person,
      text: `See  ${index}\n"quoted"`,
    })),
  )
  const effects = { mentions: [], people, changes: [], written: [] }
  const sender = { actor: 'ana', run: null, epoch: null }
  const { statements } = createMentionNotifier(context)(id)(effects, sender)
  expect(statements).toHaveLength(1)
  const row = { name: contentName(id), bytes: Uint8Array.of(0, 0), ...sender }
  for (let twice = 0; twice < 2; twice++) await log.append({ ...row, also: statements })
  const told = file.prepare('SELECT person, source, author_name, excerpt FROM notifications ORDER BY source').all()
  expect(told).toHaveLength(250)
  expect(told[0]).toEqual({ person: 'ben', source: 'ben-0', author_name: 'ANA', excerpt: 'See 0 "quoted"' })
})
