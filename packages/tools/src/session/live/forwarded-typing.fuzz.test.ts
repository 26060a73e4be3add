import { retainDeletedTypes } from '@copydesk/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createRival, type RivalMove } from '../../testing/rival.ts'
import { call, documentOf, readNode, replicaOf, sessionOn, sync } from '../../testing/test-document.ts'
import { streamToolCall } from '../../calls/stream-tool-call.ts'
import type { DocumentSession } from '../document-session.ts'

const start = `# Title of it

A first paragraph with **bold words** and a [link](https://a.example) in it.

same words

same words

- item one
- item two
  - nested three

> quoted words here

\`\`\`
code line of words
\`\`\`

The last paragraph, with \`code\`, $x^2$ and 😀 in it.
`

const blocks = ['heading', 'paragraph', 'bulletList', 'orderedList', 'taskList', 'blockquote', 'codeBlock'] as const
const number = fc.nat(500)
type Move =
  | { who: 'rival'; move: RivalMove }
  | { who: 'format'; block: number; length: number; type: (typeof blocks)[number]; remove: boolean }
  | { who: 'stream'; block: number; as: number; ends: boolean }
  | { who: 'deliver'; count: number }
  | { who: 'publish' }

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      who: fc.constant('rival' as const),
      move: fc.record({ kind: fc.constant('type' as const), where: number, at: number }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      who: fc.constant('format' as const),
      block: number,
      length: fc.nat(4),
      type: fc.constantFrom(...blocks),
      remove: fc.boolean(),
    }),
  },
  fc.record({ who: fc.constant('stream' as const), block: number, as: fc.nat(3), ends: fc.boolean() }),
  { weight: 3, arbitrary: fc.record({ who: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.constant({ who: 'publish' as const }) },
)

async function format(session: DocumentSession, { block, length, type, remove }: Move & { who: 'format' }) {
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  const { blocks: all } = read.view
  const first = all[block % all.length]
  const last = all[Math.min(all.length - 1, (block % all.length) + length)]
  if (!first || !last) return
  const target = { type: 'block', block: session.show(first), to: session.show(last) }
  await call(session, 'apply_formatting', { target, format: { type }, remove })
}

let streams = 0

/**
 * Starts to stream a rewrite of a block as another type, and settles or reverts it, with keystrokes arriving in
 * between.
 */
function stream(session: DocumentSession, { block, as, ends }: Move & { who: 'stream' }, between: () => void) {
  const read = session.view()
  const found = read.ok ? read.view.blocks[block % read.view.blocks.length] : undefined
  const find = found?.node.textContent ?? ''
  if (!found || !/^[\w ]+$/.test(find) || found.node.type.name !== 'paragraph') return
  const prefix = ['- ', '> ', '## ', ''][as] ?? ''
  const replace = `${prefix}${find}\n\nand more words to come`
  const streamed = streamToolCall('edit_document', session, { callId: `stream-${streams++}` })
  const json = JSON.stringify({ find, block: session.show(found), replace })
  streamed?.show(json.slice(0, -8))
  between()
  streamed?.show(json)
  between()
  if (!ends) streamed?.revert()
}

async function expectNothingLost(moves: readonly Move[], mode: 'edit' | 'suggest'): Promise<void> {
  const doc = documentOf(start)
  const server = replicaOf(doc, 9)
  const rival = createRival(replicaOf(doc, 7))
  const session = sessionOn(doc, { mode })
  retainDeletedTypes(server)
  const typed: Uint8Array[] = []
  rival.doc.on('update', (update: Uint8Array, origin: unknown) => void (origin === null && typed.push(update)))
  server.on('update', (update: Uint8Array) => Y.applyUpdate(doc, update, 'server'))
  const deliver = (count: number): void => {
    for (const update of typed.splice(0, count)) Y.applyUpdate(server, update, 'rival')
  }
  const publish = (): void => Y.applyUpdate(server, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(server)), 'agent')
  for (const step of moves) {
    if (step.who === 'rival') rival.act(step.move)
    else if (step.who === 'format') await format(session, step)
    else if (step.who === 'stream') stream(session, step, () => deliver(2))
    else if (step.who === 'deliver') deliver(step.count)
    else publish()
    readNode(doc)
  }
  deliver(typed.length)
  publish()
  sync(server, doc)
  sync(server, rival.doc)
  expect(readNode(rival.doc).toString()).toBe(readNode(doc).toString())
  const text = readNode(doc).textContent
  for (const character of rival.typed) {
    if (mode === 'edit') expect(text.split(character)).toHaveLength(2)
    // A suggested change shows the old text and its copy.
    else expect(text).toContain(character)
  }
  session.close()
}

const seeds = process.env.FUZZ_SEED ? [Number(process.env.FUZZ_SEED)] : [1, 2]
const numRuns = Number(process.env.FUZZ_RUNS ?? 20)
const moves = fc.array(move, { minLength: 4, maxLength: 40 })

describe.each(['edit', 'suggest'] as const)('blocks that become others in mode %s', (mode) => {
  test.each(seeds)('take every key that was pressed in them along, once (seed %i)', async (seed) => {
    const game = fc.asyncProperty(moves, (all) => expectNothingLost(all, mode))
    await fc.assert(game, { seed, numRuns, verbose: fc.VerbosityLevel.None })
  })
})
