import { contentTypes, retainDeletedTypes } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  allTexts,
  documentOf,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  textHolding,
  typeBeside,
} from '../../testing/test-document.ts'
import { streamToolCall } from '../../calls/stream-tool-call.ts'
import type { DocumentSession } from '../document-session.ts'

/**
 * A session and a rival that types `S` at the start of a text, `M` after `anchor` and `E` at the end, before it
 * receives any changes of `act`.
 */
async function play(
  markdown: string,
  anchor: string,
  act: (session: DocumentSession) => Promise<unknown>,
  mode: 'edit' | 'suggest' = 'edit',
) {
  const doc = documentOf(markdown)
  const rival = replicaOf(doc, 7)
  const session = sessionOn(doc, { mode })
  await succeed(session, 'read_document')
  await act(session)
  typeAround(rival, anchor)
  meet(doc, rival)
  expect(readNode(rival).toJSON()).toEqual(readNode(doc).toJSON())
  session.close()
  return { doc, rival, markdown: markdownOf(doc) }
}

// The rival's typing is sent before it receives any update.
function meet(doc: Y.Doc, rival: Y.Doc): void {
  sync(rival, doc)
  sync(doc, rival)
}

function typeAround(rival: Y.Doc, anchor: string): void {
  typeBeside(rival, anchor, 'M')
  const text = textHolding(rival, anchor)
  text.insert(text.length, 'E')
  text.insert(0, 'S')
}

const format =
  (name: string, block: number, to = block) =>
  async (session: DocumentSession) => {
    await succeed(session, 'read_document')
    const [type, remove] = name.startsWith('no ') ? [name.slice(3), true] : [name, false]
    return succeed(session, 'apply_formatting', { target: { type: 'block', block, to }, format: { type }, remove })
  }

describe('what others type into a block that is being made into another', () => {
  test.each([
    ['heading', '## Sone twoM threeE'],
    ['bulletList', '- Sone twoM threeE'],
    ['taskList', '- [ ] Sone twoM threeE'],
    ['blockquote', '> Sone twoM threeE'],
    ['codeBlock', '```\nSone twoM threeE\n```'],
  ])('is in the %s', async (type, expected) => {
    expect((await play('one two three', 'two', format(type, 0))).markdown).toBe(expected)
  })

  test.each([
    ['- aa\n- one two\n- bb', 1, 'no bulletList', 'Sone twoME'],
    ['> one two', 0, 'no blockquote', 'Sone twoME'],
    ['# one two', 0, 'paragraph', 'Sone twoME'],
    ['1. one two\n2. bb', 0, 'bulletList', '- Sone twoME'],
    ['- same\n- one two\n- same', 1, 'orderedList', '1. Sone twoME'],
    ['one **two**', 0, 'heading', '## Sone **twoME**'],
    ['one [two](https://a.example)', 0, 'heading', '## Sone [two](https://a.example)ME'],
  ])('stays with what it was typed next to: %j', async (markdown, block, type, expected) => {
    const played = await play(markdown, 'two', format(type, block))
    expect(played.markdown.split('\n')).toContain(expected)
    expect(readNode(played.doc).textContent.match(/[SME]/g)).toHaveLength(3)
  })

  test('is distinguished where texts are the same', async () => {
    const doc = documentOf('same\n\nsame\n\nsame')
    const rival = replicaOf(doc, 7)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await format('bulletList', 0, 2)(session)
    const texts = [...allTexts(rival.getXmlFragment(contentTypes.fragment))]
    for (const [index, text] of texts.entries()) text.insert(4, String(index))
    meet(doc, rival)
    expect(markdownOf(doc)).toBe('- same0\n- same1\n- same2')
  })

  test('is in the one paragraph that two have become', async () => {
    const join = (session: DocumentSession) =>
      succeed(session, 'edit_document', { find: 'aa\n\none', replace: 'aa one' })
    expect((await play('aa\n\none two three', 'two', join)).markdown).toMatch(/^aa S?oneS? twoM threeE$/)
  })

  test('is in the section that was rewritten', async () => {
    const content = '- aa\n- one two three'
    const replace = (session: DocumentSession) =>
      succeed(session, 'update_section', { operation: 'replace', sectionIndex: 1, content })
    const { markdown } = await play('# T\n\n## U\n\naa\n\none two three', 'two', replace)
    expect(markdown).toBe('# T\n\n## U\n\n- aa\n- Sone twoM threeE')
  })

  test('is in an empty block', async () => {
    const doc = documentOf('aa')
    doc.getXmlFragment(contentTypes.fragment).insert(1, [new Y.XmlElement('paragraph'), new Y.XmlElement('paragraph')])
    const rival = replicaOf(doc, 7)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await format('bulletList', 0, 2)(session)
    const empty = rival.getXmlFragment(contentTypes.fragment).get(2)
    const text = new Y.XmlText()
    if (empty instanceof Y.XmlElement) empty.insert(0, [text])
    text.insert(0, 'x')
    meet(doc, rival)
    text.insert(1, 'y')
    meet(doc, rival)
    expect(markdownOf(doc)).toBe('- aa\n-\n- x')
  })

  test('is next to the suggested change', async () => {
    const { doc, markdown } = await play('one two three', 'two', format('heading', 0), 'suggest')
    expect(markdown).toContain('Sone twoM threeE')
    readNode(doc).descendants((node) => {
      if (!node.isText || !/[SME]/.test(node.text ?? '')) return
      expect(node.marks.map(({ type }) => type.name)).not.toContain('deletion')
    })
  })

  test('goes with what was deleted on purpose', async () => {
    const { markdown } = await play('# T\n\n## U\n\none two three\n\n## V', 'two', (session) =>
      succeed(session, 'update_section', { operation: 'delete', sectionIndex: 1 }),
    )
    expect(markdown).toBe('# T\n\n## V')
  })
})

describe('a session', () => {
  async function start(markdown = 'one two three') {
    const doc = documentOf(markdown)
    const rival = replicaOf(doc, 7)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    return { doc, rival, session }
  }

  test('keeps the order of keys that come one by one, through several changes', async () => {
    const { doc, rival, session } = await start()
    expect(session.isWatching()).toBe(false)
    await format('heading', 0)(session)
    expect(session.isWatching()).toBe(true)
    const text = textHolding(rival, 'two')
    const updates: Uint8Array[] = []
    rival.on('update', (update: Uint8Array) => updates.push(update))
    for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) text.insert(7 + index, key)
    text.insert(9, '-')
    const [first, second, ...others] = updates
    Y.applyUpdate(doc, first!)
    await format('bulletList', 0)(session)
    Y.applyUpdate(doc, second!)
    await format('blockquote', 0)(session)
    for (const update of others) Y.applyUpdate(doc, update)
    for (const update of updates) Y.applyUpdate(doc, update)
    expect(readNode(doc).textContent).toBe('one twoab-cd three')
  })

  test('brings along nothing after it was closed', async () => {
    const { doc, rival, session } = await start()
    await format('heading', 0)(session)
    session.close()
    session.close()
    typeAround(rival, 'two')
    meet(doc, rival)
    expect(markdownOf(doc)).toBe('## one two three')
    expect(session.isWatching()).toBe(false)
  })

  test('leaves to another session what that has moved', async () => {
    const { doc, rival, session } = await start()
    const other = replicaOf(doc, 3)
    const idle = sessionOn(other)
    await format('heading', 0)(session)
    sync(doc, other)
    typeAround(rival, 'two')
    meet(other, rival)
    expect(readNode(other).textContent).toBe('one two three')
    typeBeside(other, 'two', 'O')
    sync(other, doc)
    idle.close()
    expect(readNode(doc).textContent.match(/O/g)).toHaveLength(1)
  })

  test('loses nothing that was typed when a call that was being written is taken back', async () => {
    const { doc, rival, session } = await start('# T\n\n## U\n\none two three')
    const streamed = streamToolCall('update_section', session, { callId: 'c' })
    streamed?.show('{"operation":"replace","sectionIndex":1,"content":"> one two three and some more words ')
    expect(markdownOf(doc)).toContain('> one two three')
    typeAround(rival, 'two')
    meet(doc, rival)
    expect(markdownOf(doc)).toMatch(/> Sone twoM three/)
    streamed?.revert()
    expect(markdownOf(doc)).toBe('# T\n\n## U\n\nSone twoM threeE')
  })

  test("doesn't even look at the keys of others while it has moved nothing", async () => {
    const { doc, session } = await start()
    const looked = {
      local: false,
      get afterState(): never {
        throw new Error('looked')
      },
    }
    const receive = () => doc.emit('afterTransaction', [looked as unknown as Y.Transaction, doc])
    expect(receive).not.toThrow()
    await format('heading', 0)(session)
    expect(receive).toThrow('looked')
    session.close()
    expect(receive).not.toThrow()
  })
})

describe('a document that passes updates on', () => {
  test.each([true, false])('passes on what is typed into a block that is gone: %s', async (isRelaying) => {
    const doc = documentOf('one two three')
    const server = replicaOf(doc, 9)
    const rival = replicaOf(doc, 7)
    const stop = isRelaying ? retainDeletedTypes(server) : () => undefined
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await format('heading', 0)(session)
    const typed: Uint8Array[] = []
    rival.on('update', (update: Uint8Array) => typed.push(update))
    typeAround(rival, 'two')
    Y.applyUpdate(server, Y.encodeStateAsUpdate(doc))
    server.on('update', (update: Uint8Array) => Y.applyUpdate(doc, update))
    for (const update of typed) Y.applyUpdate(server, update)
    expect(markdownOf(doc)).toBe(isRelaying ? '## Sone twoM threeE' : '## one two three')
    stop()
  })

  test('holds on to no more than a thousand of them', () => {
    const doc = new Y.Doc()
    retainDeletedTypes(doc)
    const fragment = doc.getXmlFragment(contentTypes.fragment)
    for (let index = 0; index < 1_500; index++) {
      fragment.insert(0, [new Y.XmlElement('paragraph')])
      fragment.delete(0, 1)
    }
    const structs = doc.store.clients.get(doc.clientID) ?? []
    const kept = structs.filter((each) => each instanceof Y.Item && each.content instanceof Y.ContentType)
    expect(kept).toHaveLength(1_000)
  })
})
