import { Transform } from '@tiptap/pm/transform'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { decideBlocks, decideChanges, readChanges, resolveChanges, schema, trackChanges } from '../index.ts'
import { documentFrom, draws, edited, randomFrom } from './testing/documents.ts'
import { findTyped } from './track/track-changes.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const numRuns = Number(process.env.FUZZ_RUNS ?? 200)

function holds(property: (random: (below: number) => number) => void): void {
  fc.assert(
    fc.property(draws, (numbers) => property(randomFrom(numbers))),
    { seed, numRuns },
  )
}

function editedOften(doc: Node, random: (below: number) => number): Node {
  let now = doc
  for (let count = 1 + random(4); count > 0; count--) now = edited(now, random)
  return now
}

function tracked(before: Node, after: Node, author: string, ids?: (pos: number) => string): Node {
  const isOwn = (id: string) => id.startsWith(author)
  const { doc } = trackChanges(before, after, { idAt: ids ?? (() => author), isOwn })
  doc.check()
  return doc
}

function deletedText(node: Node): string {
  if (node.isText) return node.marks.some((mark) => mark.type.name === 'deletion') ? (node.text ?? '') : ''
  return node.children.map(deletedText).join('')
}

function expectSame(actual: Node, expected: Node): void {
  if (!actual.eq(expected)) expect(actual.toJSON()).toEqual(expected.toJSON())
}

test('[SUG-1] accepting gives the document after, rejecting the one before, whatever was edited', () => {
  holds((random) => {
    const before = documentFrom(random)
    const after = random(5) === 0 ? documentFrom(random) : editedOften(before, random)
    const doc = tracked(before, after, 'a')
    expectSame(resolveChanges(doc, 'accepted'), after)
    expectSame(resolveChanges(doc, 'original'), before)
    expectSame(decideChanges(doc, 'all', 'accept').doc, after)
    expectSame(decideChanges(doc, 'all', 'reject').doc, before)
    expectSame(decideChanges(doc, new Set(['a']), 'accept').doc, after)
    expectSame(decideChanges(doc, new Set(['b']), 'accept').doc, doc)
    if (!before.eq(after)) expect(readChanges(doc).map(({ id }) => id)).toEqual(['a'])
  })
})

test('[SUG-2] on top of what others and the author have suggested, both views are those of the edit', () => {
  holds((random) => {
    const first = documentFrom(random)
    const theirs = tracked(first, editedOften(first, random), 'b')
    const before = random(2) === 0 ? theirs : tracked(theirs, editedOften(theirs, random), 'a1')
    const after = editedOften(before, random)
    // A copy of deleted text can't be distinguished from text typed into it, so these cases are excluded.
    fc.pre(!findTyped(before, after)(deletedText(after)))
    const doc = tracked(before, after, 'a', () => 'a2')
    expectSame(resolveChanges(doc, 'accepted'), resolveChanges(after, 'accepted'))
    expectSame(resolveChanges(doc, 'original'), resolveChanges(before, 'original'))
    if (before === theirs) expectSame(decideChanges(doc, new Set(['a2']), 'reject').doc, before)
  })
})

test('[SUG-21] block by block a decision ends as on the whole document', () => {
  let blocksDecided = 0
  holds((random) => {
    const before = documentFrom(random)
    let count = 0
    const doc = tracked(before, editedOften(before, random), 'a', () => `a${String(count++)}`)
    const ids = readChanges(doc).flatMap(({ id }) => (random(3) === 0 ? [] : [id]))
    const decision = random(2) === 0 ? 'accept' : 'reject'
    const whole = decideChanges(doc, new Set(ids), decision).doc
    const decided = decideBlocks(doc, new Set(ids), decision)
    if (!decided) return
    expectSame(decided.doc, whole)
    const children: (Node | undefined)[] = [...doc.children]
    for (const { index, after, transform } of decided.blocks) {
      blocksDecided += 1
      expect(transform.doc.content.eq(after.content)).toBe(true)
      children[index] = after
    }
    for (const index of decided.removed) children[index] = undefined
    const left = children.filter((child) => child !== undefined)
    expectSame(doc.type.create(doc.attrs, left), whole)
  })
  expect(blocksDecided).toBeGreaterThan(0)
})

test('[SUG-3] changes decided one by one in any order end as all at once', () => {
  holds((random) => {
    const before = documentFrom(random)
    const after = editedOften(before, random)
    let count = 0
    let doc = tracked(before, after, 'a', () => `a${String(count++)}`)
    const decision = random(2) === 0 ? 'accept' : 'reject'
    const ids = readChanges(doc).map(({ id }) => id)
    while (ids.length > 0) {
      const [id] = ids.splice(random(ids.length), 1)
      doc = decideChanges(doc, new Set([id ?? '']), decision).doc
      doc.check()
    }
    expectSame(doc, decision === 'accept' ? after : before)
  })
})

test('[SUG-4] decided in pieces by anybody in any order, a document stays sound and ends without suggestions', () => {
  holds((random) => {
    let doc = documentFrom(random)
    for (const author of ['a', 'b', 'c'])
      doc = tracked(doc, editedOften(doc, random), author, (pos) => `${author}${String(pos % 3)}`)
    doc = editedOften(doc, random)
    for (let ids = readChanges(doc); ids.length > 0; ids = readChanges(doc)) {
      const id = ids[random(ids.length)]?.id ?? ''
      doc = decideChanges(doc, new Set([id]), random(2) === 0 ? 'accept' : 'reject').doc
      doc.check()
      expect(readChanges(doc).map((change) => change.id)).not.toContain(id)
    }
    expectSame(resolveChanges(doc, 'accepted'), doc)
  })
})

test('[SUG-5] text typed into suggested changes is kept however they are decided', () => {
  holds((random) => {
    const before = documentFrom(random)
    let doc = tracked(before, editedOften(before, random), 'a', (pos) => `a${String(pos % 3)}`)
    const places: number[] = []
    doc.descendants((node, pos) => {
      if (node.isTextblock) for (let offset = 0; offset <= node.content.size; offset++) places.push(pos + 1 + offset)
    })
    if (places.length === 0) return
    doc = new Transform(doc).insert(places[random(places.length)] ?? 0, schema.text('TYPED')).doc
    for (const view of ['original', 'accepted'] as const)
      expect(resolveChanges(doc, view).textContent).toContain('TYPED')
    for (const { id } of readChanges(doc)) {
      doc = decideChanges(doc, new Set([id]), random(2) === 0 ? 'accept' : 'reject').doc
    }
    expect(doc.textContent).toContain('TYPED')
  })
})
