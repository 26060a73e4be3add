import type { StorageReport } from '@copydesk/protocol'
import { contentName, parseDocumentName, roomName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { dayOf } from './day-counts.ts'
import { documentSubject, serverSubject } from './image-quota.ts'
import { countLogs, databaseBytes } from './log-sizes.ts'
import { mebibyte, type Quotas } from './quotas.ts'
import type { StorageQuotas } from './storage.ts'

const atMost = 20

/** The used storage compared with the quotas, highest usage first. */
export async function reportStorage(
  db: Kysely<Tables>,
  { quotas, logs }: StorageQuotas,
  now: number,
): Promise<Omit<StorageReport, 'titles'>> {
  await logs.save()
  await countLogs(db)
  const documents = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const images = await imageBytesOf(db, [serverSubject])
  return {
    quotas: { ...quotas },
    server: {
      imageBytes: images.get(serverSubject) ?? 0,
      databaseBytes: await databaseBytes(db),
      documents: Number(documents.count),
    },
    documents: await reportDocuments(db, quotas),
    people: await reportPeople(db, quotas, dayOf(now)),
    links: await reportLinks(db, quotas, dayOf(now)),
  }
}

async function reportDocuments(db: Kysely<Tables>, quotas: Quotas): Promise<StorageReport['documents']> {
  const byLog = await db.selectFrom('log_usage').select('name').orderBy('bytes', 'desc').limit(atMost).execute()
  const ids = union(
    await largestImages(db, 'document:'),
    byLog.flatMap(({ name }) => parseDocumentName(name)?.document ?? []),
  )
  const rows = await db
    .selectFrom('documents')
    .leftJoin('people', 'people.id', 'documents.created_by')
    .select(['documents.id', 'documents.created_by', 'documents.updated_at', 'documents.deleted_at', 'people.name'])
    .where('documents.id', 'in', ids)
    .execute()
  const images = await imageBytesOf(db, ids.map(documentSubject))
  const names = ids.flatMap((id) => [contentName(id), roomName(id)])
  const logs = toMap(
    await db.selectFrom('log_usage').select(['name as key', 'bytes']).where('name', 'in', names).execute(),
  )
  const found = rows.map(({ id, created_by, updated_at, deleted_at, name }) => ({
    id,
    createdBy: { id: created_by, name: name ?? '' },
    imageBytes: images.get(documentSubject(id)) ?? 0,
    logBytes: (logs.get(contentName(id)) ?? 0) + (logs.get(roomName(id)) ?? 0),
    updatedAt: new Date(updated_at).toISOString(),
    trashed: deleted_at !== null,
  }))
  return nearest(found, ({ imageBytes, logBytes }) => [
    [imageBytes, quotas.imageMiBPerDocument * mebibyte],
    [logBytes, quotas.logMiBPerDocument * mebibyte],
  ])
}

async function reportPeople(db: Kysely<Tables>, quotas: Quotas, day: number): Promise<StorageReport['people']> {
  const creators = await db
    .selectFrom('documents')
    .select((eb) => ['created_by as id', eb.fn.countAll<number>().as('count')])
    .groupBy('created_by')
    .orderBy('count', 'desc')
    .limit(atMost)
    .execute()
  const most = creators.map(({ id }) => id)
  const ids = union(await largestImages(db, 'person:'), await largestToday(db, 'person:', day), most)
  const people = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', ids).execute()
  const made = await db
    .selectFrom('documents')
    .select((eb) => ['created_by as key', eb.fn.countAll<number>().as('bytes')])
    .where('created_by', 'in', ids)
    .groupBy('created_by')
    .execute()
  const counts = toMap(made)
  const used = await usedBy(db, 'person:', ids, day)
  const found = people.map(({ id, name }) => ({ id, name, ...used(id), documents: counts.get(id) ?? 0 }))
  return nearest(found, ({ imageBytes, logBytesToday, documents }) => [
    [imageBytes, quotas.imageMiBPerPerson * mebibyte],
    [logBytesToday, quotas.logMiBPerPersonAndDay * mebibyte],
    [documents, quotas.documentsPerPerson],
  ])
}

async function reportLinks(db: Kysely<Tables>, quotas: Quotas, day: number): Promise<StorageReport['links']> {
  const ids = union(await largestImages(db, 'link:'), await largestToday(db, 'link:', day))
  const links = await db.selectFrom('links').select(['id', 'document']).where('id', 'in', ids).execute()
  const used = await usedBy(db, 'link:', ids, day)
  const found = links.map(({ id, document }) => ({ id, document, ...used(id) }))
  return nearest(found, ({ imageBytes, logBytesToday }) => [
    [imageBytes, quotas.imageMiBPerLink * mebibyte],
    [logBytesToday, quotas.logMiBPerLinkAndDay * mebibyte],
  ])
}

type Kind = 'document:' | 'person:' | 'link:'

async function largestImages(db: Kysely<Tables>, kind: Kind): Promise<string[]> {
  const rows = await db
    .selectFrom('image_usage')
    .select('subject')
    .where('subject', 'like', `${kind}%`)
    .orderBy('bytes', 'desc')
    .limit(atMost)
    .execute()
  return rows.map(({ subject }) => subject.slice(kind.length))
}

async function largestToday(db: Kysely<Tables>, kind: Kind, day: number): Promise<string[]> {
  const rows = await db
    .selectFrom('log_days')
    .select('account')
    .where('day', '=', day)
    .where('account', 'like', `${kind}%`)
    .orderBy('bytes', 'desc')
    .limit(atMost)
    .execute()
  return rows.map(({ account }) => account.slice(kind.length))
}

async function imageBytesOf(db: Kysely<Tables>, subjects: readonly string[]): Promise<Map<string, number>> {
  const rows = db.selectFrom('image_usage').select(['subject as key', 'bytes'])
  return toMap(await rows.where('subject', 'in', subjects).execute())
}

async function usedBy(
  db: Kysely<Tables>,
  kind: Kind,
  ids: readonly string[],
  day: number,
): Promise<(id: string) => { imageBytes: number; logBytesToday: number }> {
  const accounts = ids.map((id) => kind + id)
  const images = await imageBytesOf(db, accounts)
  const days = db.selectFrom('log_days').select(['account as key', 'bytes']).where('day', '=', day)
  const logs = toMap(await days.where('account', 'in', accounts).execute())
  return (id) => ({ imageBytes: images.get(kind + id) ?? 0, logBytesToday: logs.get(kind + id) ?? 0 })
}

function toMap(rows: readonly { key: string; bytes: number }[]): Map<string, number> {
  return new Map(rows.map(({ key, bytes }) => [key, Number(bytes)]))
}

function union(...lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())]
}

/** The entries with the highest usage of one of their quotas. */
function nearest<T>(all: readonly T[], usesOf: (each: T) => [used: number, quota: number][]): T[] {
  const share = (each: T): number => Math.max(...usesOf(each).map(([used, quota]) => used / Math.max(1, quota)))
  return all.toSorted((one, other) => share(other) - share(one)).slice(0, atMost)
}
