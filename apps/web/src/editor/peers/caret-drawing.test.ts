import { schema } from '@copydesk/schema'
import { EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { yCursorPluginKey, ySyncPluginKey } from 'y-prosemirror'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyAwarenessUpdate, Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { followCarets } from './caret-drawing.ts'

let frames: (() => void)[] = []
const nextFrame = () => frames.splice(0).forEach((act) => act())

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => frames.push(act))
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []))
})
afterEach(() => {
  frames = []
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const caretAt = (position: number) => Decoration.widget(position, () => document.createElement('i'), { key: 'peer' })

/** An editor with one peer's caret in its first paragraph, as the binding's two plugins keep it, and other peers. */
function scene() {
  const { doc, paragraph } = schema.nodes
  const text = (words: string) => paragraph!.create(null, schema.text(words))
  const sync = new Plugin({
    key: ySyncPluginKey,
    state: {
      init: () => ({ isChangeOrigin: false, binding: { isDestroyed: false } }),
      apply: (transaction, value) => ({ ...value, isChangeOrigin: transaction.getMeta('others') === true }),
    },
  })
  const carets = new Plugin<DecorationSet>({
    key: yCursorPluginKey,
    state: {
      init: (_, state) => DecorationSet.create(state.doc, [caretAt(3)]),
      apply: (transaction, set) => set.map(transaction.mapping, transaction.doc),
    },
  })
  const drawn: Transaction[] = []
  const changed: (readonly number[])[] = []
  const view = {
    state: EditorState.create({ doc: doc!.create(null, [text('first'), text('second')]), plugins: [sync, carets] }),
    composing: false,
    dispatch(transaction: Transaction) {
      const before = view.state
      view.state = before.apply(transaction)
      if (transaction.getMeta(yCursorPluginKey) !== undefined) drawn.push(transaction)
      following.update(view, before)
    },
  }
  const awareness = new Awareness(new Y.Doc())
  const following = followCarets(view as unknown as EditorView, awareness, (_view, clients) => changed.push(clients))
  const others = Array.from({ length: 10 }, () => new Awareness(new Y.Doc()))
  const move = (other: Awareness, head: number) => {
    other.setLocalState({ cursor: { head } })
    applyAwarenessUpdate(awareness, encodeAwarenessUpdate(other, [other.clientID]), 'server')
  }
  const close = () => {
    following.destroy()
    for (const each of [awareness, ...others]) each.destroy()
  }
  return { view, awareness, others, move, drawn, changed, close }
}

test('ten carets that move five times within a frame are drawn in one transaction, and told once', () => {
  const { others, move, drawn, changed, close } = scene()
  for (let step = 0; step < 5; step++) for (const other of others) move(other, step)
  expect(drawn).toHaveLength(0)
  nextFrame()
  expect(drawn).toHaveLength(1)
  expect(new Set(changed[0])).toEqual(new Set(others.map(({ clientID }) => clientID)))
  nextFrame()
  vi.advanceTimersByTime(1000)
  nextFrame()
  expect(drawn).toHaveLength(1)
  close()
})

test('this person’s own caret draws nothing', () => {
  const { awareness, drawn, changed, close } = scene()
  for (let step = 0; step < 5; step++) awareness.setLocalState({ cursor: { head: step } })
  nextFrame()
  expect(drawn).toHaveLength(0)
  expect(changed).toHaveLength(0)
  close()
})

test('carets that a change by others has drawn are not drawn again', () => {
  const { view, others, move, drawn, changed, close } = scene()
  move(others[0]!, 1)
  view.dispatch(view.state.tr.insertText('x', 1).setMeta('others', true))
  nextFrame()
  expect(drawn).toHaveLength(0)
  expect(changed).toEqual([[others[0]!.clientID]])
  close()
})

test('typing moves the carets of others along, and they are redrawn when it pauses', () => {
  const { view, drawn, close } = scene()
  for (let key = 0; key < 20; key++) {
    view.dispatch(view.state.tr.insertText('x', 8))
    nextFrame()
    vi.advanceTimersByTime(80)
  }
  expect(drawn).toHaveLength(0)
  vi.advanceTimersByTime(300)
  nextFrame()
  expect(drawn).toHaveLength(1)
  close()
})

test('a caret that an edit here has put away comes back at the next frame', () => {
  const { view, drawn, close } = scene()
  view.dispatch(view.state.tr.delete(0, 7))
  nextFrame()
  expect(drawn).toHaveLength(1)
  close()
})

test('nothing is drawn into a composition, and all of it afterwards', () => {
  const { view, others, move, drawn, close } = scene()
  view.composing = true
  move(others[0]!, 1)
  nextFrame()
  vi.advanceTimersByTime(300)
  nextFrame()
  expect(drawn).toHaveLength(0)
  view.composing = false
  vi.advanceTimersByTime(300)
  nextFrame()
  expect(drawn).toHaveLength(1)
  close()
})

test('after the editor has gone nothing comes', () => {
  const { others, move, drawn, changed, close } = scene()
  move(others[0]!, 1)
  close()
  nextFrame()
  vi.advanceTimersByTime(1000)
  expect(drawn).toHaveLength(0)
  expect(changed).toHaveLength(0)
})
