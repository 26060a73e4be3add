import { Eye, type LucideIcon, MessageSquareDiff, Pencil } from 'lucide-react'
import type { EditingMode } from './editing-mode.ts'

/** The icon, label, description and shortcut of a mode. */
export type ModeLook = { icon: LucideIcon; label: string; meaning: string; shortcut: string }

/** The looks of all modes. */
export const modeLooks: Record<EditingMode, ModeLook> = {
  editing: { icon: Pencil, label: 'Editing', meaning: 'Change the text directly', shortcut: 'Mod-Alt-Shift-z' },
  suggesting: {
    icon: MessageSquareDiff,
    label: 'Suggesting',
    meaning: 'Your changes become suggestions',
    shortcut: 'Mod-Alt-Shift-x',
  },
  viewing: { icon: Eye, label: 'Viewing', meaning: 'Read without changing anything', shortcut: 'Mod-Alt-Shift-c' },
}
