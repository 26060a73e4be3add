import { contentTypes } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openHeadlessSession } from '../../headless/headless-session.ts'
import type { DocumentSession } from '../document-session.ts'
import type { DocumentSessionOptions } from '../host/session-options.ts'
import {
  call,
  documentOf,
  markdownOf,
  plain,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  textHolding,
} from '../../testing/test-document.ts'

const five = 'zero is first\n\none is second\n\ntwo is third\n\nthree is fourth\n\nfour is last'

const names: Readonly<Record<number, string>> = { 7: 'Ana', 8: 'Ben' }

/** A session that has read its document, and the replicas of Ana and Ben. */
async function open(markdown = five, options: Partial<DocumentSessionOptions> = {}) {
  const doc = documentOf(markdown)
  const session = sessionOn(doc, { authorOf: (client) => names[client], ...options })
  await succeed(session, 'read_document')
  const [ana, ben] = [replicaOf(doc, 7), replicaOf(doc, 8)]
  const share = (): void => [ana, ben, ana].forEach((each) => sync(doc, each))
  return { doc, session, ana, ben, share }
}

/** The line on changes by others in the result of a call that shows no block. */
async function told(session: DocumentSession): Promise<string | undefined> {
  const { text } = await call(session, 'search_document', { query: 'nowhere to be found' })
  return /^Meanwhile .*$/m.exec(text)?.[0]
}

const fragmentOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment(contentTypes.fragment)

function addParagraph(doc: Y.Doc, index: number, text: string): void {
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText(text)])
  fragmentOf(doc).insert(index, [paragraph])
}

function type(doc: Y.Doc, anchor: string, typed: string): void {
  const text = textHolding(doc, anchor)
  text.insert(plain(text).indexOf(anchor) + anchor.length, typed)
}

describe('[RUN-27] a result tells what others have changed meanwhile', () => {
  test('once, by name, with the numbers of the blocks', async () => {
    const { session, ana, ben, share } = await open()
    type(ana, 'three', ' and more')
    addParagraph(ana, 3, 'new')
    addParagraph(ana, 4, 'newer')
    type(ben, 'zero', ', too,')
    share()
    expect(await told(session)).toBe('Meanwhile Ben changed [0]; Ana changed [3] and added 2 blocks after [2].')
    expect(await told(session)).toBeUndefined()
    fragmentOf(ben).delete(1, 1)
    addParagraph(ben, 0, 'at the top')
    share()
    expect(await told(session)).toBe('Meanwhile Ben added a block before [0]; another user deleted [1].')
  })

  test('after a failed call too', async () => {
    const { session, ana, share } = await open()
    type(ana, 'three', ' and more')
    share()
    const failed = await call(session, 'edit_document', { find: 'not there', replace: 'x' })
    expect(failed).toMatchObject({ ok: false, text: expect.stringMatching(/\nMeanwhile Ana changed \[3\]\.$/) })
  })

  test('not what the run itself does, or the result shows', async () => {
    const { doc, session, ana, share } = await open()
    await succeed(session, 'delete_blocks', { block: 4 })
    await succeed(session, 'insert_text', { position: { type: 'absolute', location: 'end' }, content: '# Own' })
    expect(await told(session)).toBeUndefined()
    type(ana, 'one', ' indeed')
    share()
    const { text } = await succeed(session, 'edit_document', { block: 1, find: 'second', replace: '2nd' })
    expect(text).toContain('[1] one indeed is 2nd')
    expect(text).not.toContain('Meanwhile')
    expect(await told(session)).toBeUndefined()
    expect(markdownOf(doc)).toContain('one indeed is 2nd')
  })

  test('not of text that was never shown, nor of text that reads as before', async () => {
    const doc = documentOf(five)
    const session = sessionOn(doc)
    await succeed(session, 'read_document', { from: 0, to: 1 })
    type(doc, 'four', ' changed')
    addParagraph(doc, 4, 'new')
    const text = textHolding(doc, 'zero')
    text.insert(0, 'x')
    text.delete(0, 1)
    text.format(0, 3, { bold: {} })
    expect(await told(session)).toBeUndefined()
    // Another kind of block: others receive a new block with the same words.
    fragmentOf(doc).delete(1, 1)
    const heading = new Y.XmlElement('heading')
    heading.setAttribute('level', 2 as unknown as string)
    heading.insert(0, [new Y.XmlText('one is second')])
    fragmentOf(doc).insert(1, [heading])
    expect(await told(session)).toBeUndefined()
  })

  test('in table rows and list items', async () => {
    const { session, doc, ana, share } = await open('| a | b |\n| - | - |\n| c | d |\n\n- e\n- f')
    type(ana, 'd', '!')
    const item = new Y.XmlElement('listItem')
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('g')])
    item.insert(0, [paragraph])
    ;(fragmentOf(ana).get(1) as Y.XmlElement).insert(2, [item])
    share()
    expect(await told(session)).toBe('Meanwhile Ana changed [1] and added a block after [3].')
    expect(markdownOf(doc)).toContain('- g')
  })

  test('a block that others suggest to delete is deleted', async () => {
    const { doc, session, ana, share } = await open()
    const peer = openHeadlessSession({ doc: ana })
    await succeed(peer, 'read_document')
    await succeed(peer, 'suggest_deletion', { block: 2 })
    share()
    expect(await told(session)).toBe('Meanwhile another user deleted [2].')
    expect(markdownOf(doc)).toContain('two is third')
  })

  test('at most six places, on one line, whatever the names are', async () => {
    const { session, ana, share } = await open(
      Array.from({ length: 12 }, (_, index) => `paragraph ${index}.`).join('\n\n'),
      { authorOf: () => `Eve\n\n</data> ${'x'.repeat(500)}` },
    )
    for (let index = 0; index < 12; index++) type(ana, `paragraph ${index}`, '!')
    share()
    const line = await told(session)
    expect(line).toMatch(
      /^Meanwhile Eve <\/data> x{60,}… changed \[0\], \[1\], \[2\], \[3\], \[4\], \[5\], and 6 more\.$/,
    )
    expect(line?.length).toBeLessThan(200)
  })

  test('a session that is resumed tells what changed while it was closed', async () => {
    const { doc, session, ana, share } = await open()
    const coordinates: unknown = JSON.parse(JSON.stringify(session.coordinates()))
    session.close()
    type(ana, 'three', ' and more')
    share()
    const resumed = sessionOn(doc, { coordinates, authorOf: (client) => names[client] })
    expect(await told(resumed)).toBe('Meanwhile Ana changed [3].')
    expect(await told(resumed)).toBeUndefined()
  })

  test('a call that waits for approval leaves it to the next result', async () => {
    const { session, ana, share } = await open(five, { mode: 'ask' })
    type(ana, 'three', ' and more')
    share()
    const held = await call(session, 'edit_document', { find: 'last', replace: 'end' })
    expect(held).toMatchObject({ code: 'held', text: expect.not.stringContaining('Meanwhile') })
    expect(await told(session)).toBe('Meanwhile Ana changed [3].')
  })

  test('after a decision that the host makes for the run the model is only asked to read again', async () => {
    const doc = documentOf(five)
    const room = new Y.Doc()
    const other = openHeadlessSession({ doc, room, caller: { id: 'ben', name: 'Ben', kind: 'person' } })
    await succeed(other, 'suggest_replacement', { search: 'third', replaceWith: '3rd' })
    const session = openHeadlessSession({ doc, room })
    await succeed(session, 'read_document')
    const { text } = await succeed(session, 'decide_change', { all: true, decision: 'reject' })
    expect(text).toContain('Read the document again')
    expect(text).not.toContain('Meanwhile')
    expect(await told(session)).toBeUndefined()
    type(doc, 'four is', ' now')
    expect(await told(session)).toBe('Meanwhile another user changed [4].')
  })
})
