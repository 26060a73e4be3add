import { schema } from '@copydesk/schema'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { EditorState, TextSelection } from 'prosemirror-state'
import { describe, expect, test } from 'vitest'
import { agentTarget } from './targets.ts'
import { createMention, isAtBlockEnd, resetMentions, sendMentions } from './mention-edits.ts'

function counter() {
  let last = 0
  return () => `id-${++last}`
}

const empty = schema.node('doc', null, [schema.node('paragraph')])
const paragraph = (...content: Node[]) => schema.node('paragraph', null, content)
const sent = (requestId: string) =>
  schema.node('mention', { id: 'agent', label: 'agent', kind: 'agent', requestId, state: 'sent' })

function mentionsIn(node: Node | Fragment): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  node.descendants((child) => {
    if (child.type.name === 'mention') found.push(child.attrs)
  })
  return found
}

describe('resetMentions', () => {
  test('makes pasted mentions drafts with ids of their own, at any depth', () => {
    const quote = schema.node('blockquote', null, [paragraph(sent('a'), schema.text(' x'), sent('a'))])
    const slice = resetMentions(new Slice(Fragment.from([quote, paragraph(sent('b'))]), 1, 1), empty, counter())
    expect(mentionsIn(slice.content)).toMatchObject([
      { requestId: 'id-1', state: 'draft' },
      { requestId: 'id-2', state: 'draft' },
      { requestId: 'id-3', state: 'draft' },
    ])
    expect([slice.openStart, slice.openEnd]).toEqual([1, 1])
  })

  test('a mention of a person that was cut keeps its id, once; a copy of one that is still there gets another', () => {
    const ben = schema.node('mention', { id: '2', label: 'Ben', kind: 'person', requestId: 'r', state: 'draft' })
    const slice = new Slice(Fragment.from(paragraph(ben, ben)), 0, 0)
    const ids = (doc: Node) =>
      mentionsIn(resetMentions(slice, doc, counter()).content).map(({ requestId }) => requestId)
    expect(ids(empty)).toEqual(['r', 'id-1'])
    expect(ids(schema.node('doc', null, [paragraph(ben)]))).toEqual(['id-1', 'id-2'])
  })

  test('returns the very slice when it holds no mention', () => {
    const slice = new Slice(Fragment.from(paragraph(schema.text('plain'))), 0, 0)
    expect(resetMentions(slice, empty, counter())).toBe(slice)
  })
})

describe('sendMentions', () => {
  const draft = createMention(schema, agentTarget, () => 'request')
  const state = (cursor: number) => {
    const doc = schema.node('doc', null, [paragraph(draft, schema.text(' tighten')), paragraph(schema.text('below'))])
    return EditorState.create({ doc, selection: TextSelection.create(doc, cursor) })
  }

  test('sends the drafts of the block with the cursor, outside the undo stack', () => {
    const transaction = sendMentions(state(5), counter())
    expect(mentionsIn(transaction?.doc ?? schema.node('doc'))).toMatchObject([{ requestId: 'request', state: 'sent' }])
    expect(transaction?.getMeta('addToHistory')).toBe(false)
  })

  test('does nothing elsewhere and a second time', () => {
    expect(sendMentions(state(14), counter())).toBeNull()
    const once = state(5)
    const after = once.apply(sendMentions(once, counter()) ?? once.tr)
    expect(sendMentions(after, counter())).toBeNull()
  })

  test('leaves a mention alone that asks for nothing', () => {
    const doc = schema.node('doc', null, [paragraph(draft, schema.text('  '), schema.node('hardBreak'))])
    expect(sendMentions(EditorState.create({ doc, selection: TextSelection.create(doc, 2) }), counter())).toBeNull()
  })

  test('knows the end of the block', () => {
    expect(isAtBlockEnd(state(10))).toBe(true)
    expect(isAtBlockEnd(state(9))).toBe(false)
  })

  test('gives a mention without an id one', () => {
    const doc = schema.node('doc', null, [
      paragraph(
        schema.node('mention', { id: 'agent', label: 'agent', kind: 'agent', requestId: null, state: 'draft' }),
        schema.text(' go'),
      ),
    ])
    const start = EditorState.create({ doc, selection: TextSelection.create(doc, 2) })
    expect(mentionsIn(sendMentions(start, counter())?.doc ?? doc)).toMatchObject([{ requestId: 'id-1', state: 'sent' }])
  })
})
