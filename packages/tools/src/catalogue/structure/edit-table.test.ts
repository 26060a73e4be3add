import { setColumnWidths } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { describe, expect, test } from 'vitest'
import { headlessOn } from '../../testing/headless.ts'
import {
  documentOf,
  documentOfNode,
  fail,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  typeBeside,
} from '../../testing/test-document.ts'

const table = '| Town | Price | Note |\n| - | - | - |\n| Ghent | 31 | b |\n| Bruges | 5 | a |\n| Ypres | 120 |  |'

// The rows as `a,b,c`, without the delimiter line below the head.
function rowsOf(markdown: string): string[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|') && !/^[|\s-]+-[|\s-]*$/.test(line))
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
      .join(),
  )
}

async function edited(input: Record<string, unknown>, markdown = table): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'edit_table', { block: 1, ...input })
  readNode(doc)
  return markdownOf(doc)
}

const start = ['Town,Price,Note', 'Ghent,31,b', 'Bruges,5,a', 'Ypres,120,']
const [head = '', ghent = '', bruges = '', ypres = ''] = start

describe('edit_table', () => {
  test.each([
    [
      'inserts a row after the block',
      { operation: 'insert_row', cells: ['Lier', '7'] },
      [head, ghent, 'Lier,7,', bruges, ypres],
    ],
    ['inserts a row at the end', { operation: 'insert_row', row: 4 }, [...start, ',,']],
    ['deletes the row of the block', { operation: 'delete_row' }, [head, bruges, ypres]],
    ['deletes several rows', { operation: 'delete_row', row: 2, to: 3 }, [head, ghent]],
    ['moves a row down', { operation: 'move_row', row: 1, to: 3 }, [head, bruges, ypres, ghent]],
    ['moves a row up', { operation: 'move_row', row: 3, to: 1 }, [head, ypres, ghent, bruges]],
    [
      'inserts a column',
      { operation: 'insert_column', column: 1, cells: ['Size', 'big'] },
      ['Town,Size,Price,Note', 'Ghent,big,31,b', 'Bruges,,5,a', 'Ypres,,120,'],
    ],
    [
      'inserts a column at the end',
      { operation: 'insert_column', cells: ['X'] },
      start.map((row, index) => `${row},${index === 0 ? 'X' : ''}`),
    ],
    [
      'deletes a column by its header',
      { operation: 'delete_column', column: 'price' },
      ['Town,Note', 'Ghent,b', 'Bruges,a', 'Ypres,'],
    ],
    [
      'deletes several columns',
      { operation: 'delete_column', column: 'Price', to: 'Note' },
      ['Town', 'Ghent', 'Bruges', 'Ypres'],
    ],
    [
      'moves a column',
      { operation: 'move_column', column: 'Note', to: 0 },
      ['Note,Town,Price', 'b,Ghent,31', 'a,Bruges,5', ',Ypres,120'],
    ],
    [
      'sets a cell',
      { operation: 'set_cell', column: 'Price', cells: ['**32**'] },
      [head, 'Ghent,**32**,b', bruges, ypres],
    ],
    [
      'sets several cells',
      { operation: 'set_cell', row: 3, column: 1, cells: ['121', 'c\nd'] },
      [head, ghent, bruges, 'Ypres,121,c d'],
    ],
    ['sorts numbers', { operation: 'sort', column: 'Price' }, [head, bruges, ghent, ypres]],
    ['sorts downwards', { operation: 'sort', column: 'Price', order: 'descending' }, [head, ypres, ghent, bruges]],
    [
      'sorts words, empty cells last',
      { operation: 'sort', column: 2, order: 'descending' },
      [head, ghent, bruges, ypres],
    ],
  ])('%s', async (_title, input, expected) => {
    expect(rowsOf(await edited(input))).toEqual(expected)
  })

  test.each([
    ['€ 1,200', '€ 30.50', '-4'],
    ['1.234.567', '12 %', '0,5'],
  ])('sorts %s before %s before %s downwards', async (...numbers) => {
    const lines = [numbers[2], numbers[0], numbers[1]].map((number) => `| ${number} |`)
    const markdown = ['| n |', '| - |', ...lines].join('\n')
    expect(rowsOf(await edited({ operation: 'sort', column: 0, order: 'descending' }, markdown)).slice(1)).toEqual(
      numbers,
    )
  })

  test('a column whose header is a number is found by it', async () => {
    const markdown = '| Town | 2024 |\n| - | - |\n| Ghent | 1 |'
    expect(rowsOf(await edited({ operation: 'delete_column', column: 2024 }, markdown))).toEqual(['Town', 'Ghent'])
    expect(rowsOf(await edited({ operation: 'delete_column', column: '0' }, markdown))).toEqual(['2024', '1'])
  })

  test('makes rows and columns headers, and plain again', async () => {
    const doc = documentOf(table)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const types = () =>
      readNode(doc).firstChild?.children.map((row) => row.children.map((cell) => cell.type.name === 'tableHeader'))
    await succeed(session, 'edit_table', { block: 1, operation: 'set_header', column: 0 })
    expect(types()).toEqual([[true, true, true], ...Array.from({ length: 3 }, () => [true, false, false])])
    await succeed(session, 'edit_table', { block: 1, operation: 'set_header', row: 0, remove: true })
    expect(types()?.[0]).toEqual([false, false, false])
    const again = await succeed(session, 'edit_table', { block: 1, operation: 'set_header', row: 0, remove: true })
    expect(again.text).toBe('Nothing to change: the table is so already.')
  })

  test('[TABLE-3] keeps the widths of columns, and gives them to the cells that it adds', async () => {
    const sized = new Transform(readNode(documentOf(table)))
    setColumnWidths(sized, 0, [100, 208, 300])
    const doc = documentOfNode(sized.doc)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const widths = () =>
      readNode(doc).firstChild?.children.map((row) => row.children.flatMap(({ attrs }): unknown => attrs.colwidth))
    await succeed(session, 'edit_table', { block: 1, operation: 'insert_row', cells: ['Lier'] })
    await succeed(session, 'edit_table', { block: 1, operation: 'sort', column: 'Price' })
    expect(widths()).toEqual(Array.from({ length: 5 }, () => [100, 208, 300]))
    await succeed(session, 'edit_table', { block: 1, operation: 'insert_column', column: 1 })
    expect(widths()).toEqual(Array.from({ length: 5 }, () => [75, 152, 156, 225]))
    await succeed(session, 'edit_table', { block: 1, operation: 'move_column', column: 3, to: 0 })
    expect(widths()?.[0]).toEqual([225, 75, 152, 156])
  })

  test('merges and splits cells', async () => {
    const doc = documentOf(table)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'edit_table', { block: 1, operation: 'merge', row: 1, column: 0, to: { row: 2, column: 1 } })
    const cell = () => readNode(doc).firstChild?.child(1).firstChild
    expect(cell()?.attrs).toMatchObject({ colspan: 2, rowspan: 2 })
    expect(cell()?.textBetween(0, cell()?.content.size ?? 0, '/')).toBe('Ghent/31/Bruges/5')
    expect((await fail(session, 'edit_table', { block: 2, operation: 'sort', column: 0 })).code).toBe(
      'invalid_operation',
    )
    await succeed(session, 'edit_table', { block: 0, operation: 'split', row: 1, column: 0 })
    expect(readNode(doc).firstChild?.children.map((row) => row.childCount)).toEqual([3, 3, 3, 3])
  })

  test('makes a list a table, and a table a list', async () => {
    const list = (markdown: string, cells?: string[]) =>
      edited({ block: 0, operation: 'from_list', ...(cells ? { cells } : {}) }, markdown)
    expect(rowsOf(await list('- **Ghent**: 31\n- Bruges: 5: x', ['Town', 'Price']))).toEqual([
      'Town,Price',
      '**Ghent**,31',
      'Bruges,5: x',
    ])
    expect(rowsOf(await list('- Ghent\n  - 31\n  - b\n- Bruges', ['Town']))).toEqual([
      'Town,,',
      'Ghent,31,b',
      'Bruges,,',
    ])
    expect(rowsOf(await list('- [x] done\n- [ ] open'))).toEqual(['', '[x] done', '[ ] open'])
    expect(await edited({ operation: 'to_list' })).toBe(
      '- Ghent\n  - Price: 31\n  - Note: b\n- Bruges\n  - Price: 5\n  - Note: a\n- Ypres\n  - Price: 120',
    )
  })

  test('comments stay, and what others type meanwhile', async () => {
    const { doc, session } = headlessOn(table)
    await succeed(session, 'read_document')
    await succeed(session, 'add_comment', { search: 'Bruges', text: 'Sure?' })
    const other = replicaOf(doc, 9)
    await succeed(session, 'edit_table', { block: 1, operation: 'insert_column', column: 0, cells: ['No', '1'] })
    await succeed(session, 'edit_table', { block: 0, operation: 'sort', column: 'Town' })
    typeBeside(other, 'Ghent', '!')
    sync(other, doc)
    sync(other, doc)
    expect(rowsOf(markdownOf(doc))).toEqual(['No,Town,Price,Note', ',Bruges,5,a', '1,Ghent!,31,b', ',Ypres,120,'])
    expect((await succeed(session, 'read_comments')).text).toContain('"Bruges"')
  })

  test('says what it did', async () => {
    const session = sessionOn(documentOf(table))
    await succeed(session, 'read_document')
    const result = await succeed(session, 'edit_table', { block: 1, operation: 'delete_column', column: 'Price' })
    expect(result.text.split('\n')[0]).toBe('Deleted column 1 "Price".')
    expect(result.details).toMatchObject({
      changes: [{ before: expect.stringContaining('Ghent | 31 | b'), after: expect.stringContaining('Ghent | b') }],
    })
  })

  test.each([
    ['a block that is no row', { block: 4, operation: 'insert_row' }, 'invalid_operation'],
    ['a list that is none', { operation: 'from_list' }, 'invalid_operation'],
    ['a row above the head', { operation: 'insert_row', row: 0 }, 'invalid_position'],
    ['moving the head', { operation: 'move_row', row: 0, to: 2 }, 'invalid_position'],
    ['a move without end', { operation: 'move_row', row: 1 }, 'invalid_input'],
    ['a row beyond the end', { operation: 'delete_row', row: 4 }, 'out_of_range'],
    ['a column beyond the end', { operation: 'delete_column', column: 3 }, 'out_of_range'],
    ['a header that is not there', { operation: 'sort', column: 'Rate' }, 'not_found'],
    ['no column', { operation: 'sort' }, 'invalid_input'],
    ['too many cells', { operation: 'insert_row', cells: ['a', 'b', 'c', 'd'] }, 'invalid_input'],
    ['no cells', { operation: 'set_cell', column: 0 }, 'invalid_input'],
    ['all rows', { operation: 'delete_row', row: 0, to: 3 }, 'invalid_operation'],
    ['all columns', { operation: 'delete_column', column: 0, to: 2 }, 'invalid_operation'],
    ['splitting a single cell', { operation: 'split', column: 0 }, 'invalid_operation'],
    ['merging one cell', { operation: 'merge', column: 0, to: 0 }, 'invalid_operation'],
  ])('refuses %s', async (_title, input, code) => {
    const doc = documentOf(`${table}\n\nend`)
    const before = markdownOf(doc)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    expect((await fail(session, 'edit_table', { block: 1, ...input })).code).toBe(code)
    expect(markdownOf(doc)).toBe(before)
  })
})
