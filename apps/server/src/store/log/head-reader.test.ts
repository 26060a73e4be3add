import { contentName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { readHead, shareOpenDocuments } from './head-reader.ts'

let context: TestStore
let name: string

beforeEach(async () => {
  context = await openTestStore()
  name = contentName((await context.documents.create('ana', { markdown: 'start' })).id)
})
afterEach(() => context.dispose())

test('[LOG-35] a document that is open here is read as it is; a copy is loaded only while the open one lags behind the log', async () => {
  const { db } = context.store
  const { seq } = await db.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirstOrThrow()
  const open = { doc: new Y.Doc(), seq }
  shareOpenDocuments(db, (asked) => (asked === name ? open : undefined))
  expect(await readHead(db, name)).toBe(open.doc)
  open.seq -= 1
  const copy = await readHead(db, name)
  expect(copy).not.toBe(open.doc)
  expect(copy?.getXmlFragment('default').toJSON()).toContain('start')
  expect(await readHead(db, contentName('none'))).toBeUndefined()
})
