import type { Change, Session } from '@copydesk/protocol'
import { createBindingMetadata, readFragment, schema, writeFragment } from '@copydesk/schema'
import { executeToolCall, openHeadlessSession } from '@copydesk/tools'
import { Transform } from 'prosemirror-transform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow, until } from '@copydesk/testing'
import { callApi } from '../../testing/call-api.ts'
import { fragmentOf } from '../../testing/log-scene.ts'
import { startTestServer, type TestEditor, type TestServer } from '../../testing/test-server.ts'

const seeds = Number(process.env.TYPED_SEEDS ?? 24)
const markdown =
  'Alpha bravo charlie delta echo.\n\nFoxtrot golf hotel india.\n\n- Juliett kilo lima\n- Mike november oscar\n'

let server: TestServer
let ana: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
})
afterAll(() => server.dispose())

function textsOf(doc: Y.Doc): Y.XmlText[] {
  const found: Y.XmlText[] = []
  const collect = (node: Y.XmlFragment): void => {
    for (const child of node.toArray()) {
      if (child instanceof Y.XmlText) found.push(child)
      else if (child instanceof Y.XmlFragment) collect(child)
    }
  }
  collect(fragmentOf(doc))
  return found
}

function plainOf(text: Y.XmlText): string {
  const delta = text.toDelta() as { insert: string }[]
  return delta.map(({ insert }) => insert).join('')
}

function shownIn(doc: Y.Doc): string {
  return textsOf(doc).map(plainOf).join('\n')
}

/** The texts with their formatting. */
function statesOf(doc: Y.Doc): string {
  return JSON.stringify(textsOf(doc).map((text) => text.toDelta()))
}

/** Words, or two neighbouring ones, without typed text inside: a suggested deletion of them covers only them. */
function phrasesIn(doc: Y.Doc): string[] {
  return textsOf(doc).flatMap((text) => plainOf(text).match(/[A-Za-z]+ [A-Za-z]+|[A-Za-z]+/g) ?? [])
}

class Play {
  readonly typed: string[] = []
  readonly #random: RandomBelow
  readonly #id: string
  readonly #typist: TestEditor
  readonly #suggester: TestEditor
  #calls = 0
  #isOffline = false

  constructor(random: RandomBelow, id: string, typist: TestEditor, suggester: TestEditor) {
    this.#random = random
    this.#id = id
    this.#typist = typist
    this.#suggester = suggester
  }

  async step(mayGoOffline: boolean): Promise<void> {
    const kind = this.#random(10)
    if (kind < 4) this.#type()
    else if (kind === 4) this.#split()
    else if (kind === 5 && mayGoOffline) await this.#turn()
    else if (kind < 8) await this.#suggest(!mayGoOffline)
    else await this.#decide()
  }

  /** Synchronizes all editors. */
  async meet(): Promise<void> {
    if (this.#isOffline) await this.#turn()
    await this.#typist.saved()
    await this.#suggester.saved()
    await until(() => {
      const stored = statesOf(server.load(this.#id))
      return [this.#typist, this.#suggester].every(({ doc }) => statesOf(doc) === stored)
    }, 'both have what is stored')
  }

  async decideAll(): Promise<void> {
    const decision = this.#random(2) === 0 ? 'accept' : 'reject'
    await this.#post('/changes', { decision })
  }

  #type(): void {
    const texts = textsOf(this.#typist.doc)
    const text = texts[this.#random(texts.length)]
    if (!text) return
    const character = String.fromCodePoint(0x4e00 + this.typed.length)
    this.typed.push(character)
    text.insert(this.#random(text.length + 1), character)
  }

  /** Splits a block as the editor does. */
  #split(): void {
    const fragment = fragmentOf(this.#typist.doc)
    const metadata = createBindingMetadata()
    const read = readFragment(fragment, schema, metadata.mapping)
    if (!read.ok) throw new Error('the document can be read')
    const places: number[] = []
    read.doc.descendants((node, pos) => {
      if (node.isTextblock && node.content.size > 0) places.push(pos + 1 + this.#random(node.content.size + 1))
    })
    const place = places[this.#random(Math.max(1, places.length))]
    if (place !== undefined) writeFragment(fragment, new Transform(read.doc).split(place).doc, metadata)
  }

  async #turn(): Promise<void> {
    this.#isOffline = !this.#isOffline
    if (this.#isOffline) {
      // Pending updates arrive first, so that the suggester has received them.
      await this.#typist.saved()
      this.#typist.socket.disconnect()
      await until(() => !this.#typist.provider.synced, 'Ana is offline')
    } else {
      void this.#typist.socket.connect()
      await this.#typist.saved()
    }
  }

  async #suggest(mayTouchBlocks: boolean): Promise<void> {
    if (!this.#isOffline) await this.meet()
    const phrases = phrasesIn(this.#suggester.doc)
    const phrase = phrases[this.#random(Math.max(1, phrases.length))]
    const untouched = textsOf(this.#suggester.doc).find((text) => /^[A-Z][A-Za-z .]*$/.test(plainOf(text)))
    const words = ['', `${phrase} new words`, 'other'][this.#random(3)]
    switch (this.#random(4)) {
      case 0:
        if (mayTouchBlocks && untouched) await this.#useTool('suggest_deletion', { search: plainOf(untouched) })
        break
      case 1:
        await this.#useTool('suggest_replacement', { search: phrase, replaceWith: words })
        break
      default:
        await this.#call('POST', '/changes', { quote: phrase, replaceWith: words })
    }
    if (!this.#isOffline) await this.meet()
  }

  async #decide(): Promise<void> {
    // Deleting a block also deletes text that is in transit to it, as with every deletion in Yjs.
    if (!this.#isOffline) await this.meet()
    if (this.#random(4) === 0) await this.decideAll()
    else await this.#decideOne()
    if (!this.#isOffline) await this.meet()
  }

  async #decideOne(): Promise<void> {
    const { changes } = (await this.#call<{ changes: Change[] }>('GET', '/changes')).body
    const change = changes[this.#random(Math.max(1, changes.length))]
    if (!change) return
    const decision = this.#random(2) === 0 ? 'accept' : 'reject'
    await this.#post(`/changes/${change.id}`, { decision })
  }

  async #useTool(name: string, input: object): Promise<void> {
    const caller = { id: ben.user.id, name: 'Ben', kind: 'person' as const }
    const session = openHeadlessSession({ doc: this.#suggester.doc, mode: 'suggest', caller })
    try {
      await executeToolCall(name, input, session, { callId: `call-${this.#calls++}` })
    } finally {
      session.close()
    }
    await this.#suggester.saved()
  }

  async #post(path: string, body: object): Promise<void> {
    const { status } = await this.#call('POST', path, body)
    if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  }

  #call<T>(method: string, path: string, body?: unknown) {
    return callApi(server.url, ben.token, this.#id)<T>(method, path, body)
  }
}

test.each(Array.from({ length: seeds }, (_, seed) => seed))('[REV-16] nothing typed is lost, seed %i', async (seed) => {
  const { id } = await server.create(ana, markdown)
  const typist = await server.join(ana.token, id)
  const suggester = await server.join(ben.token, id)
  try {
    const play = new Play(seededBelow(seed), id, typist, suggester)
    for (let step = 0; step < 25; step++) await play.step(seed % 2 === 0)
    await play.meet()
    await play.decideAll()
    await play.meet()
    const doc = server.load(id)
    const shown = shownIn(doc)
    for (const character of play.typed) expect(shown.split(character)).toHaveLength(2)
    expect(shownIn(typist.doc)).toBe(shown)
    const read = readFragment(fragmentOf(doc), schema)
    expect(read.ok).toBe(true)
    if (read.ok) read.doc.check()
  } finally {
    typist.close()
    suggester.close()
  }
})
