import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { ToolLimits } from '../../common/limits.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import { documentNode, suggested } from '../../testing/suggested.ts'
import {
  documentOf,
  documentOfNode,
  fail,
  plain,
  sessionOn,
  succeed,
  textHolding,
} from '../../testing/test-document.ts'

// A session whose caller's selection spans from the start of one text to the end of another.
function selecting(doc: Y.Doc, first: string, last = first, limits: Partial<ToolLimits> = {}): DocumentSession {
  const start = textHolding(doc, first)
  const end = textHolding(doc, last)
  const anchor = Y.createRelativePositionFromTypeIndex(start, plain(start).indexOf(first))
  const head = Y.createRelativePositionFromTypeIndex(end, plain(end).indexOf(last) + last.length)
  return sessionOn(doc, { selection: () => ({ anchor: head, head: anchor }), limits })
}

describe('read_selection', () => {
  test('shows the text, its block, formatting and the text around it', async () => {
    const doc = documentOf('before\n\n- one **[two](https://example.org) three** four\n\nafter')
    const result = await succeed(selecting(doc, 'two'), 'read_selection')
    expect(result.details).toEqual({
      selectedText: 'two',
      block: 1,
      blockText: 'one two three four',
      formatting: [
        { type: 'link', href: 'https://example.org' },
        { type: 'bold' },
        { type: 'paragraph' },
        { type: 'bulletList' },
      ],
      before: 'before\none ',
      after: ' three four\nafter',
    })
    expect(result.text).toContain('Selected in block [1]: "two"')
    expect(result.text).toContain('Formatting: link to https://example.org, bold, paragraph, bulletList')
  })

  test('over several blocks: formats that all of it has, and the last block', async () => {
    const doc = documentOf('## A *head*\n\nmid\n\nend here')
    const result = await succeed(selecting(doc, 'head', 'end'), 'read_selection')
    expect(result.details).toMatchObject({
      selectedText: 'head\nmid\nend',
      block: 0,
      lastBlock: 2,
      formatting: [{ type: 'heading', level: 2 }],
      before: 'A ',
      after: ' here',
    })
    await succeed(selecting(doc, 'head', 'end'), 'edit_document', { find: 'end here', replace: 'end' })
  })

  test('without one it says so, and where the caret is', async () => {
    const none = await fail(sessionOn(documentOf('a')), 'read_selection')
    expect(none).toMatchObject({ code: 'no_selection', message: 'Ada has nothing selected.' })
    expect(none.hint).toContain('Ask them to select')
    const doc = documentOf('a\n\nbc')
    const caret = Y.createRelativePositionFromTypeIndex(textHolding(doc, 'bc'), 1)
    const session = sessionOn(doc, { selection: () => ({ anchor: caret, head: caret }) })
    expect((await fail(session, 'read_selection')).message).toContain('The caret is in block [1]')
  })

  test('a long one is cut at the limit', async () => {
    const doc = documentOf(`${'long '.repeat(60)}end`)
    const { details, text } = await succeed(selecting(doc, 'long', 'end', { readCharacters: 100 }), 'read_selection')
    expect(details).toMatchObject({ selectedText: `${'long '.repeat(20)}…`, truncated: true })
    expect(text).toContain('read_document {"from": 0}')
  })

  test('context stops after 200 characters', async () => {
    const { details } = await succeed(
      selecting(documentOf(`${'x'.repeat(500)}mid${'y'.repeat(500)}`), 'mid'),
      'read_selection',
    )
    expect(details).toMatchObject({ before: 'x'.repeat(200), after: 'y'.repeat(200) })
  })

  test('what a suggestion deletes is left out; if that is all, it says so', async () => {
    const doc = documentOfNode(documentNode(suggested('keep -drop- end')))
    expect((await succeed(selecting(doc, 'keep', 'end'), 'read_selection')).details).toMatchObject({
      selectedText: 'keep  end',
    })
    const hidden = await fail(selecting(doc, 'drop'), 'read_selection')
    expect(hidden).toMatchObject({
      code: 'no_selection',
      message: 'The selected text is what a suggested change deletes: "drop".',
    })
  })
})
