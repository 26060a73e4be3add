import { createVerbatimDoc } from '../../apps/server/src/store/updates/verbatim-doc.ts'
import { openEmbeddedStore } from '../../apps/server/src/store/store.ts'
import { UpdateLog } from '../../apps/server/src/store/log/update-log.ts'
import { contentName, contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import type { Copydesk } from './copydesk.ts'

/**
 * Writes content that the server would refuse into documents: with the real store, while the server is down. Such a
 * document is like one that was written before the server checked content. Starts the server again.
 */
export async function writeUncheckedContent(
  server: Copydesk,
  edits: Readonly<Record<string, (fragment: Y.XmlFragment) => void>>,
): Promise<void> {
  await server.stop()
  const store = await openEmbeddedStore(server.dataDir, (error) => {
    throw error
  })
  try {
    const log = new UpdateLog(store, Date.now)
    for (const [document, edit] of Object.entries(edits)) {
      const name = contentName(document)
      const loaded = await log.load(name)
      const doc = createVerbatimDoc()
      if (loaded) Y.applyUpdate(doc, Y.encodeStateAsUpdate(loaded.doc))
      const before = Y.encodeStateVector(doc)
      doc.transact(() => edit(doc.getXmlFragment(contentTypes.fragment)))
      const result = await log.append({
        name,
        bytes: Y.encodeStateAsUpdate(doc, before),
        actor: 'test',
        run: null,
        epoch: null,
      })
      if (!result.ok) throw new Error(`not stored: ${result.reason}`)
    }
    await log.settled()
  } finally {
    await store.close()
  }
  await server.restart()
}
