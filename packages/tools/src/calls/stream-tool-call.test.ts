import { contentTypes, readChanges, resolveChanges } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { executeToolCall } from './execute-tool-call.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentSessionOptions } from '../session/host/session-options.ts'
import {
  documentOf,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  textHolding,
  typeBeside,
} from '../testing/test-document.ts'
import { streamToolCall } from './stream-tool-call.ts'

const source = '# Plan\n\nFirst paragraph stays.\n\nThe old text of the second one is here.\n\n## Next\n\nmore\n\nlast'

type Scene = { doc: Y.Doc; session: DocumentSession; seen: string[] }

/** Streams a call in pieces of a few characters; after each, calls `meanwhile` with the number of shown characters. */
function stream(
  name: string,
  input: Record<string, unknown>,
  { doc, session, seen }: Scene,
  meanwhile: (share: number) => void = () => undefined,
): void {
  const json = JSON.stringify(input)
  const call = streamToolCall(name, session, { callId: 'c1' })
  for (let end = 0; end < json.length; end += 7) {
    call?.show(json.slice(0, end))
    const now = markdownOf(doc)
    if (seen.at(-1) !== now) seen.push(now)
    meanwhile(end / json.length)
  }
}

function scene(options: Partial<DocumentSessionOptions> = {}, markdown = source): Scene {
  const doc = documentOf(markdown)
  return { doc, session: sessionOn(doc, options), seen: [] }
}

/** The result of the same call on the same document without streaming. */
async function plainly(name: string, input: Record<string, unknown>, options: Partial<DocumentSessionOptions> = {}) {
  const { doc, session } = scene(options)
  await succeed(session, 'read_document')
  const result = await executeToolCall(name, input, session, { callId: 'c1' })
  return { markdown: markdownOf(doc), result, accepted: acceptedOf(doc) }
}

function acceptedOf(doc: Y.Doc): string {
  return serializeMarkdown(resolveChanges(readNode(doc), 'accepted'))
}

const insertion = {
  position: { type: 'relative', anchor: 'First paragraph stays.', placement: 'after' },
  content:
    '\n\nA new one that **grows** word by word.\n\n- an item\n- another\n\n| a | b |\n| - | - |\n| c | d |\n\nEnd.',
}
const edit = {
  find: 'The old text of the second one is here.',
  replace: 'The brand new text of the second part is here.',
}
const section = { operation: 'append', title: 'Added', content: 'Some words here.\n\n1. one\n2. two\n\nAnd an end.' }
const replaced = { operation: 'replace', sectionIndex: 1, content: 'quite another text\n\nlast\n\nand more' }
const calls = [
  ['insert_text', insertion],
  ['edit_document', edit],
  ['update_section', section],
  ['update_section', replaced],
] as const

describe('a call that is still being written', () => {
  test.each(calls)(
    '[STREAM-1] %s grows in the document and ends as if it had been made at once',
    async (name, input) => {
      const here = scene()
      await succeed(here.session, 'read_document')
      stream(name, input, here)
      expect(here.seen.length).toBeGreaterThan(3)
      const result = await executeToolCall(name, input, here.session, { callId: 'c1' })
      const expected = await plainly(name, input)
      expect(markdownOf(here.doc)).toBe(expected.markdown)
      expect(result).toEqual(expected.result)
    },
  )

  test.each(calls)(
    '[STREAM-3] %s that is taken back leaves what was there, and the same types',
    async (name, input) => {
      const here = scene()
      await succeed(here.session, 'read_document')
      const before = readNode(here.doc).toJSON()
      const types = here.doc.getXmlFragment(contentTypes.fragment).toArray()
      const call = streamToolCall(name, here.session, { callId: 'c1' })
      const json = JSON.stringify(input)
      for (let end = 0; end < json.length; end += 5) call?.show(json.slice(0, end))
      expect(readNode(here.doc).toJSON()).not.toEqual(before)
      expect(here.doc.getMap(contentTypes.receipts).size).toBe(1)
      call?.revert()
      call?.revert()
      expect(readNode(here.doc).toJSON()).toEqual(before)
      const kept = here.doc
        .getXmlFragment(contentTypes.fragment)
        .toArray()
        .filter((type) => types.includes(type))
      if (name === 'insert_text') expect(kept).toHaveLength(types.length)
      expect(here.doc.getMap(contentTypes.receipts).size).toBe(0)
    },
  )

  test.each(calls)(
    '[STREAM-5] %s as suggested changes: rejecting them gives back the document, accepting the edit',
    async (name, input) => {
      const here = scene({ mode: 'suggest' })
      await succeed(here.session, 'read_document')
      const before = readNode(here.doc)
      stream(name, input, here, () => {
        expect(resolveChanges(readNode(here.doc), 'original').toJSON()).toEqual(before.toJSON())
      })
      const result = await executeToolCall(name, input, here.session, { callId: 'c1' })
      expect(result.ok).toBe(true)
      expect(acceptedOf(here.doc)).toBe((await plainly(name, input)).accepted)
      expect(resolveChanges(readNode(here.doc), 'original').toJSON()).toEqual(before.toJSON())
    },
  )

  test('[STREAM-1] shows no half words, no open markup and no pieces of a table', () => {
    const here = scene()
    stream('insert_text', insertion, here)
    for (const markdown of here.seen) {
      expect(markdown).not.toMatch(/\\\*|\*\*gr(?!ows\*\*)|\\\||\bwo\b/)
    }
  })

  test('[STREAM-2] text that others type meanwhile stays, next to it and in it', async () => {
    const here = scene()
    await succeed(here.session, 'read_document')
    const rival = replicaOf(here.doc, 99)
    const pending: [string, string][] = [
      ['A new one', ' mine'],
      ['more', ' and yours'],
    ]
    stream('insert_text', insertion, here, () => {
      sync(here.doc, rival)
      const [next] = pending
      if (!next || !markdownOf(rival).includes('A new one')) return
      typeBeside(rival, ...next)
      pending.shift()
      sync(here.doc, rival)
    })
    expect(pending).toEqual([])
    const result = await executeToolCall('insert_text', insertion, here.session, { callId: 'c1' })
    expect(result.ok).toBe(true)
    sync(here.doc, rival)
    const expected = (await plainly('insert_text', insertion)).markdown
      .replace('A new one', 'A new one mine')
      .replace('more', 'more and yours')
    expect(markdownOf(here.doc)).toBe(expected)
    expect(markdownOf(rival)).toBe(expected)
  })

  test('[STREAM-3] what others typed into it stays when it is taken back', async () => {
    const here = scene()
    await succeed(here.session, 'read_document')
    const rival = replicaOf(here.doc, 99)
    const call = streamToolCall('insert_text', here.session, { callId: 'c1' })
    const json = JSON.stringify(insertion)
    call?.show(json.slice(0, -30))
    sync(here.doc, rival)
    typeBeside(rival, 'A new one', ' mine')
    sync(here.doc, rival)
    call?.revert()
    sync(here.doc, rival)
    expect(markdownOf(here.doc)).toBe(source.replace('stays.', 'stays.\n\n&#x20;mine'))
  })

  test('[STREAM-3] a call that turns out invalid is taken back', async () => {
    const here = scene()
    await succeed(here.session, 'read_document')
    const before = markdownOf(here.doc)
    const good = JSON.stringify(insertion)
    const call = streamToolCall('insert_text', here.session, { callId: 'c1' })
    call?.show(good.slice(0, -10))
    expect(markdownOf(here.doc)).not.toBe(before)
    const result = await executeToolCall('insert_text', { ...insertion, as: 'sideways' }, here.session, {
      callId: 'c1',
    })
    expect(result.ok).toBe(false)
    expect(markdownOf(here.doc)).toBe(before)
  })

  test('[STREAM-7] where others change the very place, the call is made on what is there then', async () => {
    const here = scene()
    await succeed(here.session, 'read_document')
    const rival = replicaOf(here.doc, 99)
    stream('edit_document', edit, here, (share) => {
      if (share < 0.6 || markdownOf(rival).includes('old NEW')) return
      sync(here.doc, rival)
      if (markdownOf(rival).includes('of the second one')) typeBeside(rival, 'second one', ' NEW')
      sync(here.doc, rival)
    })
    await executeToolCall('edit_document', edit, here.session, { callId: 'c1' })
    sync(here.doc, rival)
    expect(markdownOf(here.doc)).toContain('NEW')
    expect(markdownOf(here.doc)).toBe(markdownOf(rival))
  })

  test('[STREAM-6] text that old and new have in common keeps its characters', async () => {
    const here = scene()
    await succeed(here.session, 'read_document')
    const rival = replicaOf(here.doc, 99)
    stream('edit_document', edit, here)
    await executeToolCall('edit_document', edit, here.session, { callId: 'c1' })
    // Typed on a replica that has received none of the stream, at an unchanged word: it must end up next to that word.
    typeBeside(rival, 'is here', ' still')
    sync(here.doc, rival)
    expect(markdownOf(here.doc)).toContain('The brand new text of the second part is here still.')
  })

  test('[STREAM-5] nothing is shown in mode ask', () => {
    const here = scene({ mode: 'ask' })
    stream('insert_text', insertion, here)
    expect(here.seen).toEqual([source])
  })

  test('says what a block read before the call, with what was done to it since the call began', async () => {
    const here = scene()
    await succeed(here.session, 'read_document')
    stream('edit_document', edit, here)
    typeBeside(here.doc, 'is here', ' still')
    const result = await executeToolCall('edit_document', edit, here.session, { callId: 'c1' })
    const before = 'The old text of the second one is here still.'
    expect(result.details).toMatchObject({ blocks: [{ before }] })
  })

  test('[STREAM-3] a reverted suggestion leaves no mark on the earlier text, no matter who typed into it', async () => {
    const here = scene({ mode: 'suggest' }, 'THE END')
    await succeed(here.session, 'read_document')
    const input = { position: { type: 'relative', anchor: 'THE END', placement: 'before' }, content: 'This is nearly ' }
    const call = streamToolCall('insert_text', here.session, { callId: 'c1' })
    call?.show(JSON.stringify({ ...input, content: 'This is nearly all of ' }).slice(0, -3))
    const text = textHolding(here.doc, 'This is')
    // As an editor does: typed text takes no mark, and the following text has it again.
    text.insert(5, 'KEEP ', { insertion: null })
    call?.revert()
    expect(readNode(here.doc).textContent).toBe('KEEP THE END')
    expect(readChanges(readNode(here.doc))).toEqual([])
  })
})
