import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocumentSession } from './session/document-session.ts'
import { blockText } from './document/blocks.ts'
import { createRival, holdsTyped, type RivalMove } from './testing/rival.ts'
import { call, documentOf, readNode, replicaOf, sessionOn, sync } from './testing/test-document.ts'

const start = `# Title of it

A first paragraph with **bold words** and a [link](https://a.example) in it.

## Section

- item one
- item two
  - nested three

1. first
2. second

> quoted words

| a | b |
| - | - |
| 1 | **2** |

\`\`\`
code line
\`\`\`

The last paragraph, with \`code\` and 😀 in it.

`

type ToolMove = {
  kind: 'edit' | 'insert' | 'relative' | 'absolute' | 'read' | 'search'
  block: number
  at: number
  pick: number
}
type Move = { who: 'rival'; move: RivalMove } | { who: 'agent'; move: ToolMove } | { who: 'sync' }

const number = fc.nat(500)
const rivalMove: fc.Arbitrary<RivalMove> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('type' as const), where: number, at: number }) },
  fc.record({
    kind: fc.constant('delete' as const),
    where: number,
    at: number,
    length: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constant('bold' as const), where: number, at: number, length: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('paragraph' as const), where: number }),
)
const toolMove: fc.Arbitrary<ToolMove> = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'edit', 'insert', 'relative', 'absolute', 'read', 'search'),
  block: number,
  at: number,
  pick: number,
})
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ who: fc.constant('rival' as const), move: rivalMove }) },
  { weight: 5, arbitrary: fc.record({ who: fc.constant('agent' as const), move: toolMove }) },
  { weight: 2, arbitrary: fc.constant({ who: 'sync' as const }) },
)

const replacements = [
  'other words',
  'x',
  '**strong** word',
  '[site](https://b.example)',
  'a 😁 b',
  'long replacement, of it',
  '`c`',
]
const contents = [
  'new text',
  '- new item',
  '## New section\n\nText.',
  '1. n\n2. m',
  '| 7 | 8 |',
  '> quote',
  '---',
  '```\nz\n```',
  '\nlater',
]

async function agentMoves(session: DocumentSession, { kind, block, at, pick }: ToolMove): Promise<void> {
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  const target = read.view.blocks[block % read.view.blocks.length]
  const text = target ? blockText(target.node) : ''
  const from = at % Math.max(1, text.length)
  const found = text.slice(from, from + 1 + (pick % 25))
  const content = contents[pick % contents.length]
  const placement = at % 2 === 0 ? 'before' : 'after'
  const name = target ? session.show(target) : 0
  switch (kind) {
    case 'edit':
      // The agent may remove text that it has read; this test is about text that it hasn't.
      if (found === '' || holdsTyped(found) || found === text) return
      await call(session, 'edit_document', {
        find: found,
        replace: replacements[pick % replacements.length],
        block: name,
        occurrence: 1,
      })
      return
    case 'insert':
      await call(session, 'insert_text', { position: { type: 'block', block: name, placement }, content })
      return
    case 'relative':
      if (found === '') return
      await call(session, 'insert_text', {
        position: { type: 'relative', anchor: found, placement, occurrence: 'last' },
        content,
      })
      return
    case 'absolute':
      await call(session, 'insert_text', {
        position: { type: 'absolute', location: at % 2 === 0 ? 'start' : 'end' },
        content,
      })
      return
    case 'read':
      await call(session, 'read_document', {})
      return
    case 'search':
      await call(session, 'search_document', { query: found === '' ? 'a' : found })
  }
}

async function play(moves: readonly Move[]): Promise<void> {
  const doc = documentOf(start)
  const rival = createRival(replicaOf(doc, 7))
  const session = sessionOn(doc)
  for (const step of moves) {
    if (step.who === 'rival') rival.act(step.move)
    else if (step.who === 'agent') await agentMoves(session, step.move)
    else sync(doc, rival.doc)
    readNode(doc)
  }
  sync(doc, rival.doc)
  expect(readNode(doc).toString()).toBe(readNode(rival.doc).toString())
  const text = readNode(doc).textContent
  for (const character of rival.typed) expect(text).toContain(character)
  session.close()
}

// FUZZ_SEED and FUZZ_RUNS run other games; fast-check prints the seed and the shortest game of a failure.
const seeds = process.env.FUZZ_SEED ? [Number(process.env.FUZZ_SEED)] : [1, 2, 3]
const numRuns = Number(process.env.FUZZ_RUNS ?? 25)

describe('random edits by a rival and random tool calls', () => {
  test.each(seeds)('converge, stay valid and lose nothing that was typed (seed %i)', async (seed) => {
    const game = fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), play)
    await fc.assert(game, { seed, numRuns, verbose: fc.VerbosityLevel.None })
  })
})
