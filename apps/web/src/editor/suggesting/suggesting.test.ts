import { decideChanges, readChanges, resolveChanges, schema } from '@copydesk/schema'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { describe, expect, test } from 'vitest'
import { ySyncPluginKey } from 'y-prosemirror'
import { createStore } from '../../common/store.ts'
import type { EditingMode } from './editing-mode.ts'
import { createOwnChanges } from './own-changes.ts'
import * as tools from './tracker.ts'
import { createSuggestingPlugin } from './suggesting.ts'

const text = (words: string, ...marks: Parameters<typeof schema.text>[1] & object) => schema.text(words, marks)
const line = (...content: (string | Node)[]) =>
  schema.node(
    'paragraph',
    null,
    content.map((part) => (typeof part === 'string' ? schema.text(part) : part)),
  )
const documentOf = (...blocks: Node[]) => schema.node('doc', null, blocks)

function open(doc: Node, isMine: (id: string) => boolean = () => false) {
  let count = 0
  const mode = { ...createStore<EditingMode>('suggesting'), tools: () => tools }
  const own = createOwnChanges(() => `own${count++}`, isMine)
  let state = EditorState.create({ doc, plugins: [createSuggestingPlugin({ mode, own })] })
  return {
    mode,
    get state() {
      return state
    },
    get changes() {
      return readChanges(state.doc).map(({ type, before, after }) => [type, before, after])
    },
    run(edit: (transaction: Transaction) => Transaction) {
      state = state.applyTransaction(edit(state.tr)).state
    },
    caret(from: number, to = from) {
      this.run((tr) => tr.setSelection(TextSelection.create(tr.doc, from, to)))
    },
    type(words: string) {
      for (const letter of words) this.run((tr) => tr.insertText(letter))
    },
    backspace() {
      this.run((tr) => {
        const { from, to } = tr.selection
        return from === to ? tr.delete(from - 1, from) : tr.delete(from, to)
      })
    },
  }
}

/** The text of the first block with insertions in `+` and deletions in `-`, and `|` at the caret. */
function shown({ doc, selection }: EditorState): string {
  let words = ''
  doc.descendants((node, position) => {
    if (!node.isText) return
    const name = node.marks.find(({ type }) => type.name === 'insertion' || type.name === 'deletion')?.type.name
    const at = selection.head - position
    const whole = node.text ?? ''
    const isHere = at > 0 && at <= whole.length
    const part = isHere ? `${whole.slice(0, at)}|${whole.slice(at)}` : whole
    words += name === 'insertion' ? `{+${part}}` : name === 'deletion' ? `{-${part}}` : part
  })
  return words
}

describe('suggesting', () => {
  test('[SUG-17] typing a word is one change, and typing on extends it', () => {
    const person = open(documentOf(line('A house')))
    person.caret(3)
    person.type('big ')
    expect(shown(person.state)).toBe('A {+big |}house')
    person.caret(6)
    person.type('ger')
    expect(person.changes).toEqual([['insertion', '', 'bigger ']])
  })

  test('[SUG-18] what is typed over a selection replaces it as a whole, even if both begin alike', () => {
    const person = open(documentOf(line('took teh bus')))
    person.caret(6, 9)
    person.type('the')
    expect(shown(person.state)).toBe('took {-teh}{+the|} bus')
    expect(person.changes).toEqual([['replacement', 'teh', 'the']])
  })

  test('[SUG-18] deleting letter by letter is one change; the caret stays in front of what is shown as deleted', () => {
    const person = open(documentOf(line('one two')))
    person.caret(8)
    for (let times = 0; times < 3; times++) person.backspace()
    expect(shown(person.state)).toBe('one |{-two}')
    expect(person.changes).toEqual([['deletion', 'two', '']])
  })

  test('[SUG-18] one’s own insertion is deleted for good', () => {
    const person = open(documentOf(line('one')))
    person.caret(4)
    person.type(' two')
    for (let times = 0; times < 4; times++) person.backspace()
    expect(person.state.doc.eq(documentOf(line('one')))).toBe(true)
  })

  test('[SUG-17] in another person’s insertion one’s own change is a separate one', () => {
    const theirs = text('brave ', schema.mark('insertion', { id: 'ben1' }))
    const person = open(documentOf(line('the ', theirs, 'world')))
    person.caret(8)
    person.type('X')
    person.caret(6)
    person.backspace()
    const ids = readChanges(person.state.doc).map(({ id }) => id)
    expect(new Set(ids)).toEqual(new Set(['ben1', 'own0', 'own1']))
    expect(decideChanges(person.state.doc, new Set(['own0', 'own1']), 'reject').doc.textContent).toBe('the brave world')
  })

  test('[SUG-17] a new paragraph and what is written in it are one change', () => {
    const person = open(documentOf(line('one'), line('two')))
    person.caret(4)
    person.run((tr) => tr.split(4))
    person.type('new')
    expect(person.changes).toEqual([['block', '', 'new']])
    expect(
      decideChanges(person.state.doc, 'all', 'accept').doc.eq(documentOf(line('one'), line('new'), line('two'))),
    ).toBe(true)
  })

  test('[SUG-16] a paragraph that is parted or joined goes back to what it was', () => {
    const before = documentOf(line('one two'), line('three'))
    for (const edit of [(tr: Transaction) => tr.split(5), (tr: Transaction) => tr.join(9)]) {
      const person = open(before)
      person.run(edit)
      expect(person.changes.length).toBe(1)
      expect(decideChanges(person.state.doc, 'all', 'reject').doc.eq(before)).toBe(true)
      expect(
        decideChanges(person.state.doc, 'all', 'accept').doc.eq(edit(EditorState.create({ doc: before }).tr).doc),
      ).toBe(true)
    }
  })

  test('[SUG-16] formatting and another type are changes that know what was before', () => {
    const before = documentOf(line('one two'))
    const person = open(before)
    person.run((tr) => tr.addMark(1, 4, schema.mark('bold')))
    person.run((tr) => tr.setNodeMarkup(0, schema.nodes.heading, { level: 2 }))
    expect(person.changes.map(([type]) => type)).toEqual(['block', 'formatting'])
    expect(decideChanges(person.state.doc, 'all', 'reject').doc.eq(before)).toBe(true)
  })

  test('[SUG-17] all occurrences replaced in one go are a change each', () => {
    const person = open(documentOf(line('red and red'), line('red')))
    person.run((tr) => tr.insertText('blue', 14, 17).insertText('blue', 9, 12).insertText('blue', 1, 4))
    expect(person.changes).toEqual([
      ['replacement', 'red', 'blue'],
      ['replacement', 'red', 'blue'],
      ['replacement', 'red', 'blue'],
    ])
  })

  test('what others bring in is no suggestion of this person', () => {
    const person = open(documentOf(line('one')))
    person.run((tr) => tr.insertText('two ', 1).setMeta(ySyncPluginKey, { isChangeOrigin: true }))
    expect(person.changes).toEqual([])
  })

  test('in the other modes nothing is tracked', () => {
    const person = open(documentOf(line('one')))
    person.mode.set('editing')
    person.caret(4)
    person.type('!')
    expect(person.state.doc.eq(documentOf(line('one!')))).toBe(true)
  })
})

const someDocument = documentOf(
  schema.node('heading', { level: 1 }, [text('The plan')]),
  line('We meet on ', text('Monday', schema.mark('bold')), ' at the old harbour.'),
  schema.node('bulletList', null, [
    schema.node('listItem', null, [line('bread')]),
    schema.node('listItem', null, [line('butter and salt')]),
  ]),
  line('It took teh bus.', text(' Why?', schema.mark('insertion', { id: 'ben1' }))),
  line(text('Gone.', schema.mark('deletion', { id: 'ben2' })), ' Stays.'),
)

// Like the editor, which doesn't inherit suggestion marks from the text around.
function typePlainly(tr: Transaction, words: string, from: number, to = from): Transaction {
  tr.insertText(words, from, to)
  for (const name of ['insertion', 'deletion', 'formattingChange']) {
    tr.removeMark(from, from + words.length, schema.marks[name])
  }
  return tr
}

function randomEdit(tr: Transaction, kind: number, a: number, b: number): Transaction {
  const size = tr.doc.content.size
  const [from, to] = [Math.min(a % size, b % size), Math.max(a % size, b % size)]
  const $from = TextSelection.near(tr.doc.resolve(from)).$from
  const end = Math.min($from.end(), $from.pos + (b % 6))
  try {
    if (kind < 4) return typePlainly(tr, 'xyz '.slice(kind), $from.pos, kind === 3 ? end : $from.pos)
    if (kind < 6) return tr.delete($from.pos, end)
    if (kind === 6) return tr.split($from.pos)
    if (kind === 7) return tr.delete(from, to)
    if (kind === 8) return tr.addMark($from.pos, end, schema.mark('italic'))
    if (kind === 9) return tr.removeMark($from.pos, end, schema.mark('bold'))
    if (kind === 10)
      return tr.setBlockType($from.pos, $from.pos, schema.nodes.heading ?? $from.parent.type, { level: 3 })
    return typePlainly(typePlainly(tr, 'one ', $from.pos), 'two ', $from.pos)
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && error.name === 'TransformError')) return tr
    throw error
  }
}

test('[SUG-16] whatever is done, rejecting all of it restores the text and accepting it is plain editing', () => {
  const steps = fc.array(fc.tuple(fc.nat(11), fc.nat(2_000), fc.nat(2_000)), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(steps, (edits) => {
      const person = open(someDocument)
      const original = resolveChanges(someDocument, 'original')
      for (const [kind, a, b] of edits) {
        const before = person.state
        const plain = randomEdit(before.tr, kind, a, b)
        if (!plain.doc.textContent.isWellFormed()) continue
        person.run((tr) => randomEdit(tr, kind, a, b))
        person.state.doc.check()
        expect(resolveChanges(person.state.doc, 'accepted').toJSON()).toEqual(
          resolveChanges(plain.doc, 'accepted').toJSON(),
        )
        expect(resolveChanges(person.state.doc, 'original').toJSON()).toEqual(original.toJSON())
      }
      const mine = readChanges(person.state.doc).flatMap(({ id }) => (id.startsWith('own') ? [id] : []))
      const rejected = decideChanges(person.state.doc, new Set(mine), 'reject').doc
      expect(resolveChanges(rejected, 'original').toJSON()).toEqual(original.toJSON())
    }),
    { seed: Number(process.env.SEED ?? 20_261_121), numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
  )
})
