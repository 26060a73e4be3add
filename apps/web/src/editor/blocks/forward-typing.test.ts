import { describe, expect, test } from 'vitest'
import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { createUndoManager } from '../typing/undo.ts'
import { forwardTyping } from './move-blocks.ts'

function block(text: string): Y.XmlElement {
  const element = new Y.XmlElement('paragraph')
  if (text) element.insert(0, [new Y.XmlText(text)])
  return element
}

function textOf(element: unknown): Y.XmlText {
  return (element as Y.XmlElement).get(0) as Y.XmlText
}

// Ana moves the first block to the end; Ben receives the update only when `sync` is called.
function setUp(...texts: string[]) {
  const ana = new Y.Doc()
  const ben = new Y.Doc()
  const fragment = ana.getXmlFragment('default')
  const undo = createUndoManager(fragment)
  ana.transact(() => fragment.insert(0, texts.map(block)), 'import')
  Y.applyUpdate(ben, Y.encodeStateAsUpdate(ana))
  const forwarder = forwardTyping(ana)
  const moveFirst = () =>
    ana.transact(() => {
      const first = fragment.get(0) as Y.XmlElement
      const copy = block(first.length === 0 ? '' : textOf(first).toString())
      fragment.insert(fragment.length, [copy])
      fragment.delete(0)
    }, ySyncPluginKey)
  const sync = () => {
    Y.applyUpdate(ana, Y.encodeStateAsUpdate(ben, Y.encodeStateVector(ana)), 'ben')
    Y.applyUpdate(ben, Y.encodeStateAsUpdate(ana, Y.encodeStateVector(ben)), 'ana')
  }
  const shown = (doc: Y.Doc) =>
    doc
      .getXmlFragment('default')
      .toArray()
      .map((element) => element.toString().replace(/<[^>]+>/g, ''))
  return { ana, ben, forwarder, undo, moveFirst, sync, shown, theirs: ben.getXmlFragment('default') }
}

describe('forwardTyping', () => {
  test('[WRITE-3] text typed into a moved block before the move arrived is in the copy, where it was typed', () => {
    const { ana, ben, moveFirst, sync, shown, theirs } = setUp('hello world', 'other')
    moveFirst()
    textOf(theirs.get(0)).insert(5, ' big')
    textOf(theirs.get(0)).insert(9, ' blue')
    textOf(theirs.get(0)).insert(0, '>')
    sync()
    expect(shown(ana)).toEqual(['other', '>hello big blue world'])
    expect(shown(ben)).toEqual(['other', '>hello big blue world'])
  })

  test('text typed there later is forwarded too, also letter by letter', () => {
    const { ana, ben, moveFirst, shown, theirs } = setUp('abc', 'other')
    moveFirst()
    for (const [index, letter] of 'defgh'.split('').entries()) {
      textOf(theirs.get(0)).insert(3 + index, letter)
      Y.applyUpdate(ana, Y.encodeStateAsUpdate(ben, Y.encodeStateVector(ana)), 'ben')
    }
    expect(shown(ana)).toEqual(['other', 'abcdefgh'])
  })

  test('text typed into an empty moved block is kept', () => {
    const { ana, ben, moveFirst, sync, shown, theirs } = setUp('', 'other')
    moveFirst()
    ;(theirs.get(0) as Y.XmlElement).insert(0, [new Y.XmlText('new words')])
    sync()
    expect(shown(ana)).toEqual(['other', 'new words'])
    expect(shown(ben)).toEqual(shown(ana))
  })

  test('undoing the move does not undo forwarded text', () => {
    const { ana, undo, moveFirst, sync, shown, theirs } = setUp('hello', 'other')
    moveFirst()
    textOf(theirs.get(0)).insert(5, ' there')
    sync()
    undo.undo()
    expect(shown(ana).join('|')).toContain(' there')
  })

  test('[WRITE-10] text typed into a block that an edit replaces by another kind of block, or joins to another, is forwarded', () => {
    const { ana, ben, sync, shown, theirs } = setUp('first', 'same', 'same')
    const fragment = ana.getXmlFragment('default')
    ana.transact(() => {
      fragment.delete(1, 2)
      const heading = new Y.XmlElement('heading')
      heading.insert(0, [new Y.XmlText('same')])
      fragment.insert(1, [heading])
      textOf(fragment.get(0)).insert(5, ' same')
    }, ySyncPluginKey)
    textOf(theirs.get(1)).insert(4, '!')
    textOf(theirs.get(2)).insert(0, '?')
    sync()
    expect(shown(ana)).toEqual(['first ?same', 'same!'])
    expect(shown(ben)).toEqual(shown(ana))
  })

  test('nothing is forwarded after it was closed', () => {
    const { ana, forwarder, moveFirst, sync, shown, theirs } = setUp('hello', 'other')
    moveFirst()
    forwarder.close()
    forwarder.close()
    textOf(theirs.get(0)).insert(5, ' there')
    sync()
    expect(shown(ana)).toEqual(['other', 'hello'])
  })
})
