import { schema } from '@copydesk/schema'
import { Fragment, Slice } from 'prosemirror-model'
import { EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { describe, expect, test } from 'vitest'
import { cleanPasted, replaceWithoutChangeMarks, withoutChangeMarks } from './typing.ts'

const deletion = schema.mark('deletion', { id: 'c1' })
const insertion = schema.mark('insertion', { id: 'c1' })
const comment = schema.mark('comment', { threadId: 't1' })
const bold = schema.mark('bold')
const text = (words: string, ...marks: Parameters<typeof schema.text>[1] & object) => schema.text(words, marks)
const line = [text('teh', deletion, bold), text('the', insertion, bold), text(' end', comment)]
const doc = schema.node('doc', null, [schema.node('paragraph', null, line)])
const plugins = [new Plugin({ appendTransaction: (_transactions, _before, after) => withoutChangeMarks(after) })]

function typeAt(from: number, to = from): [string, string[]][] {
  const start = EditorState.create({ doc, plugins })
  const placed = start.apply(start.tr.setSelection(TextSelection.create(doc, from, to)))
  const typing = replaceWithoutChangeMarks(placed, from, to, 'x') ?? placed.tr.insertText('x')
  const typed = placed.applyTransaction(typing).state
  const again = typed.applyTransaction(typed.tr.insertText('y')).state
  const runs: [string, string[]][] = []
  again.doc.descendants((node) => {
    if (node.isText) runs.push([node.text ?? '', node.marks.map(({ type }) => type.name)])
  })
  return runs
}

describe('typePlain', () => {
  test('typing inside of suggested text belongs to nobody’s suggestion, and keeps the formatting', () => {
    expect(typeAt(2)).toContainEqual(['xy', ['bold']])
    expect(typeAt(5)).toContainEqual(['xy', ['bold']])
    expect(typeAt(2, 3)).toContainEqual(['xy', ['bold']])
  })

  test('between the two sides of a replacement, too', () => {
    expect(typeAt(4)).toContainEqual(['xy', ['bold']])
  })

  test('typing inside of commented text stays commented', () => {
    expect(typeAt(9)).toContainEqual([' exynd', ['comment']])
  })
})

describe('cleanPasted', () => {
  const slice = new Slice(Fragment.from(line), 0, 0)
  const none = { changes: new Map(), threads: new Map() }
  const all = { changes: new Map([['c1', 0]]), threads: new Map([['t1', 0]]) }
  const texts = ({ content }: Slice) =>
    content.content.map((node) => [node.text, node.marks.map(({ type }) => type.name)])

  test('a copy is the text as it would be, without comments and suggestions', () => {
    expect(texts(cleanPasted(slice, all))).toEqual([
      ['the', ['bold']],
      [' end', []],
    ])
  })

  test('what was cut comes back as it was', () => {
    expect(cleanPasted(slice, none).content.eq(slice.content)).toBe(true)
  })

  test('a copy of nothing but deleted text is that text', () => {
    const deleted = new Slice(Fragment.from(text('teh', deletion)), 0, 0)
    expect(texts(cleanPasted(deleted, all))).toEqual([['teh', []]])
  })

  test('blocks and atoms lose the ids that are elsewhere', () => {
    const suggestion = JSON.stringify([
      { id: 'c1', operation: 'insert' },
      { id: 'c9', operation: 'delete' },
    ])
    const image = schema.node('image', { src: '/cat.png', suggestion, threads: 't1 t9' })
    const [cleaned] = cleanPasted(new Slice(Fragment.from([image, ...line]), 0, 0), all).content.content
    expect(cleaned?.attrs).toMatchObject({
      threads: 't9',
      suggestion: JSON.stringify([{ id: 'c9', operation: 'delete' }]),
    })
  })
})
