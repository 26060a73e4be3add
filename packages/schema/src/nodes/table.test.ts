import { Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { serializeHtml } from '../html/serialize.ts'
import { parseMarkdown, serializeMarkdown } from '../markdown/index.ts'
import { decideChanges } from '../review/decide-changes.ts'
import { trackChanges } from '../review/track/track-changes.ts'
import { readChanges } from '../review/read-changes.ts'
import { columnWidths, setColumnWidths, spreadColumnWidths, tableSizes } from './table.ts'

const source = '| a | b |\n| - | - |\n| c | d |'

function withWidths(widths: readonly number[], markdown = source): Node {
  const transform = new Transform(parseMarkdown(markdown).doc)
  setColumnWidths(transform, 0, widths)
  return transform.doc
}

const table = (doc: Node): Node => doc.firstChild ?? doc

function widthsOfCells(doc: Node): unknown[] {
  return table(doc).children.map((row) => row.children.map(({ attrs }) => (attrs.colwidth as number[] | null)?.join()))
}

test('[TABLE-1] columns have their parts of the table, and the table its part of the text', () => {
  expect(tableSizes(table(withWidths([152, 304])))).toEqual({ table: '75%', columns: ['33.33%', '66.67%'] })
  expect(tableSizes(table(withWidths([608, 608])))?.table).toBe('200%')
  expect(tableSizes(table(parseMarkdown(source).doc))).toBeUndefined()
  expect(columnWidths(table(parseMarkdown(source).doc))).toEqual([])
})

test('[TABLE-1] exported HTML has the widths, Markdown has none', () => {
  expect(serializeHtml(withWidths([152, 304]))).toMatch(
    /^<table style="width: 75%"><colgroup><col style="width: 33.33%"><col style="width: 66.67%"><\/colgroup><tbody><tr><th>/,
  )
  expect(serializeMarkdown(withWidths([152, 304]))).toBe(`${source}\n`)
})

test('a column without a width, or with one of a hostile peer, has the mean of the others', () => {
  const { tableHeader, tableRow } = schema.nodes
  const cell = (colwidth: unknown, colspan = 1) => tableHeader?.createAndFill({ colwidth, colspan })
  const row = (...cells: unknown[]) => schema.node('table', null, tableRow?.create(null, cells as Node[]))
  expect(columnWidths(row(cell([100]), cell(null), cell([200])))).toEqual([100, 150, 200])
  expect(columnWidths(row(cell([100, 0, 200], 3), cell('x')))).toEqual([100, 150, 200, 150])
  expect(columnWidths(row(...Array.from({ length: 1001 }, () => cell([10]))))).toEqual([])
})

test('[TABLE-3] cells that are added get the width of their column; a table that fitted the text still does', () => {
  const doc = withWidths([200, 408])
  const transform = new Transform(doc)
  const header = () => schema.nodes.tableHeader?.createAndFill() ?? []
  table(doc).forEach((row, offset) => transform.insert(transform.mapping.map(offset + row.nodeSize), header()))
  spreadColumnWidths(transform, 0, table(doc))
  const each = '133,272,203'
  expect(widthsOfCells(transform.doc).map(String)).toEqual([each, each])

  const more = new Transform(doc).insert(
    doc.firstChild!.nodeSize - 1,
    schema.nodes.tableRow!.create(null, [header(), header()].flat()),
  )
  spreadColumnWidths(more, 0, table(doc))
  expect(widthsOfCells(more.doc).at(-1)).toEqual(['200', '408'])
})

test('[TABLE-4] a width is no suggestion, and decisions on suggestions keep it', () => {
  const before = parseMarkdown(source).doc
  const options = { idAt: () => 'c1', isOwn: () => false }
  const resized = withWidths([152, 304])
  const tracked = trackChanges(before, resized, options).doc
  expect(tracked.eq(resized)).toBe(true)

  const transform = new Transform(resized)
  table(resized).firstChild?.forEach((cell, offset) =>
    transform.setNodeMarkup(2 + offset, schema.nodes.tableCell, cell.attrs),
  )
  const suggested = trackChanges(resized, transform.doc, options).doc
  expect(readChanges(suggested)).toHaveLength(1)
  for (const decision of ['accept', 'reject'] as const) {
    const decided = decideChanges(suggested, 'all', decision)
    expect(widthsOfCells(decided.doc)).toEqual([
      ['152', '304'],
      ['152', '304'],
    ])
  }
})
