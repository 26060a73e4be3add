import type { Editor } from '@tiptap/core'
import type { LucideIcon } from 'lucide-react'
import { shownKeys } from '../../common/commands/shortcut-keys.ts'
import type { EditorUi } from '../../editor/common/editor-ui.ts'
import { type EditingMode, editingModes, modeAppearances } from '../../editor/suggesting/editing-mode.ts'
import { moveKeys } from '../../editor/tables/tables.ts'
import { type Action, blockActions, indentActions, insertActions, textActions } from '../../editor/toolbar/actions.ts'
import { type BlockKind, blockKinds } from '../../editor/toolbar/turn-into.ts'
import type { EnglishText } from '../../i18n/translate.ts'
import { reviewKeys } from '../../review/text/review-keys.ts'

/**
 * One row of the overview: a shortcut's description and its keys; several if they are alternatives. The palette lists
 * it as a command, unless it only makes sense at the keyboard (`isTyped`): `run` executes it; without `run` its keys
 * are pressed.
 */
export type ShortcutLine = {
  label: EnglishText
  keys: readonly string[]
  /** The requirement of its keys, shown after the label. */
  needs?: EnglishText | undefined
  icon?: LucideIcon | undefined
  words?: EnglishText | undefined
  run?: (editor: Editor, ui: EditorUi) => void
  isTyped?: true
}

/** A titled section of the overview. */
export type ShortcutGroup = { title: EnglishText; lines: readonly ShortcutLine[] }

const line = (label: EnglishText, ...keys: string[]): ShortcutLine => ({ label, keys })
const typed = (label: EnglishText, ...keys: string[]): ShortcutLine => ({ label, keys, isTyped: true })

function fromActions(actions: readonly Action[]): ShortcutLine[] {
  return actions.flatMap(({ label, shortcut, shortcutNeeds: needs, icon, run }) =>
    shortcut ? [{ label, keys: [shortcut], needs, icon, run }] : [],
  )
}

function fromKinds(kinds: readonly BlockKind[]): ShortcutLine[] {
  return kinds.map(({ label, shortcut, icon, words, apply }) => ({ label, keys: [shortcut], icon, words, run: apply }))
}

const modeNames: Readonly<Record<EditingMode, EnglishText>> = {
  editing: 'Mode: Editing',
  suggesting: 'Mode: Suggesting',
  viewing: 'Mode: Viewing',
}

const inToolbar = new Set(blockActions.map(({ label }) => label))

/** All keyboard shortcuts, and so the commands of the palette. Those of the toolbar come from its own list. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  { title: 'Words', lines: fromActions(textActions) },
  {
    title: 'Blocks',
    lines: [
      ...fromKinds(blockKinds.filter(({ label }) => !inToolbar.has(label))),
      ...fromActions(blockActions),
      ...fromActions(indentActions).map((action): ShortcutLine => ({ ...action, isTyped: true })),
      line('Move the block up', 'Mod-Shift-ArrowUp'),
      line('Move the block down', 'Mod-Shift-ArrowDown'),
      typed('Menu of the block', 'Alt-F9'),
      line('Move what follows to a new document', shownKeys.split),
      typed('Move the rows of selected cells', moveKeys.up, moveKeys.down),
      typed('Move the columns of selected cells', moveKeys.left, moveKeys.right),
    ],
  },
  {
    title: 'Insert',
    lines: [
      typed('Choose what to insert', '/'),
      typed('Mention the agent or a person', '@'),
      ...fromActions(insertActions),
    ],
  },
  {
    title: 'Editing',
    lines: [
      line('Undo', 'Mod-z'),
      line('Redo', 'Mod-Shift-z', 'Mod-y'),
      line('Find', shownKeys.find),
      line('Find and replace', 'Mod-Alt-f'),
      typed('Line break', 'Shift-Enter'),
      typed('Leave a code block', 'Mod-Enter'),
      line('Language of a code block', 'Mod-Alt-g'),
      typed('Paste as plain text', 'Mod-Shift-v'),
    ],
  },
  {
    title: 'Review and agent',
    lines: [
      line('Comment on the selection', 'Mod-Alt-m'),
      line('Next comment', reviewKeys.nextComment),
      line('Previous comment', reviewKeys.previousComment),
      line('Reply to the comment', reviewKeys.reply),
      line('Resolve the comment', reviewKeys.resolve),
      line('Next suggestion', reviewKeys.nextChange),
      line('Previous suggestion', reviewKeys.previousChange),
      line('Accept the suggestion', reviewKeys.accept),
      line('Reject the suggestion', reviewKeys.reject),
      ...editingModes.map((mode) => ({
        ...line(modeNames[mode], modeAppearances[mode].shortcut),
        icon: modeAppearances[mode].icon,
      })),
      typed('Buttons for the selection, or the toolbar', 'Alt-F10'),
      typed('Send a request in the text', 'Enter'),
      line('Version history', shownKeys.history),
    ],
  },
  {
    title: 'Documents and folders',
    lines: [
      line('Show or hide the folders', shownKeys.sideBar),
      typed('Next and previous row', 'ArrowDown', 'ArrowUp'),
      typed('Open and close a folder', 'ArrowRight', 'ArrowLeft'),
      typed('Menu of a folder', 'Shift-F10'),
      typed('Rename a folder', 'F2'),
    ],
  },
  {
    title: 'Everywhere',
    lines: [typed('Search, commands, the agent', shownKeys.palette), typed('This overview', shownKeys.help, '?')],
  },
]
