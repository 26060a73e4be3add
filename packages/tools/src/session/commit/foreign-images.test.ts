import { contentTypes, createBindingMetadata, writeFragment } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import { createDocumentSession } from '../document-session.ts'

async function insert(content: string, options: { document?: string; named?: string } = {}) {
  const doc = new Y.Doc()
  const { doc: parsed } = parseMarkdown(options.document ?? 'text')
  writeFragment(doc.getXmlFragment(contentTypes.fragment), parsed, createBindingMetadata())
  const session = createDocumentSession({
    doc,
    origin: {},
    mode: 'edit',
    caller: { id: 'ana', name: 'Ana' },
    people: () => [],
    selection: () => undefined,
    canEdit: true,
    isNamed: (address) => address === options.named,
  })
  const position = { type: 'absolute', location: 'end' }
  const result = await executeToolCall('insert_text', { position, content }, session, { callId: 'call' })
  session.close()
  return result
}

const image = 'https://evil.example/pixel.png?secret'

test('an image from a server that nobody has named is denied, and nothing is written', async () => {
  expect(await insert(`![](${image})`)).toMatchObject({ ok: false, code: 'denied' })
  expect(await insert(`Some text.\n\n- with ![](//evil.example/x.png) inside`)).toMatchObject({
    ok: false,
    code: 'denied',
  })
})

test('an image that the caller or the document has named, or of this server, is fine', async () => {
  expect(await insert(`![](${image})`, { named: image })).toMatchObject({ ok: true })
  expect(await insert(`![](${image})`, { document: `![](${image})` })).toMatchObject({ ok: true })
  expect(await insert('![](/api/images/1.png)')).toMatchObject({ ok: true })
})

test.each(['/\\evil.example/?q=x', '/&#9;/evil.example/x', 'ht&#9;tps://evil.example/x', 'data:image/png;base64,AA'])(
  'an address that only a browser reads as foreign is foreign: %s',
  async (address) => {
    const result = await insert(`![](<${address}>)`)
    // Markdown that doesn't become an image counts as refused.
    const isText = result.ok && !/!\[/.test(result.text.replaceAll('!\\[', ''))
    expect(isText || (!result.ok && result.code === 'denied')).toBe(true)
  },
)
