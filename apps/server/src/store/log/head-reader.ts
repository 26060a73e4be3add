import type { Kysely } from 'kysely'
import * as Y from 'yjs'
import type { Tables } from '../tables.ts'
import { type Replica, ReplicaCache } from './replica-cache.ts'
import { newestSnapshot } from './update-log.ts'
import { createVerbatimDoc } from '../updates/verbatim-doc.ts'

const rowsAtOnce = 500

// One set of replicas per store connection, shared by all of its readers.
const replicasOf = new WeakMap<Kysely<Tables>, ReplicaCache>()

type FindOpen = (name: string) => Replica | undefined

const openDocumentsOf = new WeakMap<Kysely<Tables>, FindOpen>()

/** Lets `readHead` read documents that this process has open, instead of loading a copy of each. */
export function shareOpenDocuments(db: Kysely<Tables>, find: FindOpen): void {
  openDocumentsOf.set(db, find)
}

/**
 * A document at its log's head, for reading only. Takes no lock and blocks no writer. A repeated read costs only the
 * rows appended since the last one. Valid until the next `await`. `undefined` if there is no such log, or if a row
 * can't be applied: then only the writer, which quarantines such rows, can determine the document's state.
 */
export async function readHead(db: Kysely<Tables>, name: string): Promise<Y.Doc | undefined> {
  const replicas = replicasOf.get(db) ?? new ReplicaCache({ documents: 16 })
  replicasOf.set(db, replicas)
  const log = await db.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirst()
  if (!log) return undefined
  const open = openDocumentsOf.get(db)?.(name)
  if (open && open.seq >= log.seq) {
    replicas.delete(name)
    return open.doc
  }
  try {
    const replica = replicas.get(name) ?? (await openReplica(db, name))
    replicas.set(name, replica)
    let isBehind = replica.seq < log.seq
    while (isBehind) isBehind = await readOn(db, name, replica)
    return replica.doc
  } catch {
    // After an error only a part of the update may have been applied.
    replicas.delete(name)
    return undefined
  }
}

async function openReplica(db: Kysely<Tables>, name: string): Promise<Replica> {
  const snapshot = await newestSnapshot(name, db)
  const doc = createVerbatimDoc()
  if (snapshot) Y.applyUpdate(doc, snapshot.state)
  return { doc, seq: snapshot?.seq ?? 0 }
}

// Returns whether there may be more rows. Concurrent reads may apply the same rows twice, which has no effect.
async function readOn(db: Kysely<Tables>, name: string, replica: Replica): Promise<boolean> {
  const rows = await db
    .selectFrom('document_updates')
    .select(['seq', 'bytes'])
    .where('name', '=', name)
    .where('seq', '>', replica.seq)
    .orderBy('seq')
    .limit(rowsAtOnce)
    .execute()
  replica.doc.transact(() => {
    for (const { bytes } of rows) Y.applyUpdate(replica.doc, bytes)
  })
  replica.seq = Math.max(replica.seq, rows.at(-1)?.seq ?? 0)
  return rows.length === rowsAtOnce
}
