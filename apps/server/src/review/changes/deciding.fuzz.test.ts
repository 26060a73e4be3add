import type { Change, Session } from '@copydesk/protocol'
import { contentTypes, readFragment, schema } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { seededBelow, until } from '@copydesk/testing'
import { callApi } from '../../testing/call-api.ts'
import { startTestServer, type TestEditor, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ana: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
})
afterAll(() => server.dispose())

/** Types a letter that occurs nowhere else at a random position, as plain text. */
function type(editor: TestEditor, letter: string, random: (below: number) => number): void {
  const fragment = editor.doc.getXmlFragment(contentTypes.fragment)
  const texts = fragment
    .toArray()
    .flatMap((block) => (block instanceof Y.XmlElement ? block.toArray() : []))
    .filter((child) => child instanceof Y.XmlText)
  const text = texts[random(texts.length)]
  if (!text) return
  const at = random(text.length + 1)
  const names = (text.toDelta() as { attributes?: object }[]).flatMap(({ attributes }) => Object.keys(attributes ?? {}))
  text.insert(at, letter, Object.fromEntries(names.map((name) => [name, null])))
}

/** The text under the document's marks. */
function marksOf(editor: TestEditor): string {
  const blocks = editor.doc.getXmlFragment(contentTypes.fragment).toArray()
  const texts = blocks.flatMap((block) => (block instanceof Y.XmlElement ? block.toArray() : []))
  return JSON.stringify(texts.map((text) => (text instanceof Y.XmlText ? text.toDelta() : text.toJSON())))
}

function plain(doc: Y.Doc): string {
  const read = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  read.doc.check()
  return read.doc.textContent
}

test.each(process.env.SEEDS ? process.env.SEEDS.split(',').map(Number) : [1, 2, 3])(
  '[REV-16] seed %i: whatever is decided while two people type, all that they typed is there',
  async (seed) => {
    const random = seededBelow(seed)
    const lines = Array.from({ length: 8 }, (_, index) => `Line${index} some words to be changed here.`)
    const { id } = await server.create(ana, lines.join('\n\n'))
    const asAna = callApi(server.url, ana.token, id)
    const asBen = callApi(server.url, ben.token, id)
    const editors = [await server.join(ana.token, id), await server.join(ben.token, id)]
    const typed: string[] = []
    const typeSome = (): void => {
      for (const editor of editors) {
        // One character each, from the private use area, so that no text can be typed inside of it.
        const letter = String.fromCharCode(0xe000 + typed.length)
        typed.push(letter)
        type(editor, letter, random)
      }
    }
    for (let round = 0; round < 8; round++) {
      typeSome()
      await Promise.all(editors.map((editor) => editor.saved()))
      const replaceWith = ['', 'NEW', 'two\nlines'][random(3)]
      const { body } = await asBen<Change>('POST', '/changes', { quote: `Line${round}`, replaceWith })
      // A letter typed before the editor has received the suggested deletion around it counts as part of that
      // suggestion.
      const isSeen = (editor: TestEditor): boolean => body.id === undefined || marksOf(editor).includes(body.id)
      await until(() => editors.every(isSeen), 'both see the suggestion')
      typeSome()
    }
    const { changes } = (await asAna<{ changes: Change[] }>('GET', '/changes')).body
    for (const { id: change } of changes) {
      const decision = random(2) === 0 ? 'accept' : 'reject'
      const deciding = asAna('POST', `/changes/${change}`, { decision })
      typeSome()
      await deciding
    }
    await Promise.all(editors.map((editor) => editor.saved()))
    await asAna('POST', '/changes', { decision: 'accept' })
    const [first, second] = editors
    if (!first || !second) throw new Error('both are here')
    await until(
      () => plain(first.doc) === plain(second.doc) && plain(first.doc) === plain(server.load(id)),
      'all agree',
    )
    const text = plain(server.load(id))
    expect(typed.filter((letter) => !text.includes(letter)).map((letter) => letter.charCodeAt(0).toString(16))).toEqual(
      [],
    )
    expect((await asAna<{ changes: Change[] }>('GET', '/changes')).body.changes).toEqual([])
  },
)
