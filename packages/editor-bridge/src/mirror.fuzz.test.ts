import { reviewExtensions, schema, schemaExtensions } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { seededChoices } from '@copydesk/testing'
import { executeToolCall, openHeadlessSession } from '@copydesk/tools'
import { Extension, Mark } from '@tiptap/core'
import { toggleMark } from '@tiptap/pm/commands'
import { undo } from '@tiptap/pm/history'
import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import { canSplit } from 'prosemirror-transform'
import { expect, test } from 'vitest'
import { createMirror, convertNode } from './mirror.ts'
import { openEditor } from './testing/open-editor.ts'

const markdown =
  '# Plan\n\nWe meet in **Pari** on Monday.\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nThe end.'

/** An app's own extensions: no comments and suggestions, but a mark and an attribute that the tools don't know. */
const foreign = [
  ...schemaExtensions.filter((each) => !reviewExtensions.includes(each) && each.name !== 'codeBlock'),
  Mark.create({ name: 'color', addAttributes: () => ({ value: { default: 'red' } }) }),
  Extension.create({
    name: 'align',
    addGlobalAttributes: () => [{ types: ['paragraph', 'heading'], attributes: { align: { default: 'left' } } }],
  }),
]

test.for([
  { kind: 'with our extensions', extensions: schemaExtensions, modes: ['edit', 'suggest'] as const },
  { kind: 'with extensions of its own', extensions: foreign, modes: ['edit', 'edit'] as const },
])('an editor $kind and the Y.Doc stay equal, whatever person and agent do', async ({ extensions, modes }) => {
  for (let seed = 1; seed <= 8; seed++) {
    const random = seededChoices(seed)
    const editor = openEditor([], extensions)
    editor.commands.setContent(parseMarkdown(markdown).doc.toJSON() as object)
    const mirror = createMirror(editor, { addToHistory: false })
    const session = openHeadlessSession({ doc: mirror.doc, mode: modes[seed % 2] ?? 'edit' })
    try {
      for (let step = 0; step < 25; step++) {
        await act()
        const read = mirror.reader.read()
        expect(read.ok && common(read.view.doc), `seed ${seed}, step ${step}`).toEqual(common(editor.state.doc))
        expect(mirror.problem()).toBeUndefined()
        editor.state.doc.check()
      }
    } finally {
      session.close()
      mirror.close()
      editor.destroy()
    }

    // The content that both schemas can represent.
    function common(doc: Node): unknown {
      return convertNode(convertNode(doc, editor.schema), schema).toJSON()
    }

    async function act(): Promise<void> {
      const { doc } = editor.state
      const from = random.int(doc.content.size + 1)
      const to = Math.min(doc.content.size, from + random.int(random.chance(0.1) ? doc.content.size : 12))
      const selection = TextSelection.between(doc.resolve(from), doc.resolve(to))
      const tr = editor.state.tr.setSelection(selection)
      const letter = random.pick('a e i m n o r t'.split(' '))
      const call = (name: string, input: object) => executeToolCall(name, input, session)
      const color = editor.schema.marks['color']
      const strong = editor.schema.marks['bold']
      const acts: (() => unknown)[] = [
        () => editor.view.dispatch(tr.insertText('new ')),
        () => editor.view.dispatch(tr.deleteSelection()),
        () => editor.view.dispatch(editor.state.tr.insertText(letter, selection.from)),
        () => {
          editor.view.dispatch(tr)
          if (strong) toggleMark(strong)(editor.state, editor.view.dispatch)
          const at = editor.state.selection.from
          if (canSplit(editor.state.doc, at)) editor.view.dispatch(editor.state.tr.split(at))
        },
        () => color && editor.view.dispatch(tr.addMark(selection.from, selection.to, color.create())),
        () =>
          selection.$from.depth === 1 &&
          editor.view.dispatch(tr.setNodeAttribute(selection.$from.before(), 'align', letter)),
        () => undo(editor.state, editor.view.dispatch),
        () => call('replace_text', { searchText: letter, newText: `${letter}${letter}`, limit: 3 }),
        () => call('replace_text', { searchText: letter, newText: '', limit: 2 }),
        () =>
          call('insert_text', {
            position: { type: 'absolute', location: 'end' },
            content: random.pick(['- item\n- *item*', '```\ncode\n```']),
          }),
        () => call('apply_formatting', { target: { type: 'text', value: letter }, format: { type: 'italic' } }),
        () => call('add_comment', { search: letter, occurrence: 'first', text: 'Look' }),
      ]
      await random.pick(acts)()
    }
  }
})
