import { describe, expect, test } from 'vitest'
import {
  type KeptDocument,
  readIndex,
  storeName,
  storesOf,
  surplusStores,
  unsentStores,
  withoutStore,
} from './offline-index.ts'

const kept = (openedAt: number, unsentSince: number | null = null): KeptDocument => ({
  openedAt,
  unsentSince,
  readOnly: false,
})

describe('the index of what this browser keeps', () => {
  test('names differ by account and by document', () => {
    const names = [storeName('ana', 'a'), storeName('ben', 'a'), storeName('ana', 'b')]
    expect(new Set(names).size).toBe(3)
  })

  test('what was opened longest ago goes first', () => {
    expect(surplusStores({ a: kept(1), b: kept(3), c: kept(2) }, 2)).toEqual(['a'])
    expect(surplusStores({ a: kept(1), b: kept(3) }, 2)).toEqual([])
  })

  test('what holds something unsent never goes', () => {
    expect(surplusStores({ a: kept(1, 7), b: kept(2), c: kept(3) }, 1)).toEqual(['b'])
  })

  test('one store can be taken out', () => {
    expect(withoutStore({ a: kept(1), b: kept(2) }, 'a')).toEqual({ b: kept(2) })
  })

  test('the stores of one account are distinguished from those of others, and those with unsent updates from the rest', () => {
    const [first, second, other] = [storeName('ana', 'a'), storeName('ana', 'b'), storeName('anabel', 'a')]
    const index = { [first]: kept(1), [second]: kept(2, 7), [other]: kept(3, 8) }
    expect(storesOf(index, 'ana')).toEqual([first, second])
    expect(unsentStores(index, 'ana')).toEqual([second])
  })

  test('is empty without storage', () => {
    expect(readIndex()).toEqual({})
  })
})
