import { schema } from '@copydesk/schema'
import { EditorState, TextSelection } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import { describe, expect, test } from 'vitest'
import { nextKept } from './kept-selection.ts'

const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text('Alpha')])])
const start = () => EditorState.create({ doc }).tr
const selecting = () => start().setSelection(TextSelection.create(doc, 2))

describe('nextKept', () => {
  test('begins when the focus is lost', () => {
    expect(nextKept(false, start(), false)).toBe(false)
    expect(nextKept(false, start().setMeta('blur', {}), false)).toBe(true)
  })

  test('ends with the next selection in the text, not with the focus', () => {
    expect(nextKept(true, start().setMeta('focus', {}), true)).toBe(true)
    expect(nextKept(true, selecting(), true)).toBe(false)
  })

  test('outlasts what others change, before and after the focus returns', () => {
    expect(nextKept(true, selecting(), false)).toBe(true)
    expect(nextKept(true, selecting().setMeta(ySyncPluginKey, { isChangeOrigin: true }), true)).toBe(true)
  })
})
