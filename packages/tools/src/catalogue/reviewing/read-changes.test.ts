import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import type { HostAuthor, ReviewHost } from '../../session/host/host.ts'
import { documentNode, suggested, suggestion } from '../../testing/suggested.ts'
import { documentOf, documentOfNode, sessionOn, succeed } from '../../testing/test-document.ts'

const ada: HostAuthor = { id: 'ada', name: 'Ada', kind: 'person' }
const agent = { id: 'agent', name: 'Agent', kind: 'agent', run: 'run-1' } as const
const authors: Record<string, HostAuthor & { run?: string }> = { 'old-1': ada, 'new-1': agent, gone: ada }

// Only the methods that the tool calls.
const host = { authorOfChange: (id: string) => authors[id] } as ReviewHost

const sample = documentNode(
  suggested('a -old- b'),
  suggested('-Gone-', suggestion('delete', 'Gone-1')),
  suggested('c +new+ d'),
)

describe('read_changes', () => {
  test('lists changes in order with block, old and new text and author', async () => {
    const session = sessionOn(documentOfNode(sample), { host })
    const result = await succeed(session, 'read_changes')
    expect(result.details).toEqual({
      total: 3,
      changes: [
        { id: 'old-1', type: 'deletion', block: 0, before: 'old', after: '', author: ada },
        { id: 'Gone-1', type: 'block', block: null, afterBlock: 0, before: 'Gone', after: '', author: null },
        { id: 'new-1', type: 'insertion', block: 1, before: '', after: 'new', author: agent },
      ],
    })
    expect(result.text).toBe(
      [
        '3 suggested changes:',
        '- old-1: deletion in block [0] by Ada (person): removes "old"',
        '- Gone-1: block after block [0] by an unknown person: removes "Gone"',
        '- new-1: insertion in block [1] by Agent (agent): adds "new"',
      ].join('\n'),
    )
    await succeed(session, 'edit_document', { block: 1, find: 'd', replace: 'e' })
  })

  test('says who else has written into a change', async () => {
    const mallory: HostAuthor = { id: 'mallory', name: 'Mallory', kind: 'person' }
    const both = { authorOfChange: () => ({ ...ada, alsoBy: [mallory, agent] }) } as Partial<ReviewHost> as ReviewHost
    const node = documentNode(suggested('a -old- b'))
    const { text, details } = await succeed(sessionOn(documentOfNode(node), { host: both }), 'read_changes')
    expect(text).toContain('by Ada (person), also written by Mallory (person), Agent (agent): removes "old"')
    expect(details).toMatchObject({ changes: [{ author: { id: 'ada', alsoBy: [mallory, agent] } }] })
  })

  test('author and type choose', async () => {
    const session = sessionOn(documentOfNode(sample), { host })
    const ids = async (input: object) => {
      const { details } = await succeed(session, 'read_changes', input)
      return (details as { changes: { id: string }[] }).changes.map(({ id }) => id)
    }
    expect(await ids({ author: 'ada' })).toEqual(['old-1'])
    expect(await ids({ author: 'agent' })).toEqual(['new-1'])
    expect(await ids({ author: 'person', type: 'insertion' })).toEqual([])
    expect(await ids({ type: 'block' })).toEqual(['Gone-1'])
    expect((await succeed(session, 'read_changes', { author: 'Bob' })).text).toContain(
      'Without these conditions there are 3',
    )
  })

  test('none is a success; without a host nobody is known', async () => {
    const none = await succeed(sessionOn(documentOf('a')), 'read_changes')
    expect(none).toMatchObject({ text: 'There are no such suggested changes.', details: { total: 0, changes: [] } })
    const { text } = await succeed(sessionOn(documentOfNode(sample)), 'read_changes')
    expect(text).toContain('by an unknown person')
  })

  test('stops at the limits with how many more', async () => {
    const many = documentNode(...Array.from({ length: 120 }, (_, i) => suggested(`x +n${i}+ y`)))
    const result = await succeed(sessionOn(documentOfNode(many)), 'read_changes')
    expect(result.details).toMatchObject({ total: 120, changes: { length: 100 } })
    expect(result.text).toMatch(/…and 20 more: read_changes \{"from": 101\}$/)
    const short = sessionOn(documentOfNode(many), { limits: { readCharacters: 200 } })
    expect((await succeed(short, 'read_changes')).text).toMatch(/…and 11\d more: read_changes/)
  })

  test('a list as a whole, and formatting', async () => {
    const bold = schema.mark('formattingChange', { id: 'f', mark: 'bold', previous: null })
    const item = schema.node('listItem', null, [
      schema.node('paragraph', null, schema.text('x', [schema.mark('bold'), bold])),
    ])
    const list = schema.node('bulletList', suggestion('insert', 'list'), [item])
    const { details } = await succeed(sessionOn(documentOfNode(documentNode(suggested('a'), list))), 'read_changes')
    expect(details).toMatchObject({
      changes: [
        { id: 'list', block: 1 },
        { id: 'f', type: 'formatting', block: 1 },
      ],
    })
  })
})

test('shows whole words, and one replacement as one change of type replacement', async () => {
  const doc = documentOf('A budget of $50k, impresed by there guide.')
  const session = sessionOn(doc, { mode: 'suggest' })
  await succeed(session, 'edit_document', { find: '$50k', replace: '$500k' })
  await succeed(session, 'edit_document', { find: 'by there guide', replace: 'by their guides' })
  const { text } = await succeed(session, 'read_changes')
  expect(text).toContain('replacement in block [0] by an unknown person: "$50k" → "$500k"')
  expect(text).toContain('"there guide" → "their guides"')
  expect(text).toContain('2 suggested changes')
})
