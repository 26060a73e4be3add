import type { ChainedCommands, Editor } from '@tiptap/core'
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
import type { EditorUi, PopoverKind } from '../common/editor-ui.ts'

/**
 * One button of the toolbar. `mark` is the name of the mark or node whose presence shows the button as pressed; buttons
 * without one act once.
 */
export type Action = {
  label: EnglishText
  icon: LucideIcon
  shortcut?: string
  /** The requirement of the shortcut, if it has another meaning without it. */
  shortcutNeeds?: EnglishText
  mark?: string
  run: (editor: Editor, ui: EditorUi) => void
}

type Add = (chain: ChainedCommands) => ChainedCommands

/** A button that runs a command with the focus in the text. */
function command(label: EnglishText, icon: LucideIcon, shortcut: string, mark: string | undefined, add: Add): Action {
  const run = (editor: Editor) => void add(editor.chain().focus()).run()
  return { label, icon, shortcut, run, ...(mark === undefined ? {} : { mark }) }
}

/** A button that opens the form for a mark or node. */
function form(label: EnglishText, icon: LucideIcon, shortcut: string, mark: PopoverKind): Action {
  return { label, icon, shortcut, mark, run: (_editor, ui) => ui.set(mark) }
}

export const textActions: readonly Action[] = [
  command('Bold', Bold, 'Mod-b', 'bold', (chain) => chain.toggleBold()),
  command('Italic', Italic, 'Mod-i', 'italic', (chain) => chain.toggleItalic()),
  command('Underline', Underline, 'Mod-u', 'underline', (chain) => chain.toggleUnderline()),
  command('Strikethrough', Strikethrough, 'Mod-Shift-s', 'strike', (chain) => chain.toggleStrike()),
  command('Code', Code, 'Mod-e', 'code', (chain) => chain.toggleCode()),
  command('Highlight', Highlighter, 'Mod-Shift-h', 'highlight', (chain) => chain.toggleHighlight()),
  { ...form('Link', LinkIcon, 'Mod-k', 'link'), shortcutNeeds: 'of selected text' },
]

export const listActions: readonly Action[] = [
  command('Bullet list', List, 'Mod-Shift-8', 'bulletList', (chain) => chain.toggleBulletList()),
  command('Numbered list', ListOrdered, 'Mod-Shift-7', 'orderedList', (chain) => chain.toggleOrderedList()),
  command('Task list', ListChecks, 'Mod-Shift-9', 'taskList', (chain) => chain.toggleTaskList()),
]

export const blockActions: readonly Action[] = [
  command('Quote', Quote, 'Mod-Shift-b', 'blockquote', (chain) => chain.toggleBlockquote()),
  command('Code block', SquareCode, 'Mod-Alt-c', 'codeBlock', (chain) => chain.toggleCodeBlock()),
  command('Divider', Minus, 'Mod-Alt-Shift-l', undefined, (chain) => chain.setHorizontalRule()),
]

export const insertActions: readonly Action[] = [
  form('Image', ImagePlus, 'Mod-Alt-i', 'image'),
  { label: 'Table', icon: Table, shortcut: 'Mod-Alt-Shift-t', mark: 'table', run: openTable },
]

export const formulaActions: readonly Action[] = [
  form('Inline formula', Pi, 'Mod-Shift-e', 'inlineMath'),
  form('Formula block', Sigma, 'Mod-Alt-Shift-f', 'blockMath'),
]

/** Inserts a table; inside of a table opens its menu. */
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
