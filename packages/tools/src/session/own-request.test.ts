import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { call, documentOfNode, fail, markdownOf, sessionOn, succeed } from '../testing/test-document.ts'

const { nodes } = schema
const paragraph = (text: string, request?: string) => {
  const attributes = { id: 'agent', label: 'agent', kind: 'agent', requestId: request, state: 'sent' }
  const mention = request === undefined ? [] : [nodes.mention!.create(attributes)]
  return nodes.paragraph!.create(null, [...mention, schema.text(text)])
}

/** A session of the run that the last of these blocks has started: an earlier request is an ordinary block. */
function sessionOfRequest() {
  const doc = nodes.doc!.create(null, [
    paragraph('the first and the second'),
    paragraph(' look at the third', 'earlier'),
    paragraph(' add "x" after "second", bold "third", not fourth', 'own'),
  ])
  const ydoc = documentOfNode(doc)
  return { ydoc, session: sessionOn(ydoc, { request: 'own' }) }
}

describe("[RUN-28] the run's own request is no match for a search", () => {
  // Each call names a text that the request repeats: if the request counted, the text would be ambiguous or the request
  // changed.
  const calls: Record<string, unknown> = {
    edit_document: { find: 'second', replace: '2nd' },
    replace_text: { find: 'second', replace: '2nd' },
    insert_text: { position: { type: 'relative', anchor: 'second', placement: 'after' }, content: 'x' },
    insert_math: { position: { type: 'relative', anchor: 'second', placement: 'after' }, latex: 'x' },
    apply_formatting: { target: { type: 'text', find: 'second' }, format: { type: 'bold' } },
    suggest_replacement: { search: 'second', replaceWith: '2nd' },
    suggest_deletion: { search: 'second' },
    search_document: { query: 'second' },
  }

  test.each(Object.entries(calls))('%s', async (name, input) => {
    const { ydoc, session } = sessionOfRequest()
    const own = markdownOf(ydoc).split('\n').at(-1)
    const result = await call(session, name, input)
    expect(result).toMatchObject({ ok: true })
    if (name === 'search_document') expect(result.details).toMatchObject({ total: 1 })
    expect(markdownOf(ydoc).split('\n').at(-1)).toBe(own)
  })

  test('an earlier request is found; the own one is named if it alone has the text', async () => {
    const { session } = sessionOfRequest()
    await succeed(session, 'edit_document', { find: 'third', replace: '3rd' })
    for (const tool of ['edit_document', 'replace_text']) {
      const refused = await fail(session, tool, { find: 'fourth', replace: '4th' })
      expect(refused).toMatchObject({ code: 'not_found', hint: expect.stringContaining('your request') })
    }
  })

  test('text in front of its mention is found like any other, if anything follows the mention', async () => {
    const mention = paragraph(' fix this', 'own').firstChild!
    const text = (...parts: string[]) => parts.map((part) => (part === '@' ? mention : schema.text(part)))
    const sessionOf = (...parts: string[]) =>
      sessionOn(documentOfNode(nodes.doc!.create(null, [nodes.paragraph!.create(null, text(...parts))])), {
        request: 'own',
      })
    await succeed(sessionOf('teh bus ', '@', ' fix teh bus'), 'edit_document', { find: 'teh', replace: 'the' })
    const refused = await fail(sessionOf('fix teh bus ', '@'), 'edit_document', { find: 'teh', replace: 'the' })
    expect(refused.code).toBe('not_found')
  })

  test('its own block can be named', async () => {
    const { ydoc, session } = sessionOfRequest()
    const { hint } = await fail(session, 'edit_document', { find: 'fourth', replace: '4th' })
    const block = Number(/\[(\d+)\]/.exec(hint)?.[1])
    await succeed(session, 'edit_document', { block, find: 'fourth', replace: '4th' })
    expect(markdownOf(ydoc)).toContain('not 4th')
  })

  test('the tools above are those of the catalogue', () => {
    expect(catalogue.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(calls)))
  })
})
