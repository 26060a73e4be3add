import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StorageReport } from '@copydesk/protocol'
import { afterEach, expect, test } from 'vitest'
import { Images } from '../images/images.ts'
import { openRoleScene, type RoleScene } from '../testing/role-scene.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { mebibyte } from './quotas.ts'
import { reportStorage } from './storage-report.ts'
import { createStorageQuotas } from './storage.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let context: TestStore | undefined
let scene: RoleScene | undefined
afterEach(async () => {
  await context?.dispose()
  await scene?.dispose()
  context = scene = undefined
})

test('[QUOTA-12] the report says what the server, documents, people and links use, who is nearest to a quota first', async () => {
  context = await openTestStore()
  const { store, documents, clock, log } = context
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-images-'))
  const storage = createStorageQuotas(store.db, () => clock.now, { documentsPerPerson: 4 })
  try {
    for (const id of ['ana', 'ben', 'guest']) {
      const guest = id === 'guest' ? 1 : 0
      await store.db
        .insertInto('people')
        .values({ id, name: id.toUpperCase(), color: '#000', created_at: 1, guest })
        .execute()
    }
    const small = await documents.create('ben', { title: 'Small' })
    const large = await documents.create('ana', { title: 'A secret title' })
    await documents.create('ben', { title: 'Another' })
    const link = {
      id: 'link',
      document: small.id,
      role: 'editor',
      token_hash: 'h',
      created_by: 'ben',
      created_at: 1,
    } as const
    await store.db
      .insertInto('links')
      .values({ ...link, expires_at: null, revoked_at: null })
      .execute()
    await store.db.insertInto('link_visits').values({ link: 'link', person: 'guest', first_at: 1 }).execute()
    const images = new Images({ directory, quota: storage.images, createId: () => 'part' })
    await images.store(small.id, Buffer.concat([png, Buffer.alloc(8000)]), 'guest')
    const row = { name: large.id, bytes: new Uint8Array(mebibyte), actor: 'ana', run: null, epoch: null }
    for (let index = 0; index < 3; index++) await log.append(row)
    await storage.logs.room(large.id, { actor: 'ana', run: null })
    storage.logs.admit(large.id, { actor: 'ana', run: null }, 3 * mebibyte)

    const report = await reportStorage(store.db, storage, clock.now)
    expect(report.quotas.documentsPerPerson).toBe(4)
    expect(report.server).toMatchObject({ imageBytes: 8192, documents: 3 })
    expect(report.server.databaseBytes).toBeGreaterThan(3 * mebibyte)
    expect(report.documents.map(({ id }) => id)).toEqual([large.id, small.id, expect.any(String)])
    expect(report.documents[0]).toMatchObject({ createdBy: { id: 'ana', name: 'ANA' }, imageBytes: 0, trashed: false })
    expect(report.documents[0]?.updatedAt).toBe(new Date(clock.now).toISOString())
    expect(report.documents[0]?.logBytes).toBeGreaterThan(3 * mebibyte)
    expect(report.documents[1]).toMatchObject({ imageBytes: 8192 })
    // Ben has used half of his quota of documents, and less of his other quotas.
    expect(report.people).toEqual([
      { id: 'ben', name: 'BEN', imageBytes: 0, logBytesToday: 0, documents: 2 },
      { id: 'ana', name: 'ANA', imageBytes: 0, logBytesToday: 3 * mebibyte + 128, documents: 1 },
    ])
    expect(report.links).toEqual([{ id: 'link', document: small.id, imageBytes: 8192, logBytesToday: 0 }])
    expect(JSON.stringify(report)).not.toContain('secret')
  } finally {
    await storage.logs.close()
    rmSync(directory, { recursive: true })
  }
})

test('[QUOTA-12] [AUDIT-2] operators get it, nobody else, and titles only of documents that are shared with them', async () => {
  scene = await openRoleScene({ QUOTAS: '{"imageMiBPerLink": 7}' })
  const { status, body } = await scene.as('operator')<StorageReport>('GET', '/api/storage')
  expect([status, body.quotas.imageMiBPerLink, body.server.documents]).toEqual([200, 7, 1])
  expect(body.people.map(({ id }) => id)).toContain(scene.ids.owner)
  expect((await scene.as('owner')('GET', '/api/storage')).status).toBe(403)

  const titles = async (path: string) => {
    const read = await scene?.as('operator')<{ titles: Record<string, string> }>('GET', path)
    return read?.body.titles
  }
  expect([await titles('/api/storage'), await titles('/api/audit')]).toEqual([{}, {}])
  await scene.give('operator', 'viewer')
  const shared = { [scene.document]: expect.any(String) as string }
  expect([await titles('/api/storage'), await titles('/api/audit')]).toEqual([shared, shared])
})
