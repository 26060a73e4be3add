import { parseMarkdown } from '@copydesk/schema/markdown'
import { seededChoices } from '@copydesk/testing'
import { executeToolCall, openHeadlessSession } from '@copydesk/tools'
import { toggleMark } from '@tiptap/pm/commands'
import { undo } from '@tiptap/pm/history'
import { TextSelection } from 'prosemirror-state'
import { canSplit } from 'prosemirror-transform'
import { expect, test } from 'vitest'
import { createMirror } from './mirror.ts'
import { openEditor } from './testing/open-editor.ts'

const markdown =
  '# Plan\n\nWe meet in **Pari** on Monday.\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nThe end.'

test('editor and Y.Doc stay equal, whatever person and agent do', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = seededChoices(seed)
    const editor = openEditor([])
    editor.commands.setContent(parseMarkdown(markdown).doc.toJSON() as object)
    const mirror = createMirror(editor, { addToHistory: false })
    const session = openHeadlessSession({ doc: mirror.doc, mode: seed % 2 === 0 ? 'suggest' : 'edit' })
    try {
      for (let step = 0; step < 25; step++) {
        await act()
        const read = mirror.reader.read()
        expect(read.ok && read.view.doc.toJSON(), `seed ${seed}, step ${step}`).toEqual(editor.state.doc.toJSON())
        editor.state.doc.check()
      }
    } finally {
      session.close()
      mirror.close()
      editor.destroy()
    }

    async function act(): Promise<void> {
      const { doc } = editor.state
      const [a, b] = [random.int(doc.content.size + 1), random.int(doc.content.size + 1)]
      const selection = TextSelection.between(doc.resolve(Math.min(a, b)), doc.resolve(Math.max(a, b)))
      const tr = editor.state.tr.setSelection(selection)
      const letter = random.pick('a e i m n o r t'.split(' '))
      const call = (name: string, input: object) => executeToolCall(name, input, session)
      const strong = editor.schema.marks['bold']
      const acts: (() => unknown)[] = [
        () => editor.view.dispatch(tr.insertText('new ')),
        () => editor.view.dispatch(tr.deleteSelection()),
        () => editor.view.dispatch(editor.state.tr.insertText(letter, selection.from)),
        () => {
          editor.view.dispatch(tr)
          if (strong) toggleMark(strong)(editor.state, editor.view.dispatch)
          const { from } = editor.state.selection
          if (canSplit(editor.state.doc, from)) editor.view.dispatch(editor.state.tr.split(from))
        },
        () => undo(editor.state, editor.view.dispatch),
        () => call('replace_text', { searchText: letter, newText: `${letter}${letter}`, limit: 3 }),
        () => call('replace_text', { searchText: letter, newText: '', limit: 2 }),
        () => call('insert_text', { position: { type: 'absolute', location: 'end' }, content: '- item\n- *item*' }),
        () => call('apply_formatting', { target: { type: 'text', value: letter }, format: { type: 'italic' } }),
        () => call('add_comment', { search: letter, occurrence: 'first', text: 'Look' }),
      ]
      await random.pick(acts)()
    }
  }
})
