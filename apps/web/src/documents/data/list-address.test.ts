import { expect, test } from 'vitest'
import { allDocuments, filterOf, isNarrowed, type ListAddress, listPath, readListAddress } from './list-address.ts'

const read = (path: string): ListAddress => {
  const { pathname, search } = new URL(path, 'http://localhost')
  return readListAddress(pathname, search)
}

test('the address of a list leads back to it', () => {
  const lists: Partial<ListAddress>[] = [
    {},
    { trash: true, query: 'lamp & chair' },
    { folder: 'f-1', owner: 'others', sort: 'title' },
    { starred: true, person: 'ben', sort: 'created' },
  ]
  for (const list of lists) expect(read(listPath(list))).toEqual({ ...allDocuments, ...list })
})

test('what an address says wrongly is as usual', () => {
  expect(read('/?sort=size&owner=everyone&show=x')).toEqual(allDocuments)
  expect(read(`/?query=${'a'.repeat(300)}`).query).toHaveLength(200)
})

test('only what differs from the usual list is asked for', () => {
  expect(filterOf(allDocuments)).toEqual({})
  expect(filterOf({ ...allDocuments, folder: 'f-1', starred: true })).toEqual({ folder: 'f-1', starred: true })
})

test('a folder and the trash are places, everything else narrows', () => {
  expect(isNarrowed({ ...allDocuments, folder: 'f-1', sort: 'title' })).toBe(false)
  expect(isNarrowed({ ...allDocuments, trash: true, owner: 'me' })).toBe(true)
})
