import fc from 'fast-check'
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
  const [ana, ben] = [new Y.Doc(), new Y.Doc()]
  const fragment = ana.getXmlFragment('default')
  const undo = createUndoManager(fragment)
  ana.transact(() => fragment.insert(0, texts.map(block)), 'import')
  Y.applyUpdate(ben, Y.encodeStateAsUpdate(ana))
  const forwarder = forwardTyping(ana)
  const moveFirst = () =>
    ana.transact(() => {
      const first = fragment.get(0) as Y.XmlElement
      const copy = block(first.toArray().join(''))
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

type Step = 'type' | 'move' | 'ana receives' | 'ben receives'

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Step>('type') },
    { weight: 3, arbitrary: fc.constantFrom<Step>('ana receives', 'ben receives') },
    { weight: 1, arbitrary: fc.constant<Step>('move') },
  ),
  { minLength: 4, maxLength: 60 },
)

// Updates arrive late, but in order. Ben continues behind the letter that he typed last, or at the end of the text
// before it while it is missing, as his caret does. Returns his typed letters, and the final text of both.
function typeWhileItMoves(all: readonly Step[], before: string, after: string, clientIds: [number, number]) {
  const { ana, ben, moveFirst, shown } = setUp(before + after)
  ;[ana.clientID, ben.clientID] = clientIds
  const [toAna, toBen]: [Uint8Array[], Uint8Array[]] = [[], []]
  ben.on('update', (update: Uint8Array, origin: unknown) => void (origin !== 'ana' && toAna.push(update)))
  ana.on('update', (update: Uint8Array, origin: unknown) => void (origin !== 'ben' && toBen.push(update)))
  let typed = ''
  const letterAt = (index: number) => String.fromCharCode(0x4e00 + index)
  const type = () => {
    const block = ben.getXmlFragment('default').get(0) as Y.XmlElement
    if (block.length === 0) block.insert(0, [new Y.XmlText()])
    const texts = block.toArray() as Y.XmlText[]
    const last = Array.from(typed).findLast((letter) => block.toString().includes(letter)) ?? before
    const text = texts.find((each) => each.toString().includes(last))
    text?.insert(text.toString().indexOf(last) + last.length, letterAt(typed.length))
    typed += letterAt(typed.length)
  }
  const receive = (updates: Uint8Array[], doc: Y.Doc, origin: string) => {
    const update = updates.shift()
    if (update) Y.applyUpdate(doc, update, origin)
  }
  for (const step of all) {
    if (step === 'type') ben.transact(type)
    else if (step === 'move') moveFirst()
    else if (step === 'ana receives') receive(toAna, ana, 'ben')
    else receive(toBen, ben, 'ana')
  }
  while (toAna.length + toBen.length > 0) {
    receive(toAna, ana, 'ben')
    receive(toBen, ben, 'ana')
  }
  return { typed, shown: [shown(ana), shown(ben)] }
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

  test.each([
    ['in the middle', 'a', 'b'],
    ['at the beginning', '', 'b'],
    ['at the end', 'a', ''],
    ['in an empty block', '', ''],
  ])('[WRITE-1] what somebody goes on typing while the block moves keeps its order: %s', (_place, before, after) => {
    const game = fc.property(steps, fc.constantFrom<[number, number]>([1, 2], [2, 1]), (all, clientIds) => {
      const { typed, shown } = typeWhileItMoves(all, before, after, clientIds)
      const text = before + typed + after
      expect(shown).toEqual([[text], [text]])
    })
    fc.assert(game, { seed: Number(process.env.FUZZ_SEED ?? 1), numRuns: Number(process.env.FUZZ_RUNS ?? 300) })
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
