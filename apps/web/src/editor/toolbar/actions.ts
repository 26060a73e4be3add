import type { Editor } from '@tiptap/core'
import {
  Bold,
  Code,
  Highlighter,
  ImagePlus,
  IndentDecrease,
  IndentIncrease,
  Italic,
  Link as LinkIcon,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Minus,
  Pi,
  Quote,
  Sigma,
  SquareCode,
  Strikethrough,
  Table,
  Underline,
} from 'lucide-react'
import type { EnglishText } from '../../i18n/translate.ts'
import type { EditorUi } from '../common/editor-ui.ts'

/**
 * One button of the toolbar. `mark` is the name of the mark or node whose presence shows the button as pressed; buttons
 * without one act once.
 */
export type Action = {
  label: EnglishText
  icon: LucideIcon
  shortcut?: string
  /** What the shortcut needs, if it means something else without. */
  shortcutNeeds?: EnglishText
  mark?: string
  run: (editor: Editor, ui: EditorUi) => void
}

/** Text formatting. */
export const textActions: readonly Action[] = [
  {
    label: 'Bold',
    icon: Bold,
    shortcut: 'Mod-b',
    mark: 'bold',
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    label: 'Italic',
    icon: Italic,
    shortcut: 'Mod-i',
    mark: 'italic',
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    label: 'Underline',
    icon: Underline,
    shortcut: 'Mod-u',
    mark: 'underline',
    run: (editor) => editor.chain().focus().toggleUnderline().run(),
  },
  {
    label: 'Strikethrough',
    icon: Strikethrough,
    shortcut: 'Mod-Shift-s',
    mark: 'strike',
    run: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    label: 'Code',
    icon: Code,
    shortcut: 'Mod-e',
    mark: 'code',
    run: (editor) => editor.chain().focus().toggleCode().run(),
  },
  {
    label: 'Highlight',
    icon: Highlighter,
    shortcut: 'Mod-Shift-h',
    mark: 'highlight',
    run: (editor) => editor.chain().focus().toggleHighlight().run(),
  },
  {
    label: 'Link',
    icon: LinkIcon,
    shortcut: 'Mod-k',
    shortcutNeeds: 'of selected text',
    mark: 'link',
    run: (_editor, ui) => ui.set('link'),
  },
]

/** Lists. */
export const listActions: readonly Action[] = [
  {
    label: 'Bullet list',
    icon: List,
    shortcut: 'Mod-Shift-8',
    mark: 'bulletList',
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: 'Numbered list',
    icon: ListOrdered,
    shortcut: 'Mod-Shift-7',
    mark: 'orderedList',
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: 'Task list',
    icon: ListChecks,
    shortcut: 'Mod-Shift-9',
    mark: 'taskList',
    run: (editor) => editor.chain().focus().toggleTaskList().run(),
  },
]

/** Other block types. */
export const blockActions: readonly Action[] = [
  {
    label: 'Quote',
    icon: Quote,
    shortcut: 'Mod-Shift-b',
    mark: 'blockquote',
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    label: 'Code block',
    icon: SquareCode,
    shortcut: 'Mod-Alt-c',
    mark: 'codeBlock',
    run: (editor) => editor.chain().focus().toggleCodeBlock().run(),
  },
  {
    label: 'Divider',
    icon: Minus,
    shortcut: 'Mod-Alt-Shift-l',
    run: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
]

/** Insertable nodes. */
export const insertActions: readonly Action[] = [
  { label: 'Image', icon: ImagePlus, shortcut: 'Mod-Alt-i', mark: 'image', run: (_editor, ui) => ui.set('image') },
  {
    label: 'Table',
    icon: Table,
    shortcut: 'Mod-Alt-Shift-t',
    mark: 'table',
    run: openTable,
  },
]

/** Formulas. */
export const formulaActions: readonly Action[] = [
  {
    label: 'Inline formula',
    icon: Pi,
    shortcut: 'Mod-Shift-e',
    mark: 'inlineMath',
    run: (_editor, ui) => ui.set('inlineMath'),
  },
  {
    label: 'Formula block',
    icon: Sigma,
    shortcut: 'Mod-Alt-Shift-f',
    mark: 'blockMath',
    run: (_editor, ui) => ui.set('blockMath'),
  },
]

/** Inserts a table; inside of one opens the table's menu. */
export function openTable(editor: Editor, ui: EditorUi): boolean {
  if (!editor.isActive('table'))
    return editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run()
  ui.set('tableMenu')
  return true
}

/** The depth of a list item; enabled inside lists. */
export const indentActions: readonly Action[] = [
  { label: 'Indent', icon: IndentIncrease, shortcut: 'Tab', run: (editor) => indent(editor, 'sink') },
  { label: 'Outdent', icon: IndentDecrease, shortcut: 'Shift-Tab', run: (editor) => indent(editor, 'lift') },
]

/** The names of all marks and nodes that show a button as pressed. */
export const pressingNames: readonly string[] = [
  ...textActions,
  ...listActions,
  ...insertActions,
  ...blockActions,
  ...formulaActions,
].flatMap(({ mark }) => mark ?? [])

function indent(editor: Editor, direction: 'sink' | 'lift'): void {
  const item = editor.isActive('taskItem') ? 'taskItem' : 'listItem'
  const chain = editor.chain().focus()
  if (direction === 'sink') chain.sinkListItem(item).run()
  else chain.liftListItem(item).run()
}
