import { ySyncPluginKey } from 'y-prosemirror'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createUndoManager } from './undo.ts'

function setUp() {
  const doc = new Y.Doc()
  const fragment = doc.getXmlFragment('default')
  const undo = createUndoManager(fragment)
  const type = (write: () => void) => doc.transact(write, ySyncPluginKey)
  const block = (name: string, content: string) => {
    const element = new Y.XmlElement(name)
    element.insert(0, [new Y.XmlText(content)])
    return element
  }
  return { doc, fragment, undo, type, block }
}

describe('createUndoManager', () => {
  test('keeps the last block, so that redo finds it again', () => {
    const { fragment, undo, type, block } = setUp()
    type(() => fragment.insert(0, [block('paragraph', 'one'), block('paragraph', 'two')]))
    undo.undo()
    expect(fragment.length).toBe(1)
    expect(fragment.toJSON()).not.toContain('one')
    undo.redo()
    expect(fragment.toJSON()).toContain('one')
    expect(fragment.toJSON()).toContain('two')
  })

  test('keeps a heading that another person has written in', () => {
    const { doc, fragment, undo, type, block } = setUp()
    type(() => fragment.insert(0, [block('paragraph', 'first')]))
    undo.stopCapturing()
    const heading = block('heading', 'mine')
    type(() => fragment.insert(1, [heading]))
    doc.transact(() => (heading.get(0) as Y.XmlText).insert(0, 'theirs '), 'somebody else')
    undo.undo()
    expect(fragment.toJSON()).toContain('theirs')
    expect(fragment.toJSON()).not.toContain('mine')
  })

  test('does not take back what was kept out of history', () => {
    const { doc, fragment, undo, type, block } = setUp()
    type(() => fragment.insert(0, [block('paragraph', 'one')]))
    doc.transact((transaction) => {
      transaction.meta.set('addToHistory', false)
      fragment.insert(1, [block('paragraph', 'sent')])
    }, ySyncPluginKey)
    undo.undo()
    expect(fragment.toJSON()).toContain('sent')
  })
})
