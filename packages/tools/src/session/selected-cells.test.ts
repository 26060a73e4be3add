import { contentTypes } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { documentOf, markdownOf, sessionOn, succeed } from '../testing/test-document.ts'
import { caretAt } from './host/caret.ts'
import { createFragmentReader } from '../document/reader.ts'

const table = '| a1 | b1 | c1 |\n| --- | --- | --- |\n| a2 | b2 | c2 |\n| a3 | b3 | c3 |'

/** A session of a person who has selected from inside one cell to inside another, as an editor publishes cells. */
function sessionWith(anchor: string, head: string) {
  const ydoc = documentOf(`before\n\n${table}\n\nafter`)
  const fragment = ydoc.getXmlFragment(contentTypes.fragment)
  const reader = createFragmentReader(ydoc, fragment)
  const read = reader.read()
  if (!read.ok) throw new Error(read.message)
  const { view } = read
  const at = (text: string): Y.RelativePosition => {
    let pos = 0
    view.doc.descendants((node, position) => {
      if (node.text === text) pos = position
    })
    return Y.createRelativePositionFromJSON(caretAt(pos, view, fragment, reader).anchor)
  }
  const selection = { anchor: at(anchor), head: at(head) }
  return { ydoc, session: sessionOn(ydoc, { selection: () => selection }) }
}

describe('[RUN-30] selected cells are those between two corners', () => {
  // The corners in any order and direction represent the same rectangle.
  const corners: [string, string][] = [
    ['b1', 'c2'],
    ['c2', 'b1'],
    ['c1', 'b2'],
  ]
  test.each(corners)('from %s to %s', async (anchor, head) => {
    const { ydoc, session } = sessionWith(anchor, head)
    const { details } = await succeed(session, 'read_selection')
    expect(details).toMatchObject({ selectedText: 'b1\nc1\nb2\nc2' })
    await succeed(session, 'apply_formatting', { target: { type: 'selection' }, format: { type: 'bold' } })
    const bold = [...markdownOf(ydoc).matchAll(/\*\*(\w+)\*\*/g)].map(([, text]) => text)
    expect(bold).toEqual(['b1', 'c1', 'b2', 'c2'])
  })

  test('a replacement in the selection changes nothing in the cells between in reading order', async () => {
    const { ydoc, session } = sessionWith('b1', 'b3')
    await succeed(session, 'replace_text', { find: '[abc]', replace: 'x', isRegex: true, selection: true })
    expect(markdownOf(ydoc).match(/x\d/g)).toEqual(['x1', 'x2', 'x3'])
    expect(markdownOf(ydoc)).toContain('| a2 | x2 | c2 |')
  })

  test('text from outside of the table into it is one range', async () => {
    const { session } = sessionWith('before', 'b1')
    expect((await succeed(session, 'read_selection')).details).toMatchObject({ selectedText: 'before\na1\n' })
  })
})
