import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import type { ReviewHost } from '../../session/host/host.ts'
import { headlessOn, selectionOf } from '../../testing/headless.ts'
import { documentOf, fail, markdownOf, plain, sessionOn, succeed, textHolding } from '../../testing/test-document.ts'

type Stored = { anchor: string; head: string; color: string; createdAt: string; expiresAt?: string }

function highlights(room: Y.Doc): Record<string, Stored> {
  return room.getMap('highlights').toJSON() as Record<string, Stored>
}

/** The text between two stored positions in one text type. */
function between(doc: Y.Doc, { anchor, head }: { anchor: string; head: string }): string {
  const [from, to] = [anchor, head].map((each) => {
    const bytes = Uint8Array.from(atob(each), (character) => character.charCodeAt(0))
    return Y.createAbsolutePositionFromRelativePosition(Y.decodeRelativePosition(bytes), doc)
  })
  return from?.type instanceof Y.XmlText ? plain(from.type).slice(from.index, to?.index) : ''
}

describe('highlight_text', () => {
  test('shows a text in the room and leaves the document alone', async () => {
    const { doc, room, session } = headlessOn('The **quick** fox.')
    const before = Y.encodeStateAsUpdate(doc)
    const result = await succeed(session, 'highlight_text', { search: 'quick fox', color: 'green', duration: 5_000 })
    expect(Y.encodeStateAsUpdate(doc)).toEqual(before)
    expect(result.text).toBe('Highlighted "quick fox" in block [0] in green.')
    expect(result.summary).toBe('Highlighted "quick fox"')
    const [[id, stored] = []] = Object.entries(highlights(room))
    expect(result.details).toEqual({ highlightId: id, block: 0, color: 'green' })
    expect(stored).toMatchObject({
      id,
      color: 'green',
      author: { id: 'ada', name: 'Ada', kind: 'person' },
      invokedBy: 'ada',
      createdAt: '2026-01-02T03:04:05.000Z',
      expiresAt: '2026-01-02T03:04:10.000Z',
    })
    expect(stored && between(doc, stored)).toBe('quick fox')
    textHolding(doc, 'quick').insert(0, 'See: ')
    expect(stored && between(doc, stored)).toBe('quick fox')
    expect(markdownOf(doc)).toBe('See: The **quick** fox.')
  })

  test('is yellow and stays by default; the same call made again is the same highlight', async () => {
    const { room, session } = headlessOn('one two')
    for (const callId of ['run/1', 'run/1', 'run/2']) {
      await executeToolCall('highlight_text', { search: 'two' }, session, { callId })
    }
    const stored = Object.values(highlights(room))
    expect(stored).toHaveLength(2)
    expect(stored[0]).toMatchObject({ color: 'yellow' })
    expect(stored[0]).not.toHaveProperty('expiresAt')
  })

  test('takes a block, an occurrence and the selection', async () => {
    const doc = documentOf('x and x\n\n![alt](/i.png)')
    const { room, session } = headlessOn(doc, { selection: () => selectionOf(doc, 'and') })
    await succeed(session, 'read_document')
    await succeed(session, 'highlight_text', { selection: true })
    await succeed(session, 'highlight_text', { block: 0 })
    await succeed(session, 'highlight_text', { search: 'x', occurrence: 'last' })
    expect((await succeed(session, 'highlight_text', { block: 1 })).details).toMatchObject({ block: 1 })
    const texts = Object.values(highlights(room)).map((each) => between(doc, each))
    expect(texts.toSorted()).toEqual(['', 'and', 'x', 'x and x'])
  })

  test('takes any colour and any duration from 100 ms, and can be removed', async () => {
    const { room, session } = headlessOn('one two')
    await succeed(session, 'highlight_text', { find: 'two', color: ' RebeccaPurple ', duration: 100 })
    expect(Object.values(highlights(room))[0]).toMatchObject({
      color: 'rebeccapurple',
      expiresAt: '2026-01-02T03:04:05.100Z',
    })
    const shown = await session.host?.highlight({ id: 'own', range: session.rangeAt(1, 4), color: '#fc0' })
    expect(Object.keys(highlights(room))).toContain('own')
    for (let times = 0; times < 2; times++) if (shown?.ok) await shown.remove()
    expect(Object.keys(highlights(room))).not.toContain('own')
  })

  test.each([
    ['no place', {}, 'invalid_input'],
    ['a colour that is not offered', { search: 'x', color: 'url(//evil.example)' }, 'invalid_input'],
    ['a duration too short', { search: 'x', duration: 99 }, 'invalid_input'],
    ['a duration too long', { search: 'x', duration: 31_536_000_001 }, 'invalid_input'],
    ['a text that is not there', { search: 'nothing like it' }, 'not_found'],
    ['several places', { search: 'x' }, 'ambiguous'],
    ['no selection', { selection: true }, 'no_selection'],
  ])('refuses %s', async (_title, input, code) => {
    const { room, session } = headlessOn('x and x')
    expect((await fail(session, 'highlight_text', input)).code).toBe(code)
    expect(highlights(room)).toEqual({})
  })
})

describe('scroll_to', () => {
  test('asks the host to scroll the caller to a block', async () => {
    const doc = documentOf('one\n\ntwo\n\n![alt](/i.png)')
    const { session } = headlessOn(doc)
    const { host } = session
    if (!host) throw new Error('no host')
    const asked: Parameters<ReviewHost['scrollTo']>[0][] = []
    const watched = sessionOn(doc, { host: { ...host, scrollTo: (target) => asked.push(target) } })
    await succeed(watched, 'read_document')
    const result = await succeed(watched, 'scroll_to', { block: '[1]' })
    expect(result.text).toBe("Asked Ada's browser to scroll to block [1].")
    await succeed(watched, 'scroll_to', { block: 2, select: true })
    expect(asked.map(({ select }) => select)).toEqual([false, true])
    const position = Y.createAbsolutePositionFromRelativePosition(
      Y.createRelativePositionFromJSON(asked[0]?.position),
      doc,
    )
    expect(position?.type).toBe(textHolding(doc, 'two'))
  })

  test('without anybody who looks it says so', async () => {
    const { session } = headlessOn('one')
    await succeed(session, 'read_document')
    expect((await succeed(session, 'scroll_to', { block: 0 })).text).toMatch(/^Nobody looks at this document/)
  })

  test.each([
    ['a block never shown', { block: 5 }, 'out_of_range'],
    ['no block', {}, 'invalid_input'],
  ])('refuses %s', async (_title, input, code) => {
    expect((await fail(headlessOn('one').session, 'scroll_to', input)).code).toBe(code)
  })

  test('both need a host', async () => {
    const session = sessionOn(documentOf('one'))
    expect((await fail(session, 'scroll_to', { block: 0 })).code).toBe('not_configured')
    expect((await fail(session, 'highlight_text', { search: 'one' })).code).toBe('not_configured')
  })
})
