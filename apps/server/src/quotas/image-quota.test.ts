import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Images } from '../images/images.ts'
import { createLinkedStore } from '../store/store.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { onDisk } from './image-quota.ts'
import { mebibyte, type Quotas } from './quotas.ts'
import { createStorageQuotas } from './storage.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let context: TestStore
let directory: string
beforeEach(async () => {
  context = await openTestStore()
  directory = mkdtempSync(join(tmpdir(), 'copydesk-images-'))
})
afterEach(async () => {
  rmSync(directory, { recursive: true })
  await context.dispose()
})

let parts = 0

function open(quotas: Partial<Quotas>, db = context.store.db): Images {
  const { images: quota } = createStorageQuotas(db, () => context.clock.now, quotas)
  return new Images({ directory, quota, createId: () => `part-${parts++}` })
}

/** A unique image of `kibibytes` KiB. */
function imageOf(kibibytes: number, mark: number): Uint8Array {
  return Buffer.concat([png, Buffer.alloc(kibibytes * 1024 - png.length, mark)])
}

const refused = (quota: string) => ({ ok: false, code: 'quota_exceeded', hint: expect.stringContaining(quota) })
const usage = async (): Promise<Record<string, number>> => {
  const rows = await context.store.db.selectFrom('image_usage').selectAll().orderBy('subject').execute()
  return Object.fromEntries(rows.map(({ subject, bytes }) => [subject, bytes]))
}
const filesOf = (document: string): string[] => readdirSync(join(directory, document))

test('[QUOTA-7] images of a document take what they may and no more; the same image costs nothing', async () => {
  const images = open({ imageMiBPerDocument: 1 })
  const first = imageOf(600, 1)
  expect(await images.store('a', first, 'ana')).toMatchObject({ ok: true })
  expect(await images.store('a', imageOf(600, 2), 'ben')).toMatchObject(refused('imageMiBPerDocument'))
  expect(await images.store('a', first, 'ben')).toMatchObject({ ok: true })
  expect(await images.store('b', imageOf(600, 2), 'ben')).toMatchObject({ ok: true })
  expect(filesOf('a')).toHaveLength(1)
  expect(await usage()).toEqual({
    'document:a': 600 * 1024,
    'document:b': 600 * 1024,
    'person:ana': 600 * 1024,
    'person:ben': 600 * 1024,
    server: 1200 * 1024,
  })
})

test('[QUOTA-7] small images count as the block of the disk that each takes', async () => {
  expect([0, 1, 4096, 4097].map(onDisk)).toEqual([4096, 4096, 4096, 8192])
  await open({}).store('a', png, 'ana')
  expect(await usage()).toMatchObject({ server: 4096 })
})

test('[QUOTA-8] so do the images of a person in all documents, and of the server', async () => {
  const images = open({ imageMiBPerPerson: 1, imageMiBOfServer: 2 })
  expect(await images.store('a', imageOf(600, 1), 'ana')).toMatchObject({ ok: true })
  expect(await images.store('b', imageOf(600, 2), 'ana')).toMatchObject(refused('imageMiBPerPerson'))
  expect(await images.store('b', imageOf(600, 2), 'ben')).toMatchObject({ ok: true })
  expect(await images.store('c', imageOf(600, 3), 'cleo')).toMatchObject({ ok: true })
  expect(await images.store('d', imageOf(600, 4), 'dan')).toMatchObject(refused('imageMiBOfServer'))
})

test('[QUOTA-9] of images that come at once, from several threads, no more are stored than there is room for', async () => {
  const line = createLinkedStore(context.store.connect())
  try {
    const both = [open({ imageMiBPerDocument: 1 }), open({ imageMiBPerDocument: 1 }, line.db)] as const
    const store = (images: Images, index: number) => images.store('a', imageOf(200, index), `p${index}`)
    const sent = Array.from({ length: 20 }, (_, index) => store(both[index % 2 === 0 ? 0 : 1], index))
    const answers = await Promise.all(sent)
    expect(answers.filter((answer) => answer.ok)).toHaveLength(5)
    expect(answers.filter((answer) => !answer.ok)).toEqual(
      Array(15).fill(expect.objectContaining(refused('imageMiBPerDocument'))),
    )
    expect(filesOf('a')).toHaveLength(5)
    expect(await usage()).toMatchObject({ 'document:a': 1000 * 1024, server: 1000 * 1024 })
  } finally {
    await line.close()
  }
})

test('[QUOTA-9] before an image has come it is known whether there is room for it', async () => {
  const images = open({ imageMiBPerDocument: 1 })
  await images.store('a', imageOf(600, 1), 'ana')
  expect(await images.room('a', 'ana', 0)).toEqual({ ok: true, bytes: mebibyte - 600 * 1024 })
  expect(await images.room('a', 'ana', 500 * 1024)).toMatchObject(refused('imageMiBPerDocument'))
  expect(await images.room('a', 'ana', 11 * mebibyte)).toMatchObject({ code: 'too_large' })
})

test('[QUOTA-10] the agent gets the error that an image exceeds the quota before it is fetched', async () => {
  const answer = await open({ imageMiBPerPerson: 0 }).fetch('a', 'https://nowhere.invalid/a.png', 'ana')
  expect(answer).toMatchObject({ ok: false, code: 'too_large', hint: expect.stringContaining('imageMiBPerPerson') })
})
