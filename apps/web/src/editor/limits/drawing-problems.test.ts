import { schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { drawingProblemOf } from './drawing-problems.ts'
import { findRuns } from './long-marks.ts'

const paragraph = (text: string) => schema.node('paragraph', null, schema.text(text))

function cell(attributes: Record<string, unknown> = {}): Node {
  return schema.node('tableCell', attributes, paragraph('x'))
}

function table(...rows: Node[][]): Node {
  return schema.node(
    'table',
    null,
    rows.map((cells) => schema.node('tableRow', null, cells)),
  )
}

const cells = (count: number, attributes?: Record<string, unknown>) =>
  Array.from({ length: count }, () => cell(attributes))
const sentence = 'Some words in a line, as people write them. '

test.each([
  ['a heading', schema.node('heading', { level: 2 }, schema.text('x'))],
  ['200,000 characters', paragraph(sentence.repeat(4500))],
  ['long Hebrew and English', paragraph('שלום and hello, מה נשמע. '.repeat(4000))],
  ['long Chinese', paragraph('图书馆是一个让陌生人并肩思考的房间，直到灯熄灭。'.repeat(4000))],
  ['long Arabic', paragraph('المكتبة غرفة تجمع الغرباء. '.repeat(5000))],
  ['long base64', schema.node('codeBlock', null, schema.text('QUJD'.repeat(40_000)))],
  ['a table of 5,000 rows', table(...Array.from({ length: 5000 }, () => cells(4)))],
  ['a table of 200 columns', table(cells(200), cells(200))],
  ['cells over several rows', table([cell({ rowspan: 3 }), cell()], [cell()], [cell()], cells(2))],
  ['a broken reference to a comment', schema.node('paragraph', { threads: 7, suggestion: {} })],
])('[WRITE-13] %s can be drawn', (_name, block) => {
  expect(drawingProblemOf(block)).toBeNull()
})

test.each([
  ['a cell over 1e9 columns', table([cell({ colspan: 1e9 })]), true],
  ['a cell over part of a column', table([cell({ colspan: 1.5 })]), true],
  ['cells that are wide together', table(cells(1000, { colspan: 200 })), false],
  [
    'cells that reach down beside each other',
    table(...Array.from({ length: 9 }, () => cells(1, { colspan: 200, rowspan: 9 }))),
    false,
  ],
  ['more than 30,000 cells', table(...Array.from({ length: 160 }, () => [cell({ colspan: 200 })])), false],
  ['more than 200,000 characters', paragraph(sentence.repeat(5000)), false],
  ['letters without end that all join', paragraph('ـ'.repeat(30_000)), false],
  ['a direction that turns at every letter', paragraph('aא'.repeat(25_000)), false],
  [
    'an attribute of a wrong type',
    schema.node('orderedList', { start: [] }, schema.node('listItem', null, paragraph('x'))),
    true,
  ],
])('[WRITE-13] %s can’t be drawn', (_name, block, canReset) => {
  expect(drawingProblemOf(block)).toMatchObject({ canReset })
})

test('[WRITE-13] a text is as long as what is drawn of it', () => {
  expect(drawingProblemOf(paragraph(`a${'\u0301'.repeat(300_000)}`))).toBeNull()
})

test('[WRITE-13] large numbers of combining marks are found where they are, whatever their format, and no others', () => {
  const marks = '\u0301'.repeat(50)
  const doc = schema.node('doc', null, [
    paragraph('one'),
    schema.node('paragraph', null, [
      schema.text(`a${marks}`),
      schema.text(marks, [schema.mark('bold')]),
      schema.text('b'),
      schema.node('mention', { label: 'x' }),
      schema.text(marks),
    ]),
    paragraph(`Zalgo h${'\u0335\u0321'.repeat(20)}e\u0301`),
  ])
  expect(findRuns(doc, 0, doc.content.size)).toEqual([{ from: 7, to: 107 }])
  expect(findRuns(doc, 0, 3)).toEqual([])
})
