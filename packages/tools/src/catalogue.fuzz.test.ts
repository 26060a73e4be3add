import { resolveChanges } from '@copydesk/schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { executeToolCall } from './calls/execute-tool-call.ts'
import { openHeadlessSession } from './headless/headless-session.ts'
import { blockText } from './document/blocks.ts'
import type { DocumentSession } from './session/document-session.ts'
import type { SessionMode } from './session/host/session-options.ts'
import { streamToolCall } from './calls/stream-tool-call.ts'
import { createRival, type RivalMove } from './testing/rival.ts'
import { documentOf, readNode, replicaOf, sync } from './testing/test-document.ts'

const start = [
  '# Title of it',
  'A first paragraph with **bold words** and a [link](https://a.example) in it.',
  '## Section of lists',
  '- item one\n- item two\n  - nested three',
  '> quoted words here',
  '## Section of others',
  '| alpha | beta |\n| ----- | ---- |\n| 1     | **2** |',
  '```\ncode line of words\n```',
  'The last paragraph, with `code`, $x^2$ and 😀 in it.',
].join('\n\n')

const number = fc.nat(500)
const rivalMove: fc.Arbitrary<RivalMove> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('type' as const), where: number, at: number }) },
  fc.record({ kind: fc.constant('bold' as const), where: number, at: number, length: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('paragraph' as const), where: number }),
)

type Move =
  | { who: 'rival'; move: RivalMove }
  | { who: 'agent'; agent: number; tool: number; block: number; pick: number; streamed: number }
  | { who: 'sync'; agent: number }

const agents: readonly SessionMode[] = ['edit', 'suggest', 'ask']
const agentMove = fc.record({
  who: fc.constant('agent' as const),
  agent: fc.nat(2),
  tool: fc.nat(40),
  block: number,
  pick: number,
  streamed: fc.nat(3),
})
const game = fc.array(
  fc.oneof<fc.Arbitrary<Move>[]>(
    fc.record({ who: fc.constant('rival' as const), move: rivalMove }),
    agentMove,
    fc.record({ who: fc.constant('sync' as const), agent: fc.nat(2) }),
  ),
  { minLength: 6, maxLength: 36 },
)

type Input = Record<string, unknown>
type Target = { block: number; word: string; pick: number }

const formats = [
  'bold',
  'italic',
  'code',
  'underline',
  'heading',
  'bulletList',
  'orderedList',
  'blockquote',
  'paragraph',
]
const contents = [
  'a phrase',
  '\n\nA paragraph of **its own**.',
  '- x\n- y',
  '| p | q |\n| - | - |\n| r | s |',
  '## Head\n\ntext',
]

const tableOperations = ['insert_row', 'insert_column', 'sort', 'move_column', 'move_row', 'set_header']

// Calls that remove no block in which the rival may be typing: intentionally deleting a block also deletes its text.
const calls: ((target: Target) => [string, Input])[] = [
  () => ['read_document', {}],
  ({ pick }) => ['get_document', pick % 2 === 0 ? {} : { format: 'html' }],
  ({ word }) => ['search_document', { query: word, isRegex: true }],
  () => ['get_document_info', {}],
  () => ['read_comments', {}],
  () => ['read_changes', {}],
  ({ block, word }) => ['edit_document', { block, find: word, replace: `${word} **and** more`, occurrence: 'first' }],
  ({ word }) => ['replace_text', { searchText: word, newText: `${word}s`, limit: 5 }],
  ({ block, pick }) => [
    'insert_text',
    { position: { type: 'block', block, placement: 'after' }, content: at(contents, pick) },
  ],
  ({ word, pick }) => [
    'insert_text',
    {
      position: { type: 'relative', anchor: word, placement: 'after', occurrence: 'last' },
      content: at(contents, pick),
    },
  ],
  ({ block, pick }) => ['apply_formatting', { target: { type: 'block', block }, format: { type: at(formats, pick) } }],
  ({ word, pick }) => [
    'apply_formatting',
    { target: { type: 'text', value: word }, format: { type: at(formats, pick % 4) } },
  ],
  ({ pick }) => ['update_section', { operation: 'append', title: 'New', content: at(contents, pick) }],
  ({ pick }) => [
    'update_section',
    { operation: 'insert', sectionIndex: 1 + (pick % 2), title: 'New', content: 'words' },
  ],
  ({ block, pick }) => ['edit_table', { block, operation: at(tableOperations, pick), column: pick % 2, to: pick % 3 }],
  ({ word }) => ['replace_text', { pairs: [word, 'of'].map((find) => ({ find, replace: `${find}e` })), limit: 3 }],
  ({ block, word }) => ['replace_text', { find: word, replace: `${word} more`, block }],
  ({ word }) => ['edit_document', { find: word, replace: `the ${word}`, section: 1, occurrence: 'last' }],
  ({ pick }) => ['edit_frontmatter', { key: at(['a', 'b'], pick), value: pick }],
  ({ word }) => [
    'insert_math',
    { position: { type: 'relative', anchor: word, placement: 'after', occurrence: 'first' }, latex: 'x' },
  ],
  ({ block, pick }) => ['move_blocks', { block, [pick % 2 === 0 ? 'before' : 'after']: pick % 12 }],
  ({ block, word }) => ['add_comment', { block, search: word, occurrence: 'first', text: 'Why?' }],
  ({ word }) => ['suggest_replacement', { search: word, replaceWith: 'other', occurrence: 'first' }],
  ({ block }) => ['suggest_insertion', { block, text: 'suggested words' }],
  ({ block }) => ['suggest_deletion', { block }],
  ({ block }) => ['highlight_text', { block }],
  ({ block }) => ['scroll_to', { block }],
]

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!
}

type Agent = { doc: Y.Doc; session: DocumentSession }
let count = 0

async function act(
  { session }: Agent,
  { tool, block, pick, streamed }: Extract<Move, { who: 'agent' }>,
): Promise<void> {
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  const target = read.view.blocks[block % read.view.blocks.length]
  if (!target) return
  const words = blockText(target.node).match(/[a-z]{3,}/gu) ?? ['words']
  const [name, input] = at(calls, tool)({ block: session.show(target), word: at(words, pick), pick })
  const call = { callId: `c${count++}`, approved: pick % 5 > 0 }
  // Some calls are streamed first, and some of those are then cancelled.
  const live = streamed > 1 ? streamToolCall(name, session, call) : undefined
  const json = JSON.stringify(input)
  for (let end = 20; live && end < json.length; end += 9) live.show(json.slice(0, end))
  if (streamed === 3) live?.revert()
  else await executeToolCall(name, input, session, call)
}

async function play(moves: readonly Move[]): Promise<void> {
  const first = documentOf(start)
  const rival = createRival(replicaOf(first, 7))
  const open = (mode: SessionMode, index: number): Agent => {
    const doc = replicaOf(first, 100 + index)
    return { doc, session: openHeadlessSession({ doc, mode }) }
  }
  const all = agents.map(open)
  for (const move of moves) {
    if (move.who === 'rival') rival.act(move.move)
    else if (move.who === 'sync') sync(rival.doc, all[move.agent]!.doc)
    else await act(all[move.agent]!, move)
  }
  for (const { doc } of [...all, ...all]) sync(rival.doc, doc)
  const seen = readNode(rival.doc)
  for (const { doc } of all) expect(readNode(doc).toString()).toBe(seen.toString())
  const views = (['original', 'accepted'] as const).map((view) => resolveChanges(seen, view))
  for (const view of views) view.check()
  // Text in a suggested copy of a block is in its original too, but never twice in one view of the changes.
  for (const character of rival.typed) {
    const times = views.map((view) => view.textContent.split(character).length - 1)
    expect(Math.max(...times), `${character.charCodeAt(0)} ${times.join()}`).toBe(1)
  }
  for (const { session } of all) session.close()
}

const seed = Number(process.env.FUZZ_SEED ?? 1)
const numRuns = Number(process.env.FUZZ_RUNS ?? 30)

test(`three agents, one in each mode, and a person at once: all valid, all the same, nothing typed is lost (seed ${seed})`, async () => {
  await fc.assert(fc.asyncProperty(game, play), { seed, numRuns, verbose: fc.VerbosityLevel.None })
})
