import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createLogScene, fragmentOf, type LogScene, textAt } from '../testing/log-scene.ts'

const all = [{ run: 'r' }, { run: 'r', step: 'a' }, { run: 'r', step: 'b' }]
const deletion = (id: string) => ({ [`deletion--${id.padEnd(8, '0')}`]: { id } })

/** A block's text with `[id:…]` around the text under a suggested change. */
function shown(scene: LogScene, index = 0): string {
  const delta: { insert: string; attributes?: Record<string, { id: string }> }[] = textAt(scene.doc, index).toDelta()
  return delta
    .map(({ insert, attributes = {} }) => Object.values(attributes).reduce((text, { id }) => `[${id}:${text}]`, insert))
    .join('')
}

test('[UNDO-1] text typed inside a suggested deletion leaves no mark behind when the run is undone', () => {
  const scene = createLogScene(['It is very cheap.'])
  const ben = scene.join()
  const agent = scene.join('r')
  textAt(agent, 0).format(6, 5, deletion('d'))
  scene.endStep('r', 'a')
  textAt(ben, 0).insert(7, 'INDEL', {})
  expect(shown(scene)).toBe('It is [d:v]INDEL[d:ery ]cheap.')
  scene.make('r', all)
  expect(shown(scene)).toBe('It is vINDELery cheap.')
  scene.make('r', [])
  expect(shown(scene)).toBe('It is [d:v]INDEL[d:ery ]cheap.')
  scene.make('r', all)
  expect(shown(scene)).toBe('It is vINDELery cheap.')
})

test('[UNDO-1] nor inside a suggested insertion', () => {
  const scene = createLogScene(['one two'])
  const ben = scene.join()
  const agent = scene.join('r')
  textAt(agent, 0).insert(3, ' more', { insertion: { id: 'i' } })
  scene.endStep('r', 'a')
  textAt(ben, 0).insert(5, 'BEN', {})
  expect(shown(scene)).toBe('one[i: m]BEN[i:ore] two')
  scene.make('r', all)
  expect(shown(scene)).toBe('oneBEN two')
  scene.make('r', [])
  expect(shown(scene)).toBe('one[i: m]BEN[i:ore] two')
})

test('[UNDO-3] undoing one step leaves the marks of the other, no matter who repeated them, and those of other people', () => {
  const scene = createLogScene(['one two', 'three four', 'five six'])
  const ben = scene.join()
  const agent = scene.join('r')
  textAt(agent, 0).format(0, 7, deletion('a'))
  scene.endStep('r', 'a')
  textAt(agent, 1).format(0, 10, deletion('b'))
  scene.endStep('r', 'b')
  for (const index of [0, 1]) textAt(ben, index).insert(2, 'BEN', {})
  textAt(ben, 2).format(0, 4, deletion('p'))
  // The agent repeats a user's suggestion, which remains the user's.
  textAt(agent, 2).insert(2, 'AGENT', {})
  scene.make('r', [{ run: 'r', step: 'a' }])
  expect([0, 1, 2].map((index) => shown(scene, index)).slice(0, 2)).toEqual(['onBENe two', '[b:th]BEN[b:ree four]'])
  expect(shown(scene, 2)).toContain('[p:')
})

test('[UNDO-1] a block that a person split keeps neither mark nor attribute in its second half', () => {
  const scene = createLogScene(['one two'])
  const ben = scene.join()
  const agent = scene.join('r')
  const suggestion = '[{"id":"d","operation":"delete"}]'
  agent.transact(() => {
    textAt(agent, 0).format(0, 7, deletion('d'))
    const block = fragmentOf(agent).get(0) as Y.XmlElement
    block.setAttribute('suggestion', suggestion)
  })
  scene.endStep('r', 'a')
  ben.transact(() => {
    const half = new Y.XmlElement('paragraph')
    const text = new Y.XmlText()
    text.insert(0, 'two', deletion('d'))
    half.setAttribute('suggestion', suggestion)
    half.insert(0, [text])
    textAt(ben, 0).delete(4, 3)
    fragmentOf(ben).insert(1, [half])
  })
  scene.make('r', all)
  expect([shown(scene), shown(scene, 1)]).toEqual(['one ', 'two'])
  const attributes = fragmentOf(scene.doc)
    .toArray()
    .map((block) => block instanceof Y.XmlElement && block.getAttribute('suggestion'))
  expect(attributes).toEqual([undefined, undefined])
  scene.make('r', [])
  expect([shown(scene), shown(scene, 1)]).toEqual(['[d:one ]', '[d:two]'])
})
