import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { SCHEMA_VERSION } from '@copydesk/schema'
import * as Y from 'yjs'
import { serveCalls } from './thread-calls.ts'

type Asked = { url: string; token: string; id: string; limitMs: number }

/** What was found in a document that was opened: how long that took (`undefined`: longer than the limit), and what it shows. */
export type Opened = { ms: number | undefined; vector: Uint8Array; shown: string; hash: string }

// Enough to find the bystander's text again.
const shownCharacters = 100_000

/** Opens documents as an editor's provider does, beside the thread that measures: reading a large one takes its time. */
const calls = {
  async open({ url, token, id, limitMs }: Asked): Promise<Opened> {
    const doc = new Y.Doc()
    const from = performance.now()
    const socket = new HocuspocusProviderWebsocket({
      url: `${url.replace('http', 'ws')}/collab?document=${id}&schemaVersion=${SCHEMA_VERSION}`,
    })
    const provider = new HocuspocusProvider({ websocketProvider: socket, name: id, document: doc, token })
    try {
      const ms = await new Promise<number | undefined>((resolve) => {
        const timer = setTimeout(() => resolve(undefined), limitMs)
        provider.on('synced', () => {
          clearTimeout(timer)
          resolve(performance.now() - from)
        })
        provider.attach()
      })
      return { ms, vector: Y.encodeStateVector(doc), ...describe(doc) }
    } finally {
      provider.destroy()
      socket.destroy()
      doc.destroy()
    }
  },
}

export type OpenCalls = typeof calls

function describe(doc: Y.Doc): Pick<Opened, 'shown' | 'hash'> {
  let shown: string
  try {
    shown = doc.getXmlFragment('default').toString() + JSON.stringify(doc.getMap('meta').toJSON())
  } catch (error) {
    shown = `unreadable: ${String(error)}`
  }
  return { shown: shown.slice(0, shownCharacters), hash: createHash('sha256').update(shown).digest('base64url') }
}

serveCalls(calls)
