import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { executeToolCall } from './execute-tool-call.ts'
import {
  documentOf,
  fail,
  markdownOf,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  typeBeside,
} from '../testing/test-document.ts'
import { streamToolCall } from './stream-tool-call.ts'

const source = '# T\n\nintro words\n\n## A\n\na text\n\n## B\n\nb text\n\n## C\n\nc text'
const insertion = (anchor: string) => ({
  position: { type: 'relative', anchor, placement: 'after' },
  content: '\n\n## New\n\nn',
})

async function insertBefore(doc: Y.Doc, anchor: string): Promise<void> {
  await succeed(sessionOn(doc), 'insert_text', insertion(anchor))
}

test('a streamed section goes into the one that was shown, although others put one before it', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  await insertBefore(doc, 'intro words')
  const input = { operation: 'replace', sectionIndex: 3, content: 'something quite new\n\nand more' }
  const json = JSON.stringify(input)
  const call = streamToolCall('update_section', session, { callId: 'c' })
  for (let end = 40; end < json.length; end += 6) call?.show(json.slice(0, end))
  const result = await executeToolCall('update_section', input, session, { callId: 'c' })
  expect(markdownOf(doc)).toContain('## B\n\nb text\n\n## C\n\nsomething quite new\n\nand more')
  expect(result.text).toContain('Sections now: 0 "T", 1 "New", 2 "A", 3 "B", 4 "C".')
})

test('numbers mean what the list of a result says, whatever others did meanwhile', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  await insertBefore(doc, 'intro words')
  const same = { operation: 'replace', sectionIndex: 1, content: 'a text' }
  const text = (await succeed(session, 'update_section', same)).text
  expect(text).toContain('Sections now: 0 "T", 1 "New", 2 "A", 3 "B", 4 "C".')
  await succeed(session, 'update_section', { operation: 'delete', sectionIndex: 3 })
  expect(markdownOf(doc)).not.toContain('## B')
})

test('a number that was shown and means nothing any more is stale, never another section', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  await insertBefore(doc, 'intro words')
  await succeed(session, 'get_document', { sectionIndex: 1 })
  expect((await fail(session, 'update_section', { operation: 'delete', sectionIndex: 3 })).code).toBe('stale')
  const coordinates: unknown = JSON.parse(JSON.stringify(session.coordinates()))
  const resumed = sessionOn(doc, { coordinates })
  expect((await fail(resumed, 'update_section', { operation: 'delete', sectionIndex: 3 })).code).toBe('stale')
})

test('a section that another person has changed since it was read is not overwritten', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  const rival = replicaOf(doc, 9)
  typeBeside(rival, 'b text', ' and a sentence of Ada')
  sync(rival, doc)
  const replaced = { operation: 'replace', sectionIndex: 2, content: 'other' }
  expect((await fail(session, 'update_section', replaced)).code).toBe('stale')
  expect((await fail(session, 'update_section', { operation: 'delete', sectionIndex: 2 })).code).toBe('stale')
  await succeed(session, 'get_document', { sectionIndex: 2 })
  await succeed(session, 'update_section', replaced)
  expect(markdownOf(doc)).toContain('## B\n\nother\n\n## C')
})

test('what a rival types into blocks that wait to be rewritten is there once', async () => {
  const doc = documentOf('# T\n\nalpha one\n\nbeta two\n\ngamma three')
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  const rival = replicaOf(doc, 9)
  const input = { operation: 'replace', sectionIndex: 0, content: 'Intro:\n- a\n- b\n\nbeta two\n\ngamma three' }
  const json = JSON.stringify(input)
  const call = streamToolCall('update_section', session, { callId: 'c' })
  for (let end = 40; end < json.length; end += 4) {
    call?.show(json.slice(0, end))
    expect(markdownOf(doc).split('gamma')).toHaveLength(2)
    if (end < 48) {
      sync(doc, rival)
      typeBeside(rival, 'gamma', 'XYZ')
      sync(rival, doc)
    }
  }
  await executeToolCall('update_section', input, session, { callId: 'c' })
  expect(markdownOf(doc).split('XYZ').length).toBeLessThanOrEqual(5)
  expect(markdownOf(doc)).toContain('gammaXYZ')
})

test('of two equal blocks the one that was named is written, streamed or not', async () => {
  const doc = documentOf('same words here\n\nsame words here\n\nend')
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  const input = { block: 1, find: 'same words here', replace: 'quite other words than before' }
  const json = JSON.stringify(input)
  const call = streamToolCall('edit_document', session, { callId: 'c' })
  for (let end = 30; end < json.length; end += 4) call?.show(json.slice(0, end))
  expect((await executeToolCall('edit_document', input, session, { callId: 'c' })).ok).toBe(true)
  expect(markdownOf(doc)).toBe('same words here\n\nquite other words than before\n\nend')
})
