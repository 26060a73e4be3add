import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

const frameTypes = { sync: 0, auth: 2, syncReply: 4, status: 8 } as const

/**
 * A client with a document open that does as little work per frame as possible, so that many fit into one process: it
 * does not apply others' updates, and only searches them for marks.
 */
export type LoadClient = {
  /** Types a mark into this client's own paragraph. */
  type(mark: string): void
  close(): void
}

export type LoadClientEvents = { onMark: (mark: string) => void; onAcknowledged: () => void; onClosed: () => void }

const marks = /<\d+\.\d+>/g

/** Joins a document. Resolves with its state when it has arrived. */
export async function openSocket(
  url: string,
  name: string,
  token: string,
  onFrame: (type: number, decoder: decoding.Decoder) => void,
  onClosed: () => void,
): Promise<{ send(type: number, write: (encoder: encoding.Encoder) => void): void; state: Uint8Array; close(): void }> {
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  const send = (type: number, write: (encoder: encoding.Encoder) => void): void => {
    const encoder = encoding.createEncoder()
    encoding.writeVarString(encoder, name)
    encoding.writeVarUint(encoder, type)
    write(encoder)
    socket.send(encoding.toUint8Array(encoder))
  }
  socket.addEventListener('close', onClosed)
  const state = await new Promise<Uint8Array>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error(`no connection to ${url}`)))
    socket.addEventListener('close', ({ code, reason }) => reject(new Error(`closed: ${code} ${reason}`)))
    socket.addEventListener('open', () => {
      send(frameTypes.auth, (encoder) => {
        encoding.writeVarUint(encoder, 0)
        encoding.writeVarString(encoder, token)
      })
    })
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      if (!(data instanceof ArrayBuffer) || data.byteLength === 1) return
      const decoder = decoding.createDecoder(new Uint8Array(data))
      decoding.readVarString(decoder)
      const type = decoding.readVarUint(decoder)
      if (type === frameTypes.auth) {
        if (decoding.readVarUint(decoder) !== 2) return reject(new Error('the token was refused'))
        return send(frameTypes.sync, (encoder) => {
          encoding.writeVarUint(encoder, 0)
          encoding.writeVarUint8Array(encoder, Uint8Array.of(0))
        })
      }
      const isSync = type === frameTypes.sync || type === frameTypes.syncReply
      if (isSync && decoder.arr[decoder.pos] === 1) {
        decoder.pos++
        return resolve(decoding.readVarUint8Array(decoder).slice())
      }
      onFrame(type, decoder)
    })
  })
  return { send, state, close: () => socket.close() }
}

/** Joins a document as number `index` of `count`, the first of whom lays out a paragraph for each. */
export async function joinAsWriter(
  { url, name, token, index, count }: { url: string; name: string; token: string; index: number; count: number },
  events: LoadClientEvents,
): Promise<LoadClient> {
  const onFrame = (type: number, decoder: decoding.Decoder): void => {
    if (type === frameTypes.status) return events.onAcknowledged()
    if (type !== frameTypes.sync && type !== frameTypes.syncReply) return
    if (decoding.readVarUint(decoder) !== 2) return
    const update = decoding.readVarUint8Array(decoder)
    const text = Buffer.from(update.buffer, update.byteOffset, update.byteLength).toString('latin1')
    for (const [mark] of text.matchAll(marks)) events.onMark(mark)
  }
  const { send, state, close } = await openSocket(url, name, token, onFrame, events.onClosed)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  doc.on('update', (update: Uint8Array) =>
    send(frameTypes.sync, (encoder) => {
      encoding.writeVarUint(encoder, 2)
      encoding.writeVarUint8Array(encoder, update)
    }),
  )
  const fragment = doc.getXmlFragment('default')
  if (index === 0)
    doc.transact(() => fragment.push(Array.from({ length: count }, (_, at) => paragraph(`Writer ${at}: `))))
  const block = fragment.get(fragment.length - count + index)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error('the paragraphs have not come')
  return { type: (mark) => text.insert(text.length, mark), close }
}

/** A paragraph as the editor has it. */
export function paragraph(text: string): Y.XmlElement {
  const block = new Y.XmlElement('paragraph')
  block.insert(0, [new Y.XmlText(text)])
  return block
}
