import { contentTypes, readFragment, schema, writeFragment, createBindingMetadata } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { relativePositionToAbsolutePosition } from 'y-prosemirror'
import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { executeToolCall } from '../calls/execute-tool-call.ts'
import {
  documentOf,
  documentOfNode,
  fail,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  textHolding,
  typeBeside,
} from '../testing/test-document.ts'
import type { CaretPosition } from './host/caret.ts'

const fragmentOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment(contentTypes.fragment)

/** Rewrites the document as `markdown` in one diff, as an editor does after a drag. */
function rewrite(doc: Y.Doc, markdown: string): void {
  const metadata = createBindingMetadata()
  readFragment(fragmentOf(doc), schema, metadata.mapping)
  writeFragment(fragmentOf(doc), parseMarkdown(markdown).doc, metadata)
}

describe('numbers', () => {
  test('mean what they meant when they were shown, whatever came before or between', async () => {
    const doc = documentOf('alpha\n\nbeta\n\ngamma')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    rewrite(doc, 'new\n\nalpha\n\nother\n\nbeta\n\ngamma')
    await succeed(session, 'edit_document', { block: 1, find: 'beta', replace: 'BETA' })
    expect(markdownOf(doc)).toBe('new\n\nalpha\n\nother\n\nBETA\n\ngamma')
  })

  test('follow the text when a drag swaps texts between types', async () => {
    const doc = documentOf('alpha one\n\nbeta two\n\ngamma three')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    rewrite(doc, 'gamma three\n\nalpha one\n\nbeta two')
    await succeed(session, 'insert_text', { position: { type: 'block', block: 0, placement: 'after' }, content: 'X' })
    expect(markdownOf(doc)).toBe('gamma three\n\nalpha one\n\nX\n\nbeta two')
  })

  test('of a deleted block are stale', async () => {
    const doc = documentOf('alpha\n\nbeta')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    fragmentOf(doc).delete(1, 1)
    const result = await fail(session, 'edit_document', { block: 1, find: 'beta', replace: 'x' })
    expect(result).toMatchObject({ code: 'stale', message: 'Block [1] was deleted since it was read.' })
    expect(result.hint).toContain('read_document')
  })

  test('of a rewritten block are stale, and the hint names who did it', async () => {
    const doc = documentOf('a long enough paragraph')
    const rival = replicaOf(doc, 77)
    const session = sessionOn(doc, { authorOf: (client) => (client === 77 ? 'Grace' : undefined) })
    await succeed(session, 'read_document')
    const text = textHolding(rival, 'long')
    text.delete(0, text.length)
    text.insert(0, 'something else')
    sync(doc, rival)
    const result = await fail(session, 'edit_document', { block: 0, find: 'a', replace: 'x' })
    expect(result.message).toBe('Block [0] was rewritten by Grace since it was read.')
  })

  test('survive one half of a block being rewritten, not more', async () => {
    const doc = documentOf('0123456789')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const text = textHolding(doc, '0')
    text.delete(0, 5)
    expect(session.resolve(0).ok).toBe(true)
    text.delete(0, 1)
    expect(session.resolve(0)).toMatchObject({ ok: false, code: 'stale' })
  })

  test('of an empty block hold only while it is empty', async () => {
    const { nodes } = schema
    const doc = documentOfNode(schema.node('doc', null, [nodes.paragraph!.create(), nodes.paragraph!.create()]))
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const type = fragmentOf(doc).get(1) as Y.XmlElement
    type.insert(0, [new Y.XmlText('swapped in')])
    expect(session.resolve(0).ok).toBe(true)
    expect(session.resolve(1)).toMatchObject({ ok: false, code: 'stale' })
  })

  test('stay with a block that the session itself rewrote', async () => {
    const doc = documentOf('one\n\ntwo')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'edit_document', { block: 0, find: 'one', replace: 'completely different' })
    await succeed(session, 'edit_document', { block: 0, find: 'different', replace: 'new' })
    await succeed(session, 'edit_document', { find: 'completely', replace: 'quite' })
    expect(markdownOf(doc)).toBe('quite new\n\ntwo')
  })

  test('are restored in another process', async () => {
    const doc = documentOf('alpha\n\nbeta\n\ngamma')
    const first = sessionOn(doc)
    await succeed(first, 'read_document', { from: 0, to: 1 })
    const stored: unknown = JSON.parse(JSON.stringify(first.coordinates()))
    first.close()
    const elsewhere = replicaOf(doc, 9)
    rewrite(elsewhere, 'new\n\nalpha\n\nbeta\n\ngamma')
    const resumed = sessionOn(elsewhere, { coordinates: stored })
    expect((await fail(resumed, 'edit_document', { block: 2, find: 'g', replace: 'x' })).code).toBe('out_of_range')
    await succeed(resumed, 'edit_document', { block: 1, find: 'beta', replace: 'BETA' })
    expect(markdownOf(elsewhere)).toBe('new\n\nalpha\n\nBETA\n\ngamma')
    expect(sessionOn(elsewhere, { coordinates: { version: 99 } }).resolve(0)).toMatchObject({ code: 'out_of_range' })
  })
})

describe('commit', () => {
  test('writes the receipt in the same update, under the origin, and applies no call twice', async () => {
    const doc = documentOf('teh')
    const origin = {}
    const origins: unknown[] = []
    doc.on('update', (_update: Uint8Array, from: unknown) => origins.push(from))
    const session = sessionOn(doc, { origin })
    const input = { position: { type: 'absolute', location: 'end' }, content: 'x' }
    const first = await executeToolCall('insert_text', input, session, { callId: 'c1' })
    expect(origins).toEqual([origin])
    expect(await executeToolCall('insert_text', input, session, { callId: 'c1' })).toEqual(first)

    const resumed = sessionOn(replicaOf(doc, 5))
    const again = await executeToolCall('insert_text', input, resumed, { callId: 'c1' })
    expect(again).toMatchObject({ ok: true, text: expect.stringContaining('was made before the run was interrupted') })
    expect(resumed.receipt('c2')).toBeUndefined()
    const plan = () => {
      throw new Error('planned again')
    }
    expect(resumed.commit({ callId: 'c1' }, plan)).toEqual(again)
    expect(markdownOf(doc)).toBe('teh\n\nx')
  })

  test('a failed call writes nothing and leaves no receipt', async () => {
    const doc = documentOf('a')
    let updates = 0
    doc.on('update', () => updates++)
    const session = sessionOn(doc)
    await executeToolCall('edit_document', { find: 'zz', replace: '' }, session, { callId: 'c1' })
    expect(updates).toBe(0)
    expect(session.receipt('c1')).toBeUndefined()
  })

  test('a caller who may not edit is denied; mode ask holds a call until it is approved', async () => {
    const doc = documentOf('a')
    const denied = await fail(sessionOn(doc, { canEdit: false }), 'edit_document', { find: 'a', replace: 'b' })
    expect(denied).toMatchObject({ code: 'denied', message: 'Ada may not change this document.' })
    const asking = sessionOn(doc, { mode: 'ask' })
    const input = { find: 'a', replace: 'b' }
    const held = await executeToolCall('edit_document', input, asking, { callId: 'c1' })
    expect(held).toMatchObject({ code: 'held', details: { proposal: [{ before: 'a', after: 'b', block: 0 }] } })
    expect(markdownOf(doc)).toBe('a')
    const approved = await executeToolCall('edit_document', input, asking, { callId: 'c1', approved: true })
    expect(approved.ok).toBe(true)
    expect(markdownOf(doc)).toBe('b')
  })

  test('tells where the caret is, in a form that y-prosemirror reads', async () => {
    const doc = documentOf('one\n\ntwo')
    const session = sessionOn(doc)
    const carets: CaretPosition[] = []
    const stop = session.onCommit((caret) => carets.push(JSON.parse(JSON.stringify(caret))))
    const positionOf = (caret: CaretPosition | undefined): number | null => {
      const metadata = createBindingMetadata()
      readFragment(fragmentOf(doc), schema, metadata.mapping)
      const relative = Y.createRelativePositionFromJSON(caret?.anchor)
      return relativePositionToAbsolutePosition(doc, fragmentOf(doc), relative, metadata.mapping)
    }
    await succeed(session, 'edit_document', { find: 'two', replace: 'two!' })
    expect(positionOf(carets[0])).toBe(10)
    await succeed(session, 'edit_document', { find: 'one', replace: 'ne' })
    expect(carets[1]?.anchor).toEqual(carets[1]?.head)
    expect(positionOf(carets[1])).toBe(1)
    stop()
    await succeed(session, 'edit_document', { find: 'ne', replace: 'one' })
    expect(carets).toHaveLength(2)
  })

  test('keeps the Y types of what it does not touch', async () => {
    const doc = documentOf('# T\n\na\n\n- x\n- y\n\nb')
    const before = new Set(fragmentOf(doc).toArray())
    const list = fragmentOf(doc).get(2) as Y.XmlElement
    const items = list.toArray()
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'insert_text', { position: { type: 'block', block: 2, placement: 'after' }, content: '- n' })
    await succeed(session, 'insert_text', { position: { type: 'block', block: 1, placement: 'before' }, content: 'p' })
    const kept = fragmentOf(doc)
      .toArray()
      .filter((type) => before.has(type))
    expect(kept).toHaveLength(4)
    expect(list.toArray().filter((item) => items.includes(item))).toHaveLength(2)
  })
})

describe('while people write at the same time', () => {
  test('a change that arrives between two calls is seen, and nothing of it is lost', async () => {
    const doc = documentOf('teh end')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const rival = replicaOf(doc, 7)
    typeBeside(rival, 'end', ' of all', 'after')
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(rival))
    await succeed(session, 'edit_document', { block: 0, find: 'teh', replace: 'the' })
    expect(markdownOf(doc)).toBe('the end of all')
  })

  test('text typed in the same paragraph meanwhile is kept', async () => {
    const doc = documentOf('The quick brown fox jumps')
    const rival = replicaOf(doc, 7)
    typeBeside(rival, 'quick', '-ish')
    typeBeside(rival, 'brown', 'dark ', 'before')
    typeBeside(rival, 'bro', '~')
    await succeed(sessionOn(doc), 'edit_document', {
      find: 'The quick brown fox jumps',
      replace: 'A quick red fox leaps',
    })
    sync(doc, rival)
    expect(markdownOf(doc)).toBe(markdownOf(rival))
    for (const typed of ['-ish', 'dark ', '~']) expect(readNode(doc).textContent).toContain(typed)
    expect(readNode(doc).textContent).toContain('quick-ish')
  })

  test('two edits in one paragraph are two pieces: a deletion between them stays deleted, bold stays bold', async () => {
    const doc = documentOf('aaa **bold** ccc ddd')
    const rival = replicaOf(doc, 7)
    const text = textHolding(rival, 'bold')
    text.delete(text.toString().length > 0 ? 9 : 0, 3)
    await succeed(sessionOn(doc), 'edit_document', { find: 'aaa bold ccc ddd', replace: 'axa bold ccc dxd' })
    sync(doc, rival)
    expect(markdownOf(doc)).toBe('axa **bold**  dxd')
  })

  test('text before a mention that goes takes no typing with it', async () => {
    const mention = schema.node('mention', { id: 'bob', label: 'bob', kind: 'person' })
    const doc = documentOfNode(
      schema.node('doc', null, [schema.node('paragraph', null, [schema.text('hey '), mention])]),
    )
    const rival = replicaOf(doc, 7)
    typeBeside(rival, 'he', 'TYPED')
    await succeed(sessionOn(doc), 'edit_document', { find: 'hey ', replace: '' })
    sync(doc, rival)
    expect(readNode(doc).textContent).toBe('TYPED')
    expect(readNode(rival).eq(readNode(doc))).toBe(true)
  })

  test('both typing into an empty paragraph loses neither, also in a later edit', async () => {
    const doc = documentOf('')
    const rival = replicaOf(doc, 7)
    const session = sessionOn(doc)
    const paragraph = fragmentOf(rival).get(0) as Y.XmlElement
    const typed = new Y.XmlText('rival')
    paragraph.insert(0, [typed])
    await succeed(session, 'insert_text', { position: { type: 'absolute', location: 'end' }, content: 'agent' })
    sync(doc, rival)
    typed.insert(5, 'MORE')
    await succeed(session, 'edit_document', { find: 'agent', replace: 'the agent' })
    sync(doc, rival)
    expect(readNode(doc).textContent).toContain('rivalMORE')
    expect(readNode(doc).textContent).toContain('the agent')
    expect(readNode(rival).eq(readNode(doc))).toBe(true)
  })

  test('comments on the text stay, on replaced words too', async () => {
    const comment = schema.mark('comment', { threadId: 't1' })
    const text = [schema.text('see '), schema.text('old words', [comment]), schema.text(' here')]
    const doc = documentOfNode(schema.node('doc', null, [schema.node('paragraph', null, text)]))
    await succeed(sessionOn(doc), 'edit_document', { find: 'old words here', replace: 'new words there' })
    expect(readNode(doc).toString()).toBe('doc(paragraph("see ", comment("new words"), " there"))')
  })
})
