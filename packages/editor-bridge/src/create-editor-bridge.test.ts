import { reviewExtensions } from '@copydesk/schema'
import type { ToolResult } from '@copydesk/tools'
import { type Editor, Extension, Node } from '@tiptap/core'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { Heading } from '@tiptap/extension-heading'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { undo } from '@tiptap/pm/history'
import { TextSelection } from 'prosemirror-state'
import { DecorationSet } from 'prosemirror-view'
import { afterEach, describe, expect, test } from 'vitest'
import { createEditorBridge, type EditorBridge } from './create-editor-bridge.ts'
import { openEditor, textsOf, type } from './testing/open-editor.ts'

const Align = Extension.create({
  name: 'align',
  addGlobalAttributes: () => [{ types: ['paragraph'], attributes: { align: { default: null } } }],
})
/** An app's own extensions, without those of this project. */
const plain = [Document, Paragraph, Text, Bold, Heading, Align]

let opened: { editor: Editor; bridge: EditorBridge }[] = []
afterEach(() => {
  for (const { editor, bridge } of opened) {
    bridge.close()
    editor.destroy()
  }
  opened = []
})

function open(blocks: readonly string[], extensions?: typeof plain, options = {}) {
  const editor = openEditor(blocks, extensions)
  const bridge = createEditorBridge(editor, undefined, options)
  opened.push({ editor, bridge })
  return { editor, bridge }
}

function select(editor: Editor, from: number, to = from): void {
  editor.view.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, from, to)))
}

function expectOk(result: ToolResult): asserts result is Extract<ToolResult, { ok: true }> {
  expect(result).toMatchObject({ ok: true })
}

const text = ['# Plan', 'We meet in Pari on Monday.', 'Bring the papers.']

describe('a bridge over an editor', () => {
  test('reads the text, the document and the selection', () => {
    const { editor, bridge } = open(text)
    expect(bridge.getContentAsText()).toBe('Plan\n\nWe meet in Pari on Monday.\n\nBring the papers.')
    expect(bridge.getContent()).toEqual(editor.getJSON())
    expect(bridge.getSelectionContext()).toBeNull()
    select(editor, 18, 22)
    expect(bridge.getSelectionContext()).toMatchObject({
      text: 'Pari',
      block: text[1],
      after: ' on Monday.\nBring the papers.',
    })
    expect(bridge.getSystemContext()).toContain('Pari')
  })

  test('replaces a text; cursor and undo stay the person’s', async () => {
    const { editor, bridge } = open(text)
    type(editor, ' early', 32)
    select(editor, 36)
    expectOk(await bridge.replace({ find: 'Pari' }, 'Paris'))
    expect(textsOf(editor)).toEqual(['Plan', 'We meet in Paris on Monday early.', 'Bring the papers.'])
    expect(editor.state.selection.anchor).toBe(37)
    undo(editor.state, editor.view.dispatch)
    expect(textsOf(editor)[1]).toBe('We meet in Paris on Monday.')
    undo(editor.state, editor.view.dispatch)
    expect(textsOf(editor)[1]).toBe('We meet in Paris on Monday.')
  })

  test('with addToHistory undo takes the agent’s change back', async () => {
    const { editor, bridge } = open(text, undefined, { addToHistory: true })
    expectOk(await bridge.replace({ find: 'Pari' }, 'Paris'))
    undo(editor.state, editor.view.dispatch)
    expect(textsOf(editor)).toEqual(['Plan', ...text.slice(1)])
    expect(await bridge.executeToolCall('read_document', {})).toMatchObject({
      text: expect.stringContaining('Pari on'),
    })
  })

  test('sees what the person types between calls, and the whole document replaced', async () => {
    const { editor, bridge } = open(text)
    type(editor, 'Everyone: ', 7)
    expect(await bridge.executeToolCall('read_document', {})).toMatchObject({
      text: expect.stringContaining('Everyone: We meet'),
    })
    editor.commands.setContent({
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'New' }] }],
    })
    expect(await bridge.executeToolCall('read_document', {})).toMatchObject({ text: expect.stringContaining('New') })
    expectOk(await bridge.replace({ find: 'New' }, 'Newer'))
    expect(textsOf(editor)).toEqual(['Newer'])
  })

  test('comments stay on their text while it is edited', async () => {
    const { editor, bridge } = open(text)
    const added = await bridge.addComment({ find: 'Monday' }, 'Which one?')
    expectOk(added)
    const [thread] = bridge.getComments()
    expect(thread).toMatchObject({
      quote: 'Monday',
      resolved: false,
      orphaned: false,
      comments: [{ text: 'Which one?' }],
    })
    type(editor, 'Dear all. ', 7)
    expectOk(await bridge.replyTo(thread?.id ?? '', 'The 3rd.'))
    expectOk(await bridge.resolveComment(thread?.id ?? ''))
    expect(bridge.getComments()).toMatchObject([
      { orphaned: false, resolved: true, comments: [{}, { text: 'The 3rd.' }] },
    ])
  })

  test('suggests insertions and deletions', async () => {
    const { editor, bridge } = open(text)
    expectOk(await bridge.proposeInsertion({ find: 'papers' }, ' and pens'))
    expectOk(await bridge.proposeDeletion({ find: ' on Monday' }))
    expect(bridge.getChanges()).toMatchObject([
      { type: 'deletion', before: ' on Monday', author: { id: 'agent', name: 'Agent' } },
      { type: 'insertion', after: ' and pens' },
    ])
    expect(textsOf(editor)[2]).toBe('Bring the papers and pens.')
    expect(await bridge.proposeInsertion({ find: 'nowhere' }, 'x')).toMatchObject({ ok: false, code: 'not_found' })
  })

  test('highlights, and removes the highlight; asks to scroll', async () => {
    const { editor, bridge } = open(text)
    const shown = () => {
      const sets = editor.state.plugins.map((plugin) => plugin.props.decorations?.call(plugin, editor.state))
      return sets.flatMap((set) => (set instanceof DecorationSet ? set.find() : []))
    }
    const { result, remove } = await bridge.highlight({ find: 'papers' }, { color: 'green' })
    expectOk(result)
    const [{ from, to } = { from: 0, to: 0 }] = shown()
    expect(editor.state.doc.textBetween(from, to)).toBe('papers')
    remove()
    expect(shown()).toEqual([])
    expectOk(await bridge.scrollTo({ find: 'papers' }, { select: true }))
    expect(bridge.getSelectionContext()?.text).toBe('Bring the papers.')
  })

  test('offers only what an editor has: no title beside the text, no store, no search services', async () => {
    const { bridge } = open(text)
    expect(bridge.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['edit_document', 'suggest_deletion']))
    for (const name of [
      'set_title',
      'edit_frontmatter',
      'insert_image',
      'undo_changes',
      'search_web',
      'read_web_page',
    ]) {
      expect(await bridge.executeToolCall(name, {})).toMatchObject({ ok: false, code: 'unknown_tool' })
    }
  })

  test('follows nothing once it is closed', async () => {
    const { editor, bridge } = open(text)
    bridge.close()
    bridge.close()
    type(editor, 'x', 1)
    expect(textsOf(editor)[0]).toBe('xPlan')
  })
})

describe('an editor with a schema of its own', () => {
  test('keeps attributes that the tools don’t know, and comments outside the document', async () => {
    const { editor, bridge } = open(text, plain)
    editor.view.dispatch(editor.state.tr.setNodeAttribute(6, 'align', 'right'))
    expectOk(await bridge.replace({ find: 'Pari' }, '**Paris**'))
    expectOk(await bridge.addComment({ find: 'Paris' }, 'In France'))
    const paragraph = editor.state.doc.child(1)
    expect(paragraph.attrs).toMatchObject({ align: 'right' })
    expect(paragraph.child(1)).toMatchObject({ text: 'Paris', marks: [{ type: { name: 'bold' } }] })
    type(editor, '!', 33)
    expect(bridge.getComments()).toMatchObject([{ quote: 'Paris', orphaned: false }])
  })

  test('offers no suggestions without their marks, and takes them with reviewExtensions', async () => {
    const { editor, bridge } = open(text, plain)
    expect(bridge.tools.map(({ name }) => name)).not.toContain('suggest_deletion')
    expect(await bridge.proposeDeletion({ find: 'Pari' })).toMatchObject({ ok: false, code: 'unknown_tool' })
    expect(() => createEditorBridge(editor, undefined, { mode: 'suggest' })).toThrow('reviewExtensions')
    const other = open(text, [...plain, ...reviewExtensions] as typeof plain, { mode: 'suggest' })
    expectOk(await other.bridge.replace({ find: 'Pari' }, 'Rome'))
    expect(other.bridge.getChanges()).toMatchObject([{ before: 'Pari', after: 'Rome' }])
  })

  test('refuses what it can’t hold, and goes on', async () => {
    const { editor, bridge } = open(text, plain)
    const input = { position: { type: 'absolute', location: 'end' }, content: '- a list' }
    expect(await bridge.executeToolCall('insert_text', input)).toMatchObject({ ok: false, code: 'invalid_operation' })
    expect(textsOf(editor)).toEqual(['Plan', ...text.slice(1)])
    expectOk(await bridge.replace({ find: 'Pari' }, 'Paris'))
    expect(textsOf(editor)[1]).toBe('We meet in Paris on Monday.')
  })

  test('a node that the tools don’t know is named', async () => {
    const Callout = Node.create({ name: 'callout', group: 'block', content: 'inline*' })
    const { editor, bridge } = open(text, [...plain, Callout] as typeof plain)
    const callout = editor.schema.nodes['callout']?.create()
    if (callout) editor.view.dispatch(editor.state.tr.insert(0, callout))
    expect(await bridge.replace({ find: 'Pari' }, 'Paris')).toMatchObject({ ok: false, code: 'unavailable' })
    expect(() => createEditorBridge(editor)).toThrow('callout')
    editor.view.dispatch(editor.state.tr.delete(0, 2))
    expectOk(await bridge.replace({ find: 'Pari' }, 'Paris'))
  })
})
