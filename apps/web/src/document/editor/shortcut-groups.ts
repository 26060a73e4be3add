import { viewKeys } from '../../common/page-layout.ts'
import { editingModes, modeLooks } from '../../editor/suggesting/editing-mode.ts'
import { blockActions, indentActions, insertActions, textActions } from '../../editor/toolbar/actions.ts'
import { blockKinds } from '../../editor/toolbar/turn-into.ts'
import { reviewKeys } from '../../review/text/review-keys.ts'

/** One row of the overview: what a shortcut does, and its keys; several if they are alternatives. */
export type ShortcutLine = { label: string; keys: readonly string[] }

/** A titled section of the overview. */
export type ShortcutGroup = { title: string; lines: readonly ShortcutLine[] }

const line = (label: string, ...keys: string[]): ShortcutLine => ({ label, keys })

function fromActions(actions: readonly { label: string; shortcut?: string }[]): ShortcutLine[] {
  return actions.flatMap(({ label, shortcut }) => (shortcut ? [line(label, shortcut)] : []))
}

const inToolbar = new Set(blockActions.map(({ label }) => label))

/** All keyboard shortcuts. Those of the toolbar come from its own list. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  { title: 'Words', lines: fromActions(textActions) },
  {
    title: 'Blocks',
    lines: [
      ...fromActions(blockKinds.filter(({ label }) => !inToolbar.has(label))),
      ...fromActions(blockActions),
      ...fromActions(indentActions),
      line('Move the block up', 'Mod-Shift-ArrowUp'),
      line('Move the block down', 'Mod-Shift-ArrowDown'),
      line('Menu of the block', 'Alt-F9'),
      line('Move what follows to a new document', viewKeys.split),
    ],
  },
  {
    title: 'Insert',
    lines: [
      line('Choose what to insert', '/'),
      line('Mention the agent or a person', '@'),
      ...fromActions(insertActions),
    ],
  },
  {
    title: 'Editing',
    lines: [
      line('Undo', 'Mod-z'),
      line('Redo', 'Mod-Shift-z', 'Mod-y'),
      line('Find', 'Mod-f'),
      line('Find and replace', 'Mod-Alt-f'),
      line('Line break', 'Shift-Enter'),
      line('Leave a code block', 'Mod-Enter'),
      line('Language of a code block', 'Mod-Alt-g'),
      line('Paste as plain text', 'Mod-Shift-v'),
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
      ...editingModes.map((mode) => line(`Mode: ${modeLooks[mode].label}`, modeLooks[mode].shortcut)),
      line('Buttons for the selection, or the toolbar', 'Alt-F10'),
      line('Send a request in the text', 'Enter'),
      line('Version history', viewKeys.history),
    ],
  },
  {
    title: 'Documents and folders',
    lines: [
      line('Show or hide the folders', viewKeys.sideBar),
      line('Next and previous row', 'ArrowDown', 'ArrowUp'),
      line('Open and close a folder', 'ArrowRight', 'ArrowLeft'),
      line('Menu of a folder', 'Shift-F10'),
      line('Rename a folder', 'F2'),
    ],
  },
  { title: 'Help', lines: [line('This overview', 'Mod-/', '?')] },
]
