import { schema } from '@copydesk/schema'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { EditorState, type Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { describe, expect, test } from 'vitest'
import { prosemirrorToYXmlFragment, ySyncPlugin } from 'y-prosemirror'
import * as Y from 'yjs'
import { createFollowBlock } from '../blocks/follow-block.ts'

type Person = ReturnType<typeof open>

/** A person with the real binding, and a view that only stores the state. Their updates are collected in `sent`. */
function open(clientId: number, start: Uint8Array) {
  const doc = new Y.Doc()
  doc.clientID = clientId
  Y.applyUpdate(doc, start)
  const plugins: Plugin[] = [createFollowBlock(), ySyncPlugin(doc.getXmlFragment('default'))]
  const views: { update?: ((view: EditorView, before: EditorState) => void) | undefined }[] = []
  const view = {
    state: EditorState.create({ schema, plugins }),
    hasFocus: () => false,
    dispatch(transaction: Transaction) {
      const before = view.state
      view.state = before.apply(transaction)
      for (const each of views) each.update?.(view as unknown as EditorView, before)
    },
  }
  for (const { spec } of plugins) if (spec.view) views.push(spec.view(view as unknown as EditorView))
  const sent: Uint8Array[] = []
  doc.on('update', (update: Uint8Array, origin: unknown) => origin !== 'others' && sent.push(update))
  return {
    view,
    sent,
    receive: (update: Uint8Array | undefined) => update && Y.applyUpdate(doc, update, 'others'),
    select(anchor: number, head = anchor) {
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, anchor, head)))
    },
    type: (letter: string | undefined) => letter !== undefined && view.dispatch(view.state.tr.insertText(letter)),
    /** The text with `[` and `]` around the selection, or `|` at the caret, and `@` for a mention. */
    get shown() {
      const { doc: content, selection } = view.state
      const read = (from: number, to: number) => content.textBetween(from, to, '\n', '@')
      const [opening, closing] = selection.empty ? ['|', ''] : ['[', ']']
      const { from, to } = selection
      return read(0, from) + opening + read(from, to) + closing + read(to, content.content.size)
    },
  }
}

const mention = schema.nodes.mention!.create({ id: 'ana', label: 'Ana' })
const text = (words: string) => (words === '' ? [] : [schema.text(words)])

function meet(...content: Node[]): [Person, Person] {
  const doc = new Y.Doc()
  doc.clientID = 1
  const paragraph = schema.node('paragraph', null, content)
  prosemirrorToYXmlFragment(schema.node('doc', null, [paragraph]), doc.getXmlFragment('default'))
  const start = Y.encodeStateAsUpdate(doc)
  return [open(2, start), open(3, start)]
}

function deliverAll(from: Person, to: Person): void {
  while (from.sent.length > 0) to.receive(from.sent.shift())
}

describe('[WRITE-30] what two people write at the same place', () => {
  // The last two begin alike, so that a comparison of the texts alone doesn't show whose letter is new.
  test.each([
    ['The end.', ' Ana was here.', 'Ben is here, too.'],
    ['', 'Ana begins.', 'Ben begins.'],
    ['The end.', ' all see', ' all bees'],
    ['', 'ooze', 'oops'],
  ])('stays whole, in any order of keys and messages, after %j', (before, ana, ben) => {
    const order = fc.array(fc.nat(3), { minLength: 40, maxLength: 120 })
    const play = (moves: number[]) => {
      const people = meet(...text(before))
      const waiting: [string[], string[]] = [[...ana], [...ben]]
      for (const person of people) person.select(1 + before.length)
      for (const move of moves) {
        const [self, other] = move % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
        if (move < 2) people[self].type(waiting[self].shift())
        else people[self].receive(people[other].sent.shift())
      }
      for (const self of [0, 1] as const) waiting[self].forEach((letter) => people[self].type(letter))
      while (people.some(({ sent }) => sent.length > 0)) {
        deliverAll(people[0], people[1])
        deliverAll(people[1], people[0])
      }
      const [one, two] = people.map(({ view }) => view.state.doc.textContent)
      expect(one).toBe(two)
      expect([before + ana + ben, before + ben + ana]).toContain(one)
      // Each caret is at the position where that person continues writing.
      expect(people[0].shown.slice(0, people[0].shown.indexOf('|'))).toMatch(new RegExp(`${ana}$`))
      expect(people[1].shown.slice(0, people[1].shown.indexOf('|'))).toMatch(new RegExp(`${ben}$`))
    }
    fc.assert(fc.property(order, play), { numRuns: 25 })
  })

  test.each([
    ['at the end of a text', text('end'), 4, 'end|xyz'],
    ['at its start', text('end'), 1, '|xyzend'],
    ['within it', text('end'), 2, 'e|xyznd'],
    ['in an empty paragraph', [], 1, '|xyz'],
    ['behind a mention', [mention], 2, '@|xyz'],
    ['between a mention and text', [mention, ...text('end')], 2, '@|xyzend'],
    ['between text and a mention', [...text('end'), mention], 4, 'end|xyz@'],
  ])('comes behind a caret that rests %s', (_, content, position, expected) => {
    const [ana, ben] = meet(...content)
    for (const person of [ana, ben]) person.select(position)
    for (const letter of 'xyz') {
      ben.type(letter)
      deliverAll(ben, ana)
    }
    expect(ana.shown).toBe(expected)
  })

  test('stays outside of a selection that begins or ends there', () => {
    for (const [anchor, head] of [
      [3, 6],
      [6, 3],
    ] as const) {
      const [ana, ben] = meet(...text('a word in it'))
      ana.select(anchor, head)
      for (const position of [6, 3]) {
        ben.select(position)
        for (const letter of '12') ben.type(letter)
      }
      deliverAll(ben, ana)
      expect(ana.shown).toBe('a 12[wor]12d in it')
      expect(ana.view.state.selection.anchor < ana.view.state.selection.head).toBe(anchor < head)
    }
  })
})

test('[WRITE-10] the caret is after words that come back into the block by which another person replaced theirs', () => {
  const [ana, ben] = meet(schema.text('Even'))
  ben.select(5)
  for (const letter of ' and on') ben.type(letter)
  const { $head } = ben.view.state.selection
  expect($head.parentOffset).toBe(11)
  const { tr } = ana.view.state
  const whole = tr.doc.resolve(1).blockRange()!
  ana.view.dispatch(tr.wrap(whole, [{ type: schema.nodes.blockquote! }]))
  deliverAll(ana, ben)
  expect(ben.shown).toBe('Even|')
  ana.select(6)
  for (const letter of ' and on') ana.type(letter)
  deliverAll(ana, ben)
  expect(ben.shown).toBe('Even and on|')
  // From then on its position is stable.
  for (const letter of ', too') ana.type(letter)
  deliverAll(ana, ben)
  expect(ben.shown).toBe('Even and on|, too')
})
