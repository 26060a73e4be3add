import type { Folder } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { isWithin, pathTo, treeOf } from './folder-tree.ts'

const folder = (id: string, parent: string | null, name = id): Folder => ({
  id,
  name,
  parent,
  role: 'owner',
  access: 'manage',
  inherits: 'owner',
  shared: false,
  createdAt: '2026-11-01T00:00:00Z',
})

const folders = [folder('b', 'a'), folder('a', null), folder('c', 'b'), folder('lost', 'not listed')]

test('folders are below the folder that holds them, by name, numbers by their value', () => {
  const tree = treeOf([folder('x', null, 'Part 10'), folder('y', null, 'Part 9'), folder('z', 'x')])
  expect(tree.get(null)?.map(({ id }) => id)).toEqual(['y', 'x'])
  expect(tree.get('x')?.map(({ id }) => id)).toEqual(['z'])
})

test('a folder in one that the user may not see is outermost', () => {
  expect(
    treeOf(folders)
      .get(null)
      ?.map(({ id }) => id),
  ).toEqual(['a', 'lost'])
})

test('the way to a folder has all folders around it', () => {
  expect(pathTo(folders, 'c').map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(pathTo(folders, 'gone')).toEqual([])
  expect(pathTo([folder('x', 'y'), folder('y', 'x')], 'x')).toHaveLength(2)
})

test('a folder is within itself and those around it', () => {
  expect([isWithin(folders, 'c', 'a'), isWithin(folders, 'a', 'a'), isWithin(folders, 'a', 'c')]).toEqual([
    true,
    true,
    false,
  ])
})
