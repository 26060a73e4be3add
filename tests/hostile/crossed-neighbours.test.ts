import { afterAll, beforeAll, expect, test } from 'vitest'
import { Attacker } from './attacker.ts'
import { updateOf } from './blocks.ts'
import { sendUpdates, type Target } from './hostile-input.ts'
import { type HostileScene, openHostileScene } from './scene.ts'
import { element, type Id } from './update-writer.ts'

const low = 500
const base = (clock: number): Id => ({ client: low, clock })

/** Four paragraphs under a low client id, and a block between the first and the last of them. */
const before = [
  updateOf((to) => {
    for (let index = 0; index < 4; index++) {
      to.add(element('paragraph'), index === 0 ? { parent: 'default' } : { left: base(index - 1) })
    }
  }, low),
  updateOf((to) => to.add(element('heading'), { left: base(0), right: base(3) }), 837),
]

/**
 * A block whose right neighbour stands to the left of its left one. Where it goes depends on what was applied before
 * it.
 */
const crossed = updateOf((to) => to.add(element('codeBlock'), { left: base(2), right: base(0) }), 961)

let scene: HostileScene

beforeAll(async () => {
  scene = await openHostileScene()
})

afterAll(() => scene.close())

test('[HOSTILE-5] a block between neighbours in the wrong order is refused, or all see it at the same place', async () => {
  const { server, person } = scene
  const { id } = await person.create({ markdown: 'Start' })
  const attacker = new Attacker(server.url, id, 'crossed')
  try {
    const at = { id } as Target
    for (const update of before) {
      expect(await attacker.run([sendUpdates(at, [update])], 20_000)).toEqual({ kind: 'acknowledged' })
    }
    const outcome = await attacker.run([sendUpdates(at, [crossed])], 20_000)
    if (outcome.kind !== 'acknowledged') {
      expect(outcome).toMatchObject({ kind: 'closed', code: expect.toBeOneOf([4400, 4422]) as number })
    }
    const { body: exported } = await person.call<unknown>('GET', `/api/documents/${id}/export?format=json`)
    expect(exported).toEqual(JSON.parse(await scene.read(id)))
  } finally {
    attacker.close()
  }
})
