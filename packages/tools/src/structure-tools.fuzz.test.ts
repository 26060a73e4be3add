import { contentTypes, resolveChanges } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { tableOperations } from './edit/tables/plan-table.ts'
import type { SessionMode } from './session/host/session-options.ts'
import { call, documentOf, readNode, sessionOn, succeed } from './testing/test-document.ts'

const parts = [
  'A paragraph with **bold words** and a [link](https://a.example).',
  'Short.',
  '- item one\n- item two\n  - nested three\n  - nested four\n- item five',
  '1. first\n2. second\n\n   more of it',
  '- [x] done\n- [ ] open',
  '> quoted words\n>\n> - quoted item',
  '| alpha | beta |\n| ----- | ---- |\n| 1     | **2** |\n| 3     | 4    |',
  '```\ncode\n```',
  '![alt](/image.png)',
  '## Section\n\nIts text with $x^2$.',
]

type Call = [name: string, input: Record<string, unknown>]

const number = fc.nat(24)
const calls: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constant('delete_blocks'), fc.record({ block: number, to: number }, { requiredKeys: ['block'] })),
  fc.tuple(fc.constant('delete_blocks'), fc.record({ section: fc.nat(3) })),
  fc.tuple(
    fc.constant('move_blocks'),
    fc.oneof(
      fc.record({ block: number, to: number, before: number }, { requiredKeys: ['block', 'before'] }),
      fc.record({ block: number, to: number, after: number }, { requiredKeys: ['block', 'after'] }),
      fc.record({ section: fc.nat(3), before: fc.nat(3) }),
    ),
  ),
)

const small = fc.nat(3)
const edits: fc.Arbitrary<Call> = fc.tuple(
  fc.constant('edit_table'),
  fc.record(
    {
      block: fc.nat(8),
      operation: fc.constantFrom(...tableOperations),
      row: small,
      column: fc.oneof(small, fc.constantFrom('alpha', 'gamma')),
      to: fc.oneof(small, fc.record({ row: small, column: small })),
      cells: fc.array(fc.constantFrom('', 'x', '**bold** y', '12'), { maxLength: 3 }),
      order: fc.constantFrom('ascending', 'descending'),
      remove: fc.boolean(),
    },
    { requiredKeys: ['block', 'operation', 'column'] },
  ),
)
const tables = [
  '| alpha | beta | gamma |\n| - | - | - |\n| 3 | **2** | c |\n| 1 | 4 | b |\n| 2 |  | a |',
  '- one: 1\n- two: 2\n- three: 3',
  '- one\n  - more\n- [ ] two',
]

async function played(markdown: string, mode: SessionMode, [name, input]: Call) {
  const doc = documentOf(markdown)
  const origin = {}
  const trackedOrigins = new Set([origin])
  const undo = new Y.UndoManager(doc.getXmlFragment(contentTypes.fragment), { trackedOrigins })
  let ids = 0
  const session = sessionOn(doc, { mode, origin, createId: () => `change-${ids++}` })
  await succeed(session, 'read_document')
  const result = await call(session, name, input)
  const node = readNode(doc)
  undo.undo()
  session.close()
  return { result, node, undone: readNode(doc) }
}

const written = (node: ReturnType<typeof readNode>): string => serializeMarkdown(node)

async function expectSound(chosen: readonly string[], each: Call): Promise<void> {
  const markdown = ['# Title', ...chosen].join('\n\n')
  const before = readNode(documentOf(markdown))
  const edited = await played(markdown, 'edit', each)
  const suggested = await played(markdown, 'suggest', each)
  expect(suggested.result.ok).toBe(edited.result.ok)
  for (const { undone } of [edited, suggested]) expect(undone.toJSON()).toEqual(before.toJSON())
  expect(written(resolveChanges(suggested.node, 'original'))).toBe(written(before))
  expect(written(resolveChanges(suggested.node, 'accepted'))).toBe(written(edited.node))
}

const seed = Number(process.env.FUZZ_SEED ?? 1)
const numRuns = Number(process.env.FUZZ_RUNS ?? 60)

test(`tools for whole blocks: undone exactly, accepted as edited, rejected as before (seed ${seed})`, async () => {
  const game = fc.asyncProperty(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }), calls, expectSound)
  await fc.assert(game, { seed, numRuns, verbose: fc.VerbosityLevel.None })
})

test(`edit_table: undone exactly, accepted as edited, rejected as before (seed ${seed})`, async () => {
  const game = fc.asyncProperty(fc.shuffledSubarray(tables, { minLength: 1 }), edits, expectSound)
  await fc.assert(game, { seed, numRuns: 2 * numRuns, verbose: fc.VerbosityLevel.None })
})
