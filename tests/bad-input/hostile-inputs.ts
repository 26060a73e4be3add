import * as Y from 'yjs'
import {
  authFrame,
  awarenessFrame,
  frame,
  frameTypes,
  randomBytes,
  syncFrame,
  varBytes,
  varString,
} from '@copydesk/testing'

/** Something that a hostile client sends: a frame, or an HTTP request. */
export type HostileInput =
  | { kind: 'frame'; bytes: Uint8Array }
  | { kind: 'request'; method: string; path: string; body: Uint8Array<ArrayBuffer> | undefined; type: string }

type Random = () => number

const nodeNames = [
  'paragraph',
  'heading',
  'listItem',
  'bulletList',
  'taskItem',
  'table',
  'tableRow',
  'tableCell',
  'blockquote',
  'codeBlock',
  'mention',
  'image',
  'text',
  'doc',
  'marquee',
  'constructor',
]
const markNames = ['bold', 'code', 'link', 'insertion', 'deletion', 'comment--abcdefgh', 'bold--abcdefgh', 'blink']
const attributeNames = ['level', 'checked', 'colspan', 'threads', 'suggestion', 'id', 'requestId', 'src', '__proto__']
const routes = [
  '',
  '/changes',
  '/threads',
  '/messages',
  '/members',
  '/links',
  '/updates',
  '/versions',
  '/authorship',
  '/runs/x/undo',
]

/** Makes hostile inputs about one document; the same numbers make the same inputs. */
export function createHostileInputs(random: Random): (id: string, state: () => Y.Doc) => HostileInput {
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  const value = (): unknown =>
    pick<unknown>([
      'text',
      'x'.repeat(300),
      '',
      null,
      true,
      7,
      -1,
      2.5,
      {},
      { id: 'a' },
      { id: 7 },
      [1],
      '__proto__',
      '\u0000',
    ])

  const element = (depth: number): Y.XmlElement => {
    const made = new Y.XmlElement(pick(nodeNames))
    for (let left = below(depth + 1); left > 0; left--) made.insert(0, [random() < 0.5 ? element(depth - 1) : text()])
    if (random() < 0.3) made.setAttribute(pick(attributeNames), value() as never)
    return made
  }
  const text = (): Y.XmlText => {
    const made = new Y.XmlText('hostile')
    if (random() < 0.3) made.format(0, below(7), { [pick(markNames)]: value() as object })
    return made
  }
  const edit = (doc: Y.Doc): void => {
    const fragment = doc.getXmlFragment('default')
    const block = fragment.length > 0 ? fragment.get(below(fragment.length)) : undefined
    const inner = block instanceof Y.XmlElement && block.length > 0 ? block.get(below(block.length)) : undefined
    const kind = below(9)
    if (kind < 2) fragment.insert(below(fragment.length + 1), [element(3)])
    else if (kind === 2 && fragment.length > 5) fragment.delete(below(fragment.length), 1)
    else if (kind === 3) doc.getMap(pick(['meta', 'receipts', 'else'])).set(pick(attributeNames), value())
    else if (kind === 4)
      fragment.insert(0, [pick<unknown>([new Y.XmlText('x'), new Y.Map(), new Y.XmlHook('h'), 3])] as never)
    else if (block instanceof Y.XmlElement && kind < 7) block.insert(below(block.length + 1), [element(2)])
    else if (inner instanceof Y.XmlText && kind === 7)
      inner.format(0, below(9), { [pick(markNames)]: value() as object })
    else if (inner instanceof Y.XmlText) inner.insertEmbed(0, { a: 1 })
  }
  const update = (state: () => Y.Doc): Uint8Array => {
    const doc = state()
    const before = Y.encodeStateVector(doc)
    if (random() < 0.1) doc.clientID = pick([...doc.store.clients.keys(), 0, 2 ** 32 - 1])
    doc.transact(() => edit(doc))
    const bytes = Y.encodeStateAsUpdate(doc, before)
    doc.destroy()
    return random() < 0.4 ? mutate(bytes) : bytes
  }
  const mutate = (bytes: Uint8Array): Uint8Array => {
    const changed = bytes.slice(0, random() < 0.1 ? below(bytes.length) : undefined)
    for (let left = 1 + below(3); left > 0 && changed.length > 0; left--) changed[below(changed.length)] = below(256)
    return changed
  }
  const awareness = (id: string): Uint8Array => {
    const claims = Array.from({ length: 1 + below(4) }, () => ({
      clientId: below(2 ** 31),
      clock: below(1000),
      state: pick<unknown>([
        null,
        7,
        [],
        { user: value() },
        { cursor: value() },
        { cursor: { anchor: value(), head: value() } },
      ]),
    }))
    const bytes = awarenessFrame(id, claims)
    return random() < 0.3 ? mutate(bytes) : bytes
  }
  const plain = (id: string): Uint8Array => {
    const type = pick([...Object.values(frameTypes), 6, 9, 127])
    const whole = pick([
      authFrame(id, pick(['x', '', 'cookie'])),
      frame(id, type, randomBytes(below(40), random)),
      frame(id, frameTypes.stateless, varString(JSON.stringify(value() ?? null))),
      syncFrame(id, 0, randomBytes(below(20), random)),
      frame(id, frameTypes.awareness, varBytes(randomBytes(below(60), random))),
      randomBytes(2 + below(200), random),
    ])
    return random() < 0.5 ? mutate(whole) : whole
  }
  const request = (id: string): HostileInput => {
    const keys = [
      'text',
      'quote',
      'selection',
      'replaceWith',
      'decision',
      'members',
      'role',
      'title',
      'mode',
      '__proto__',
    ]
    const json = JSON.stringify(Object.fromEntries(keys.filter(() => random() < 0.4).map((key) => [key, value()])))
    const body = Buffer.from(random() < 0.2 ? mutate(Buffer.from(json)) : json)
    const method = pick(['GET', 'POST', 'PUT', 'PATCH'])
    const type = pick(['application/json', 'application/json', 'application/octet-stream', 'text/plain'])
    const path = `/api/documents/${random() < 0.1 ? encodeURIComponent(String(value())) : id}${pick(routes)}`
    return { kind: 'request', method, path, body: method === 'GET' ? undefined : Uint8Array.from(body), type }
  }
  return (id, state) => {
    const chance = random()
    if (chance < 0.1) return request(id)
    if (chance < 0.3) return { kind: 'frame', bytes: plain(id) }
    if (chance < 0.45) return { kind: 'frame', bytes: awareness(id) }
    return { kind: 'frame', bytes: syncFrame(id, random() < 0.3 ? 1 : 2, update(state)) }
  }
}
