import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRival, type RivalMove } from '../../testing/rival.ts'
import { blockText } from '../../document/blocks.ts'
import { call, documentOf, replicaOf, sessionOn, succeed, sync } from '../../testing/test-document.ts'

const markdown = '# T\n\none\n\n- a\n- b\n\n| x | y |\n| - | - |\n| 1 | 2 |\n\n## S\n\ntwo\n\n```\ncode\n```\n\nthree'

const rivalMove: fc.Arbitrary<RivalMove> = fc.oneof(
  fc.record({ kind: fc.constant('type' as const), where: fc.nat(20), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('paragraph' as const), where: fc.nat(20) }),
  fc.record({ kind: fc.constant('delete' as const), where: fc.nat(20), at: fc.nat(5), length: fc.nat(6) }),
)

const ownCall = fc.oneof(
  fc.record({ name: fc.constant('insert_text'), block: fc.nat(14) }),
  fc.record({ name: fc.constant('edit_document'), block: fc.nat(14) }),
  fc.record({ name: fc.constant('apply_formatting'), block: fc.nat(14) }),
  fc.record({ name: fc.constant('search_document'), block: fc.nat(14) }),
)

// Two paragraphs with the same text, one of which the last move rewrites.
const insertAfterTitle = { name: 'insert_text', block: 0 } as const

function inputOf({ name, block }: { name: string; block: number }): object {
  if (name === 'insert_text') {
    return { position: { type: 'block', block, placement: 'after' }, content: 'new\n\n- item' }
  }
  if (name === 'edit_document') return { block, find: 'o', replace: 'oo', occurrence: 1 }
  if (name === 'search_document') return { query: 'o' }
  return { target: { type: 'block', block }, format: { type: 'heading', level: 3 } }
}

test('each block has one number that no other has, and keeps it unless others leave another block with its text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(rivalMove, ownCall), { maxLength: 10 }), fc.boolean(), async (moves, reads) => {
      const doc = documentOf(markdown)
      const replica = replicaOf(doc, 77)
      const rival = createRival(replica)
      const session = sessionOn(doc)
      if (reads) await succeed(session, 'read_document')
      let before = new Map<unknown, { number: number; text: string }>()
      for (const move of moves) {
        if ('kind' in move) rival.act(move)
        else await call(session, move.name, inputOf(move))
        sync(doc, replica)
        const view = session.view()
        if (!view.ok) throw new Error(view.message)
        const numbers = view.view.blocks.map((block) => session.show(block))
        expect(new Set(numbers).size).toBe(numbers.length)
        for (const [index, block] of view.view.blocks.entries()) {
          const known = before.get(block.type)
          // If others rewrite a block, its number can come to refer to a block that still has the shown text.
          const isRewritten = 'kind' in move && known !== undefined && blockText(block.node) !== known.text
          const meant = isRewritten ? session.resolve(known.number) : undefined
          const isTaken = meant?.ok === true && meant.block.pos !== block.pos
          if (known !== undefined && !isTaken) expect(numbers[index]).toBe(known.number)
          expect(session.resolve(numbers[index] ?? -1)).toMatchObject({ ok: true, block: { pos: block.pos } })
        }
        before = new Map(
          view.view.blocks.map((block, index) => [
            block.type,
            { number: numbers[index] ?? -1, text: blockText(block.node) },
          ]),
        )
      }
      session.close()
    }),
    {
      numRuns: 150,
      examples: [[[insertAfterTitle, insertAfterTitle, { kind: 'delete', where: 17, at: 0, length: 2 }], true]],
    },
  )
})
