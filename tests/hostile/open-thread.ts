import { createHash } from 'node:crypto'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { readFragment, resolveChanges, schema, SCHEMA_VERSION } from '@copydesk/schema'
import * as Y from 'yjs'
import { Stopwatch } from './stalls.ts'
import { serveCalls } from './thread-calls.ts'

type Asked = { url: string; pid: number; token: string; id: string; limitMs: number }

/**
 * What was found in a document that was opened: how long that took (`undefined`: longer than the limit), and what it
 * shows.
 */
export type Opened = { ms: number | undefined; vector: Uint8Array; shown: string; hash: string }

// Enough to find the bystander's text again.
const shownCharacters = 100_000

/**
 * Opens documents as an editor's provider does, in a separate thread, not in the one that measures: reading a large one
 * is slow.
 */
const calls = {
  open: (asked: Asked): Promise<Opened> =>
    opened(asked, (doc, ms) => ({ ms, vector: Y.encodeStateVector(doc), ...describe(doc) })),

  /** What the server exports as JSON, made from what a client has; or why that isn't possible. */
  read: (asked: Asked): Promise<string> =>
    opened(asked, (doc, ms) => {
      if (ms === undefined) return 'could not be opened'
      const read = readFragment(doc.getXmlFragment('default'), schema)
      if (read.ok) return JSON.stringify(resolveChanges(read.doc, 'original').toJSON())
      return `doesn't fit the schema: ${read.problems[0]?.message ?? ''}`
    }),
}

export type OpenCalls = typeof calls

/**
 * Opens a document, and answers what `read` makes of it; its milliseconds are `undefined` if it took longer than the
 * limit.
 */
async function opened<T>(
  { url, pid, token, id, limitMs }: Asked,
  read: (doc: Y.Doc, ms: number | undefined) => T,
): Promise<T> {
  const doc = new Y.Doc()
  const watch = new Stopwatch(pid, true)
  const span = watch.begin()
  const socket = new HocuspocusProviderWebsocket({
    url: `${url.replace('http', 'ws')}/collab?document=${id}&schemaVersion=${SCHEMA_VERSION}`,
  })
  const provider = new HocuspocusProvider({ websocketProvider: socket, name: id, document: doc, token })
  try {
    const ms = await new Promise<number | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), limitMs)
      provider.on('synced', () => {
        clearTimeout(timer)
        resolve(watch.elapsed(span))
      })
      provider.attach()
    })
    return read(doc, ms)
  } finally {
    provider.destroy()
    socket.destroy()
    doc.destroy()
  }
}

function describe(doc: Y.Doc): Pick<Opened, 'shown' | 'hash'> {
  const shown = shownIn(doc.getXmlFragment('default')) + JSON.stringify(doc.getMap('meta').toJSON())
  return { shown: shown.slice(0, shownCharacters), hash: createHash('sha256').update(shown).digest('base64url') }
}

/** Everything in a type, item by item: what Yjs prints of a text has all its marks for each piece of it. */
function shownIn(type: { _start: Y.Item | null }): string {
  const parts: string[] = []
  for (let item = type._start; item !== null; item = item.right) if (!item.deleted) parts.push(partOf(item.content))
  return parts.join('')
}

function partOf(content: Y.Item['content']): string {
  if (content instanceof Y.ContentString) return content.str
  if (content instanceof Y.ContentFormat) return `[${content.key}=${JSON.stringify(content.value)}]`
  if (!(content instanceof Y.ContentType)) return content.constructor.name
  const { type } = content
  const name = type instanceof Y.XmlElement ? `${type.nodeName}${JSON.stringify(type.getAttributes())}` : ''
  return `<${name}>${shownIn(type)}</>`
}

serveCalls(calls)
