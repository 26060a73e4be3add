import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { documentInfo, summarizeOutline } from '../../context/document-info.ts'
import {
  documentOf,
  fail,
  markdownOf,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  textHolding,
} from '../../testing/test-document.ts'

const headed = '# Plan\n\nIntro.\n\n## Scope\n\nOld text.\n\n## Risks\n\nNone.'

describe('numbers that were shown work', () => {
  test('those of the outline and of the selection', async () => {
    const doc = documentOf(headed)
    const session = sessionOn(doc, { selection: () => undefined })
    const outline = summarizeOutline(session)
    expect(outline).toMatchObject({ ok: true, headings: [{ block: 0 }, { block: 2 }, { block: 4 }] })
    const position = { type: 'block', block: 2, placement: 'after' }
    const result = await succeed(session, 'insert_text', { position, content: 'More.' })
    expect(result.text).toBe('Inserted after block [2].\nNow:\n[6], new, after [2]: More.')
    expect(markdownOf(doc)).toContain('## Scope\n\nMore.\n\nOld')
    expect(documentInfo(session).ok).toBe(true)
    expect((await fail(session, 'edit_document', { block: 5, find: 'None', replace: 'x' })).code).toBe('out_of_range')
  })

  test('those of the sections, whose numbers also begin a read', async () => {
    const session = sessionOn(documentOf(headed), { limits: { readCharacters: 96 } })
    const { text } = await succeed(session, 'get_document', { from: 1 })
    expect(text).toContain('Section 1: Scope: 9 characters, from block [3] on')
    await succeed(session, 'edit_document', { block: 3, find: 'Old', replace: 'New' })
    expect((await succeed(session, 'read_document', { from: 3 })).text).toContain('[3] New text.\n[4] ## Risks')
  })

  test('the last block and the next one, where a read stops', async () => {
    const session = sessionOn(documentOf('one\n\ntwo\n\nthree'), { limits: { readCharacters: 8 } })
    expect((await succeed(session, 'read_document')).text).toContain(
      '[0] one\n\n(More follows: read_document {"from": 1}. The last block is [2].)',
    )
    await succeed(session, 'edit_document', { block: 2, find: 'three', replace: '3' })
  })
})

describe('a block keeps its number', () => {
  test('after every kind of change of its own, which the result shows without another number', async () => {
    const doc = documentOf('# T\n\nalpha beta\n\ngamma')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const edited = await succeed(session, 'edit_document', { block: 1, find: 'beta', replace: 'BETA' })
    expect(edited.text).toBe('Replaced "beta" by "BETA" in block [1].\nNow:\n[1] alpha BETA')
    const format = { type: 'heading', level: 3 }
    const heading = await succeed(session, 'apply_formatting', { target: { type: 'block', block: 1 }, format })
    expect(heading.text).toContain('\nNow:\n[1] ### alpha BETA')
    const list = { target: { type: 'block', block: 2 }, format: { type: 'bulletList' } }
    expect((await succeed(session, 'apply_formatting', list)).text).toContain('\nNow:\n[2] - gamma')
    const rewritten = await succeed(session, 'edit_document', { block: 1, find: 'alpha BETA', replace: 'quite other' })
    expect(rewritten.text).toContain('[1] ### quite other')
    expect((await succeed(session, 'read_document')).text).toContain('[0] # T\n[1] ### quite other\n[2] - gamma')
  })

  test('in mode suggest, where another kind of block is a new block beside the old one', async () => {
    const session = sessionOn(documentOf('alpha\n\nbeta'), { mode: 'suggest' })
    await succeed(session, 'read_document')
    const target = { type: 'block', block: 0 }
    const result = await succeed(session, 'apply_formatting', { target, format: { type: 'heading', level: 2 } })
    expect(result.text).toContain('[0] ## alpha')
  })

  test('when a section is rewritten: kept blocks keep theirs, new ones are new', async () => {
    const session = sessionOn(documentOf(headed))
    await succeed(session, 'read_document')
    const content = 'Old text, longer.\n\nAn added paragraph.'
    const result = await succeed(session, 'update_section', { operation: 'replace', sectionIndex: 1, content })
    expect(result.text).toContain('[3] Old text, longer.\n[6], new, after [3]: An added paragraph.')
  })

  test('after get_document alone new numbers are above all others', async () => {
    const session = sessionOn(documentOf(headed))
    await succeed(session, 'get_document')
    const content = 'Old text.\n\nMore.'
    const result = await succeed(session, 'update_section', { operation: 'replace', sectionIndex: 1, content })
    expect(result.text).toContain('\nNow:\n[6], new, after [3]: More.')
    expect((await succeed(session, 'read_document')).text).toContain(
      '[3] Old text.\n[6] More.\n[4] ## Risks\n[5] None.',
    )
  })

  test('also while other blocks come and go before it', async () => {
    const doc = documentOf('a1\n\nb2\n\nc3')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('by Bob')])
    doc.getXmlFragment(contentTypes.fragment).insert(0, [paragraph])
    const { text } = await succeed(session, 'read_document')
    expect(text).toContain('[3] by Bob\n[0] a1\n[1] b2\n[2] c3')
    expect(text).toContain('(Numbers are names of blocks, not positions')
    expect((await succeed(session, 'read_document', { from: 1 })).text).toContain('[1] b2\n[2] c3')
  })

  test('when others rewrite it: the old number is stale until the block is shown again', async () => {
    const doc = documentOf('The cat sat.\n\nend')
    const rival = replicaOf(doc, 7)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const text = textHolding(rival, 'cat')
    text.delete(0, text.length)
    text.insert(0, 'Dogs run.')
    sync(doc, rival)
    expect((await fail(session, 'edit_document', { block: 0, find: 'Dogs', replace: 'x' })).code).toBe('stale')
    expect((await succeed(session, 'search_document', { query: 'dogs' })).text).toContain('[0] Dogs run.')
    await succeed(session, 'edit_document', { block: 0, find: 'Dogs', replace: 'Cats' })
  })

  test('in a resumed run, where new numbers stay above all others', async () => {
    const doc = documentOf('a\n\nb\n\nc')
    const first = sessionOn(doc)
    await succeed(first, 'insert_text', { position: { type: 'absolute', location: 'end' }, content: 'd' })
    const coordinates: unknown = JSON.parse(JSON.stringify(first.coordinates()))
    const resumed = sessionOn(doc, { coordinates })
    const result = await succeed(resumed, 'insert_text', {
      position: { type: 'absolute', location: 'end' },
      content: 'e',
    })
    expect(result.text).toContain('[4], new, after [3]: e')
    expect((await succeed(resumed, 'read_document')).text).toContain('[0] a\n[1] b\n[2] c\n[3] d\n[4] e')
  })

  test('unless it is deleted: no other block gets its number', async () => {
    const session = sessionOn(documentOf('a\n\nb\n\nc'))
    await succeed(session, 'read_document')
    await succeed(session, 'edit_document', { block: 1, find: 'b', replace: '' })
    await succeed(session, 'insert_text', { position: { type: 'absolute', location: 'end' }, content: 'd' })
    expect((await succeed(session, 'read_document')).text).toContain('[0] a\n[2] c\n[3] d')
    expect((await succeed(session, 'read_document', { from: 1 })).text).toContain('[2] c')
  })
})
