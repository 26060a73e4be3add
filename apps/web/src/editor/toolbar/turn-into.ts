import type { Editor } from '@tiptap/core'
import {
  Heading1,
  Heading2,
  Heading3,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
  SquareCode,
  Type,
} from 'lucide-react'
import type { EnglishText } from '../../i18n/translate.ts'

/** A block type that text can be converted to. `isActive`: whether the block at the caret already has it. */
export type BlockKind = {
  label: EnglishText
  icon: LucideIcon
  shortcut: string
  /** Other search words for it. */
  words: EnglishText
  isActive: (editor: Editor) => boolean
  apply: (editor: Editor) => void
}

const lists = ['bulletList', 'orderedList', 'taskList'] as const

/** The block types, in menu order. */
export const blockKinds: readonly BlockKind[] = [
  {
    label: 'Text',
    icon: Type,
    shortcut: 'Mod-Alt-0',
    words: 'paragraph plain normal',
    isActive: (editor) =>
      editor.isActive('paragraph') && ![...lists, 'blockquote'].some((name) => editor.isActive(name)),
    apply: toText,
  },
  heading('Heading 1', 'h1 title section', 1, Heading1),
  heading('Heading 2', 'h2 title section', 2, Heading2),
  heading('Heading 3', 'h3 title section', 3, Heading3),
  list('Bullet list', List, 'bulletList', 'Mod-Shift-8', 'unordered points ul'),
  list('Numbered list', ListOrdered, 'orderedList', 'Mod-Shift-7', 'ordered ol 1'),
  list('Task list', ListChecks, 'taskList', 'Mod-Shift-9', 'todo to-do checkbox checklist'),
  {
    label: 'Quote',
    icon: Quote,
    shortcut: 'Mod-Shift-b',
    words: 'blockquote citation',
    isActive: (editor) => editor.isActive('blockquote'),
    apply: (editor) => {
      if (!editor.isActive('blockquote')) editor.chain().focus().setBlockquote().run()
    },
  },
  {
    label: 'Code block',
    icon: SquareCode,
    shortcut: 'Mod-Alt-c',
    words: 'program source pre',
    isActive: (editor) => editor.isActive('codeBlock'),
    apply: (editor) => editor.chain().focus().setCodeBlock().run(),
  },
]

function heading(label: EnglishText, words: EnglishText, level: 1 | 2 | 3, icon: LucideIcon): BlockKind {
  return {
    label,
    icon,
    shortcut: `Mod-Alt-${level}`,
    words,
    isActive: (editor) => editor.isActive('heading', { level }),
    apply: (editor) => {
      leaveContainers(editor)
      editor.chain().focus().setHeading({ level }).run()
    },
  }
}

function list(
  label: EnglishText,
  icon: LucideIcon,
  name: (typeof lists)[number],
  shortcut: string,
  words: EnglishText,
): BlockKind {
  return {
    label,
    icon,
    shortcut,
    words,
    isActive: (editor) => editor.isActive(name),
    apply: (editor) => {
      if (editor.isActive(name)) return
      if (editor.isActive('heading') || editor.isActive('codeBlock')) editor.chain().focus().setParagraph().run()
      editor
        .chain()
        .focus()
        .toggleList(name, name === 'taskList' ? 'taskItem' : 'listItem')
        .run()
    },
  }
}

function toText(editor: Editor): void {
  leaveContainers(editor)
  if (!editor.isActive('paragraph')) editor.chain().focus().setParagraph().run()
}

// A heading or paragraph type can't be set inside a list or quote: a list item is lifted out of its list first, a quote
// unwrapped.
function leaveContainers(editor: Editor): void {
  for (let depth = editor.state.selection.$from.depth; depth > 0; depth -= 1) {
    const item = editor.isActive('taskItem') ? 'taskItem' : editor.isActive('listItem') ? 'listItem' : null
    const left = item
      ? editor.chain().focus().liftListItem(item).run()
      : editor.isActive('blockquote') && editor.chain().focus().lift('blockquote').run()
    if (!left) return
  }
}
