import { readChanges, resolveChanges } from '@copydesk/schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockText } from '../document/blocks.ts'
import type { DocumentSession } from '../session/document-session.ts'
import { createRival, type RivalMove } from '../testing/rival.ts'
import { headlessOn } from '../testing/headless.ts'
import { call, documentOf, readNode, replicaOf, sync } from '../testing/test-document.ts'
import { executeToolCall } from '../calls/execute-tool-call.ts'
import { findThreadRanges, unmarkThread } from './thread-marks.ts'

const start = `# Title of it

A first paragraph with **bold words** and a [link](https://a.example) in it.

- item one
- item two
  - nested three

> quoted words

| a | b |
| - | - |
| 1 | **2** |

![alt](/i.png)

\`\`\`
code line
\`\`\`

The last paragraph, with \`code\` and 😀 in it.`

type Move = {
  tool: 'replace' | 'delete' | 'drop' | 'insert' | 'beside' | 'comment'
  block: number
  at: number
  pick: number
}

const move: fc.Arbitrary<Move> = fc.record({
  tool: fc.constantFrom('replace', 'replace', 'delete', 'drop', 'insert', 'beside', 'comment'),
  block: fc.nat(40),
  at: fc.nat(80),
  pick: fc.nat(20),
})
const rivalMove: fc.Arbitrary<RivalMove> = fc.oneof(
  fc.record({ kind: fc.constant('type' as const), where: fc.nat(40), at: fc.nat(80) }),
  fc.record({ kind: fc.constant('paragraph' as const), where: fc.nat(40) }),
)

const texts = ['x', 'other words', '**strong** word', 'a 😁 b', '- n\n- m', '## H', 'one\n\ntwo', '| c | d |']

async function act(session: DocumentSession, { tool, block, at, pick }: Move): Promise<void> {
  await call(session, 'read_document')
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  const { blocks } = read.view
  const chosen = blocks[block % blocks.length]
  const number = chosen?.index ?? 0
  const words = chosen ? [...blockText(chosen.node).matchAll(/\S+(?: \S+)?/g)] : []
  const search = words[at % Math.max(1, words.length)]?.[0] ?? ''
  const text = texts[pick % texts.length] ?? 'x'
  const occurrence = 'first'
  switch (tool) {
    case 'replace':
      await call(session, 'suggest_replacement', { block: number, search, replaceWith: text, occurrence })
      return
    case 'delete':
      await call(session, 'suggest_deletion', { block: number, search, occurrence })
      return
    case 'drop':
      await call(session, 'suggest_deletion', { block: number })
      return
    case 'insert':
      await call(session, 'suggest_insertion', { block: number, text, position: pick % 2 === 0 ? 'before' : 'after' })
      return
    case 'beside':
      await call(session, 'suggest_insertion', { block: number, text, search, occurrence })
      return
    case 'comment':
      await call(session, 'add_comment', { block: number, search, occurrence, text })
  }
}

// FUZZ_SEED and FUZZ_RUNS run other games; fast-check prints the seed and the shortest game of a failure.
const seed = Number(process.env.FUZZ_SEED ?? 7)
const numRuns = Number(process.env.FUZZ_RUNS ?? 20)

test(`whatever is suggested, the original stays, and rejecting it all gives it back (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), fc.boolean(), async (moves, isSuggesting) => {
      const { doc, session } = headlessOn(start, { mode: isSuggesting ? 'suggest' : 'edit' })
      const before = readNode(doc)
      for (const each of moves) {
        await act(session, each)
        const plain = [...findThreadRanges(readNode(doc)).keys()].reduce(
          (node, id) => unmarkThread(node, id).doc,
          readNode(doc),
        )
        expect(resolveChanges(plain, 'original').toJSON()).toEqual(before.toJSON())
      }
      const accepted = resolveChanges(readNode(doc), 'accepted').toJSON()
      const decision = isSuggesting ? 'accept' : 'reject'
      const context = { callId: 'decided', approved: true }
      await executeToolCall('decide_change', { all: true, decision }, session, context)
      expect(readChanges(readNode(doc))).toEqual([])
      if (decision === 'accept') expect(readNode(doc).toJSON()).toEqual(accepted)
      expect(readNode(replicaOf(doc, 99)).eq(readNode(doc))).toBe(true)
    }),
    { seed, numRuns, endOnFailure: false },
  )
})

test(`nothing that a rival types is lost before a decision, and peers agree (seed ${seed})`, async () => {
  const step = fc.oneof(
    fc.record({ agent: move }),
    fc.record({ rival: rivalMove }),
    fc.constant({ sync: true as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const { doc, session } = headlessOn(documentOf(start))
      const rival = createRival(replicaOf(doc, 42))
      for (const each of steps) {
        if ('agent' in each) await act(session, each.agent)
        else if ('rival' in each) rival.act(each.rival)
        else sync(doc, rival.doc)
      }
      sync(doc, rival.doc)
      expect(readNode(rival.doc).eq(readNode(doc))).toBe(true)
      for (const character of rival.typed) expect(readNode(doc).textContent).toContain(character)
    }),
    { seed, numRuns },
  )
})
