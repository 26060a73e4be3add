import { seededBelow } from '@copydesk/testing'
import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { createLogScene, fragmentOf, type LogScene, paragraph, textAt } from '../testing/log-scene.ts'

const whole = [{ run: 'r' }, { run: 'r', step: 'a' }]

/** Replaces a word of a block as a run does: the old characters deleted, the new ones inserted. */
function replace(doc: Y.Doc, block: number, at: number, length: number, by: string): void {
  doc.transact(() => {
    textAt(doc, block).delete(at, length)
    textAt(doc, block).insert(at, by)
  })
}

function withRun(paragraphs: readonly string[], change: (run: Y.Doc) => void): { scene: LogScene; before: number } {
  const scene = createLogScene(paragraphs)
  const before = scene.rows.length
  change(scene.join('r'))
  scene.endStep('r', 'a')
  return { scene, before }
}

test('[UNDO-17] undo of a run after the version from before it was restored changes nothing', () => {
  const { scene, before } = withRun(['teh cat and teh dog', 'more'], (run) => {
    replace(run, 0, 12, 3, 'the')
    replace(run, 0, 0, 3, 'the')
    fragmentOf(run).delete(1, 1)
  })
  scene.restore(before)
  expect(scene.texts()).toEqual(['teh cat and teh dog', 'more'])
  scene.make('r', whole)
  expect(scene.texts()).toEqual(['teh cat and teh dog', 'more'])
  scene.make('r', [])
  expect(scene.texts()).toEqual(['teh cat and teh dog', 'more'])
})

test('[UNDO-17] a run that was removed by a restore and restored with a later version is undone and redone as before', () => {
  const { scene, before } = withRun(['teh cat', 'more'], (run) => {
    replace(run, 0, 0, 3, 'the')
    fragmentOf(run).insert(1, [paragraph('of the run')])
  })
  const after = scene.rows.length
  scene.restore(before)
  scene.restore(after)
  expect(scene.texts()).toEqual(['the cat', 'of the run', 'more'])
  scene.make('r', whole)
  expect(scene.texts()).toEqual(['teh cat', 'more'])
  scene.make('r', [])
  expect(scene.texts()).toEqual(['the cat', 'of the run', 'more'])
})

test('[UNDO-17] what people write after the restore stays, and a later run on the restored text is undone alone', () => {
  const { scene, before } = withRun(['teh cat'], (run) => replace(run, 0, 0, 7, 'a dog'))
  scene.restore(before)
  const ana = scene.join()
  textAt(ana, 0).insert(7, ' of Ana')
  replace(scene.join('s'), 0, 0, 3, 'the')
  scene.endStep('s', 'a')
  scene.make('r', whole)
  expect(scene.texts()).toEqual(['the cat of Ana'])
  scene.make('s', [...whole, { run: 's', step: 'a' }])
  expect(scene.texts()).toEqual(['teh cat of Ana'])
})

test('[UNDO-17] undo after any restores writes nothing twice and loses nothing', () => {
  const seeds = Number(process.env.UNDO_SEEDS ?? 30)
  for (let seed = 1; seed <= seeds; seed++) {
    const random = seededBelow(seed)
    const original = ['one two three', 'four five six', 'seven eight']
    const { scene, before } = withRun(original, (run) => {
      for (let index = 0; index < 5; index++) {
        const block = random(fragmentOf(run).length)
        if (random(4) === 0) fragmentOf(run).insert(block, [paragraph(`new ${index}`)])
        else if (random(5) === 0 && fragmentOf(run).length > 2) fragmentOf(run).delete(block, 1)
        else replace(run, block, random(3), 1 + random(3), 'xe'.slice(random(2)))
      }
    })
    const withIt = scene.texts()
    const after = scene.rows.length
    let restored = after
    for (let round = 0; round < 4; round++) {
      const isBefore = random(2) === 0
      const undone = random(2) === 0 ? whole : []
      // A restore to an equal text is refused.
      if (JSON.stringify(scene.texts()) !== JSON.stringify(isBefore ? original : withIt)) {
        restored = isBefore ? before : after
        scene.restore(restored)
      }
      scene.make('r', undone)
      const expected = restored === before || undone.length > 0 ? original : withIt
      expect(scene.texts(), `seed ${seed}, round ${round}`).toEqual(expected)
    }
  }
})
