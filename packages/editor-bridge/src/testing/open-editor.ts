import { schemaExtensions } from '@copydesk/schema'
import { type AnyExtension, Editor, type JSONContent } from '@tiptap/core'
import { history } from '@tiptap/pm/history'

/** A text block as JSON: a paragraph, or a heading if the text begins with `# `. */
function block(text: string): JSONContent {
  const content = (words: string) => (words === '' ? [] : [{ type: 'text', text: words }])
  if (!text.startsWith('# ')) return { type: 'paragraph', content: content(text) }
  return { type: 'heading', attrs: { level: 1 }, content: content(text.slice(2)) }
}

/** An unmounted editor, with an undo history, that contains these blocks. */
export function openEditor(blocks: readonly string[], extensions: readonly AnyExtension[] = schemaExtensions): Editor {
  const content = { type: 'doc', content: blocks.map(block) }
  const editor = new Editor({ element: null, extensions: [...extensions], content })
  editor.registerPlugin(history())
  return editor
}

/** The texts of an editor's blocks. */
export function textsOf(editor: Editor): string[] {
  return editor.state.doc.children.map((child) => child.textContent)
}

/** Types text at a position, like a person; the caret is then behind it. */
export function type(editor: Editor, text: string, pos: number): void {
  editor.view.dispatch(editor.state.tr.insertText(text, pos))
}
