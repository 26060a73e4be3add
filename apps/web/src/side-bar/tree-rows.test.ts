import type { DocumentList, Folder } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { treeOf } from '../documents/data/folder-tree.ts'
import { findByLetters, moveOf, rowsOf, type TreeRow } from './tree-rows.ts'

const folder = (id: string, parent: string | null): Folder => ({
  id,
  name: id,
  parent,
  role: 'owner',
  access: 'manage',
  inherits: 'owner',
  shared: false,
  createdAt: '2026-11-01T00:00:00Z',
})

const documents = (nextCursor: string | null, ...titles: string[]): DocumentList => ({
  documents: titles.map((title) => ({
    id: `id of ${title}`,
    title,
    role: 'owner',
    access: 'manage',
    agentMode: 'edit',
    editorsShare: true,
    trashed: false,
    createdAt: '2026-11-01T00:00:00Z',
    updatedAt: '2026-11-01T00:00:00Z',
    editedBy: null,
    owner: null,
    people: [],
    peopleCount: 0,
    preview: '',
    starred: false,
    folder: null,
    inherits: 'owner',
    deletesAt: null,
  })),
  nextCursor,
})

const tree = treeOf([folder('plans', null), folder('minutes', null), folder('older', 'minutes')])
const show = (rows: readonly TreeRow[]) =>
  rows.map((row) => `${'  '.repeat(row.level - 1)}${row.key} ${row.position}/${row.size}`)

const rows = rowsOf(
  tree,
  new Set(['minutes', 'plans']),
  new Map([
    ['minutes', documents('more', 'May', 'June')],
    ['plans', documents(null)],
  ]),
)

test('an open folder shows its folders, then its documents, and whether there are more', () => {
  expect(show(rows)).toEqual([
    'minutes 1/2',
    '  older 1/4',
    '  id of May 2/4',
    '  id of June 3/4',
    '  minutes more 4/4',
    'plans 2/2',
    '  plans empty 1/1',
  ])
  expect(show(rowsOf(tree, new Set(['plans']), new Map()))).toEqual(['minutes 1/2', 'plans 2/2'])
})

test('[BROWSE-4] arrows move through the tree, open and close its folders', () => {
  expect(moveOf(rows, 0, 'ArrowDown')).toEqual({ to: 1 })
  expect(moveOf(rows, 0, 'ArrowUp')).toBeUndefined()
  expect(moveOf(rows, 0, 'End')).toEqual({ to: 6 })
  expect(moveOf(rows, 0, 'ArrowRight')).toEqual({ to: 1 })
  expect(moveOf(rows, 0, 'ArrowLeft')).toEqual({ toggle: true })
  expect(moveOf(rows, 1, 'ArrowRight')).toEqual({ toggle: true })
  expect(moveOf(rows, 2, 'ArrowLeft')).toEqual({ to: 0 })
  expect(moveOf(rows, 2, 'ArrowRight')).toBeUndefined()
  expect(moveOf(rows, 2, 'x')).toBeUndefined()
})

test('[BROWSE-4] letters find the next row that begins with them', () => {
  expect(findByLetters(rows, 0, 'm')).toBe(2)
  expect(findByLetters(rows, 2, 'm')).toBe(0)
  expect(findByLetters(rows, 2, 'may')).toBe(2)
  expect(findByLetters(rows, 0, 'z')).toBe(-1)
})
