import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type Replica, ReplicaCache } from './replica-cache.ts'

function replicaOf(structs: number): Replica {
  const doc = new Y.Doc()
  for (let count = 0; count < structs; count++) doc.getText('text').insert(0, 'x')
  return { doc, seq: 0 }
}

const names = ['a', 'b', 'c', 'd']

test('[LOG-35] of too many replicas the one that was used longest ago goes', () => {
  const cache = new ReplicaCache({ documents: 2 })
  cache.set('a', replicaOf(1))
  cache.set('b', replicaOf(1))
  cache.get('a')
  cache.set('c', replicaOf(1))
  expect(names.filter((name) => cache.has(name))).toEqual(['a', 'c'])
})

test('[LOG-35] so do those that together are too large, however they came to be; one alone may be', () => {
  const cache = new ReplicaCache({ documents: 10, structs: 10 })
  const grown = replicaOf(3)
  cache.set('a', grown)
  cache.set('b', replicaOf(3))
  cache.set('c', replicaOf(3))
  for (let count = 0; count < 3; count++) grown.doc.getText('text').insert(0, 'x')
  expect(cache.get('a')).toBe(grown)
  expect(names.filter((name) => cache.has(name))).toEqual(['a', 'c'])
  cache.set('d', replicaOf(30))
  expect(names.filter((name) => cache.has(name))).toEqual(['d'])
})
