import { expect, test } from 'vitest'
import { documentOf, fail, markdownOf, sessionOn, succeed, typeBeside } from '../../testing/test-document.ts'
import { openHeadlessSession } from '../../headless/headless-session.ts'
import { createDocumentSession } from '../document-session.ts'

const source = '# Title\n\nintro\n\n## One\n\na\n\n## Two\n\nb'
const added = { position: { type: 'relative', anchor: 'intro', placement: 'after' }, content: '\n\n## New\n\nn' }
const replaceTwo = { operation: 'replace', sectionIndex: 2, content: 'changed' }
const changed = '# Title\n\nintro\n\n## New\n\nn\n\n## One\n\na\n\n## Two\n\nchanged'

test('the number of a section means what was shown, although others have put a section before it', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  await succeed(openHeadlessSession({ doc }), 'insert_text', added)
  await succeed(session, 'update_section', replaceTwo)
  expect(markdownOf(doc)).toBe(changed)
  // The result has shown the sections again: 3 is now the last one.
  await succeed(session, 'update_section', { ...replaceTwo, sectionIndex: 3, content: 'again' })
  expect(markdownOf(doc)).toBe(changed.replace('changed', 'again'))
})

test('it is kept with the run', async () => {
  const doc = documentOf(source)
  const first = sessionOn(doc)
  await succeed(first, 'get_document', { sectionIndex: 2 })
  const coordinates: unknown = JSON.parse(JSON.stringify(first.coordinates()))
  await succeed(openHeadlessSession({ doc }), 'insert_text', added)
  await succeed(sessionOn(doc, { coordinates }), 'update_section', replaceTwo)
  expect(markdownOf(doc)).toBe(changed)
})

test('a section whose heading is gone is stale; one that was never shown goes by its place', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  await succeed(openHeadlessSession({ doc }), 'update_section', { operation: 'delete', sectionIndex: 2 })
  expect((await fail(session, 'update_section', replaceTwo)).code).toBe('stale')
  expect((await fail(session, 'update_section', { ...replaceTwo, sectionIndex: 7 })).code).toBe('out_of_range')
  await succeed(sessionOn(doc), 'update_section', { ...replaceTwo, sectionIndex: 1 })
  expect(markdownOf(doc)).toBe('# Title\n\nintro\n\n## One\n\nchanged')
})

test('a heading that others reword still is the heading of its section', async () => {
  const doc = documentOf(source)
  const session = sessionOn(doc)
  await succeed(session, 'get_document')
  typeBeside(doc, 'Two', ' and more')
  await succeed(session, 'update_section', replaceTwo)
  expect(markdownOf(doc)).toContain('## Two and more\n\nchanged')
})

test('an image that takes its time lands in the section that was meant', async () => {
  const doc = documentOf(source)
  const other = openHeadlessSession({ doc })
  const host = other.host
  if (!host) throw new Error('no host')
  const session = createDocumentSession({
    doc,
    origin: {},
    mode: 'edit',
    caller: { id: 'ada', name: 'Ada' },
    people: () => [],
    selection: () => undefined,
    canEdit: true,
    host: {
      ...host,
      async storeImage() {
        await succeed(other, 'insert_text', added)
        return { ok: true, url: '/files/x.png' }
      },
    },
  })
  await succeed(session, 'insert_image', { sectionIndex: 1, imageUrl: 'https://x.org/x.png', imageDescription: 'x' })
  expect(markdownOf(doc)).toMatch(/## One\n\na\n\n!\[x\]/)
})
