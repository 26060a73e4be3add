import type { Kysely } from 'kysely'
import * as Y from 'yjs'
import type { Tables } from '../store/tables.ts'
import { type Replica, ReplicaCache } from '../store/replica-cache.ts'
import { newestSnapshot } from '../store/update-log.ts'
import { createVerbatimDoc } from '../store/verbatim-doc.ts'

const rowsAtOnce = 500

// One set of replicas for each line to the store, whoever reads over it.
const replicasOf = new WeakMap<Kysely<Tables>, ReplicaCache>()

/**
 * A document as its log has it now, to look at and never to write: takes no lock and holds nobody up, and a second look costs only the
 * rows that have come meanwhile. Valid until the next `await`. `undefined` if there is no such log, or a row of it can't be applied:
 * then only the writer, which sets such rows aside, can say how the document stands.
 */
export async function readHead(db: Kysely<Tables>, name: string): Promise<Y.Doc | undefined> {
  const replicas = replicasOf.get(db) ?? new ReplicaCache({ documents: 16 })
  replicasOf.set(db, replicas)
  const log = await db.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirst()
  if (!log) return undefined
  try {
    const replica = replicas.get(name) ?? (await openReplica(db, name))
    replicas.set(name, replica)
    let isBehind = replica.seq < log.seq
    while (isBehind) isBehind = await readOn(db, name, replica)
    return replica.doc
  } catch {
    // A throw leaves half an update behind.
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

// Answers whether there may be more. Two that look at once may both apply the same rows: that changes nothing.
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
