import { serializeMarkdown } from '@copydesk/schema/markdown'
import { schema } from '@copydesk/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listSections } from './document/sections.ts'
import type { DocumentSession } from './session/document-session.ts'
import { blockText } from './document/blocks.ts'
import { createRival, type RivalMove } from './testing/rival.ts'
import { call, documentOf, readNode, replicaOf, sessionOn, sync } from './testing/test-document.ts'

const start = `# Title of it

A first paragraph with **bold words** and a [link](https://a.example) in it.

## Section of lists

- item one
- item two
  - nested three

1. first thing
2. second thing

> quoted words here

## Section of others

| alpha | beta |
| ----- | ---- |
| 1     | **2** |

\`\`\`
code line of words
\`\`\`

The last paragraph, with \`code\`, $x^2$ and 😀 in it.
`

const number = fc.nat(500)
const rivalMove: fc.Arbitrary<RivalMove> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('type' as const), where: number, at: number }) },
  fc.record({ kind: fc.constant('bold' as const), where: number, at: number, length: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('paragraph' as const), where: number }),
)

type ToolMove = {
  kind: 'replace' | 'inline' | 'blocks' | 'rewrite' | 'section' | 'move'
  block: number
  pick: number
  remove: boolean
}
type Move = { who: 'rival'; move: RivalMove } | { who: 'agent'; move: ToolMove } | { who: 'sync' }

function moves(kinds: ToolMove['kind'][]): fc.Arbitrary<Move[]> {
  const toolMove = fc.record({ kind: fc.constantFrom(...kinds), block: number, pick: number, remove: fc.boolean() })
  const move: fc.Arbitrary<Move> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ who: fc.constant('rival' as const), move: rivalMove }) },
    { weight: 5, arbitrary: fc.record({ who: fc.constant('agent' as const), move: toolMove }) },
    { weight: 2, arbitrary: fc.constant({ who: 'sync' as const }) },
  )
  return fc.array(move, { minLength: 4, maxLength: 30 })
}

const pairs = [
  ['words', '**words** said'],
  ['o', '0'],
  ['the', ''],
  ['e ', '[e](https://b.example) '],
  ['item (\\w+)', '$1 of items'],
  ['code', '`coding`'],
] as const
const inline = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'link'] as const
const blocks = ['heading', 'paragraph', 'bulletList', 'orderedList', 'taskList', 'blockquote', 'codeBlock'] as const

async function act(session: DocumentSession, { kind, block, pick, remove }: ToolMove): Promise<void> {
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  const { view } = read
  const target = view.blocks[block % view.blocks.length]
  const name = target ? session.show(target) : 0
  if (kind === 'replace') {
    const [searchText, newText] = pairs[pick % pairs.length] ?? pairs[0]
    await call(session, 'replace_text', {
      searchText,
      newText,
      isRegex: newText.includes('$1'),
      limit: 1 + (block % 7),
    })
  } else if (kind === 'inline') {
    const format = { type: inline[pick % inline.length], href: '/p' }
    const value = target ? blockText(target.node).slice(0, 1 + (pick % 9)) : ''
    const which = value === '' || pick % 3 === 0 ? { type: 'block', block: name } : { type: 'text', value }
    await call(session, 'apply_formatting', { target: which, format, remove })
  } else if (kind === 'blocks') {
    const last = view.blocks[Math.min(view.blocks.length - 1, (block % view.blocks.length) + (pick % 4))]
    const where =
      pick % 11 === 0 ? { type: 'all' } : { type: 'block', block: name, to: last ? session.show(last) : name }
    await call(session, 'apply_formatting', { target: where, format: { type: blocks[pick % blocks.length] }, remove })
  } else if (kind === 'move') {
    const other = view.blocks[pick % view.blocks.length]
    const last = view.blocks[Math.min(view.blocks.length - 1, (block % view.blocks.length) + (pick % 3))]
    const place = { [remove ? 'before' : 'after']: other ? session.show(other) : name }
    await call(session, 'move_blocks', { block: name, to: last ? session.show(last) : name, ...place })
  } else if (kind === 'rewrite') {
    const sections = listSections(view)
    const section = sections[block % sections.length]
    if (!section) return
    const nodes = section.nodes.map(({ node }) => node)
    const markdown = nodes.length === 0 ? '' : serializeMarkdown(schema.topNodeType.create(null, nodes))
    const content = markdown.replace(/(item|words|thing|paragraph|line|beta)/g, pick % 2 === 0 ? '$1 more' : '$1')
    await call(session, 'update_section', { operation: 'replace', sectionIndex: section.index, content })
  } else {
    const sections = listSections(view)
    const sectionIndex = 1 + (block % Math.max(1, sections.length))
    const operation = remove ? 'append' : 'insert'
    await call(session, 'update_section', { operation, sectionIndex, title: 'New', content: '- new\n\ntext' })
  }
}

// The rival types before it receives the agent's concurrent changes: no character may be lost or duplicated.
async function expectSound(all: readonly Move[]): Promise<void> {
  const doc = documentOf(start)
  const rival = createRival(replicaOf(doc, 7))
  const session = sessionOn(doc)
  for (const step of all) {
    if (step.who === 'rival') rival.act(step.move)
    else if (step.who === 'sync') sync(rival.doc, doc)
    else await act(session, step.move)
    readNode(doc)
  }
  sync(rival.doc, doc)
  expect(readNode(doc).toString()).toBe(readNode(rival.doc).toString())
  const text = readNode(doc).textContent
  for (const character of rival.typed) expect(text.split(character)).toHaveLength(2)
  session.close()
}

const seeds = process.env.FUZZ_SEED ? [Number(process.env.FUZZ_SEED)] : [1, 2]
const numRuns = Number(process.env.FUZZ_RUNS ?? 25)

describe('changing tools while a rival writes', () => {
  test.each(seeds)('lose nothing that was typed before they met, converge and stay valid (seed %i)', async (seed) => {
    const game = fc.asyncProperty(moves(['replace', 'inline', 'rewrite', 'section']), expectSound)
    await fc.assert(game, { seed, numRuns, verbose: fc.VerbosityLevel.None })
  })

  test.each(seeds)('move blocks without losing a character (seed %i)', async (seed) => {
    const game = fc.asyncProperty(moves(['move', 'replace', 'inline']), expectSound)
    await fc.assert(game, { seed, numRuns, verbose: fc.VerbosityLevel.None })
  })

  test.each(seeds)('change what blocks are without losing a character (seed %i)', async (seed) => {
    const game = fc.asyncProperty(moves(['blocks', 'replace', 'inline']), expectSound)
    await fc.assert(game, { seed, numRuns, verbose: fc.VerbosityLevel.None })
  })
})
