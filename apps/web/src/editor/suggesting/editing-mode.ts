import { Eye, type LucideIcon, MessageSquareDiff, Pencil } from 'lucide-react'
import { createStore, type Store } from '../../common/store.ts'
import type { EnglishText } from '../../i18n/translate.ts'
import type { Tracker, TrackerOptions } from './tracker.ts'

/** The effect of this user's edits: they change the text, become suggestions, or are rejected (read-only). */
export type EditingMode = 'editing' | 'suggesting' | 'viewing'

/** The modes, in menu order. */
export const editingModes: readonly EditingMode[] = ['editing', 'suggesting', 'viewing']

/** The code that converts edits to suggestions; loaded when the user first chooses that mode. */
export type SuggestingTools = { createTracker: (options: TrackerOptions) => Tracker }

/**
 * A store of the editing mode. It is `suggesting` only once the tools are loaded, so that no edit is untracked
 * meanwhile.
 */
export type EditingModeStore = Store<EditingMode> & { tools(): SuggestingTools | undefined }

/**
 * The options of `createEditingMode`: the storage of the mode between visits (`localStorage` in a browser), and the
 * loader of the tools.
 */
export type EditingModeOptions = {
  memory: Pick<Storage, 'getItem' | 'setItem'>
  load: () => Promise<SuggestingTools>
  onFailure: (error: unknown) => void
}

/** This user's mode in one document, remembered in this browser. */
export function createEditingMode(document: string, { memory, load, onFailure }: EditingModeOptions): EditingModeStore {
  const key = `copydesk mode ${document}`
  const kept = editingModes.find((mode) => mode === read(memory, key)) ?? 'editing'
  const store = createStore<EditingMode>(kept === 'suggesting' ? 'viewing' : kept)
  let wanted = kept
  let tools: SuggestingTools | undefined
  const loadTools = async () => {
    try {
      tools ??= await load()
      if (wanted === 'suggesting') store.set('suggesting')
    } catch (error) {
      onFailure(error)
    }
  }
  if (kept === 'suggesting') void loadTools()
  return {
    ...store,
    tools: () => tools,
    set(mode) {
      wanted = mode
      write(memory, key, mode)
      if (mode !== 'suggesting' || tools) store.set(mode)
      else void loadTools()
    },
  }
}

// A browser may block storage; the mode then lasts as long as the page.
function read(memory: EditingModeOptions['memory'], key: string): string | null {
  try {
    return memory.getItem(key)
  } catch {
    return null
  }
}

function write(memory: EditingModeOptions['memory'], key: string, mode: EditingMode): void {
  try {
    memory.setItem(key, mode)
  } catch {
    // If storage is blocked, only the mode isn't remembered.
  }
}

/** The icon, label, description and shortcut of a mode. */
type ModeAppearance = { icon: LucideIcon; label: EnglishText; meaning: EnglishText; shortcut: string }

export const modeAppearances: Record<EditingMode, ModeAppearance> = {
  editing: { icon: Pencil, label: 'Editing', meaning: 'Change the text directly', shortcut: 'Mod-Alt-Shift-z' },
  suggesting: {
    icon: MessageSquareDiff,
    label: 'Suggesting',
    meaning: 'Your changes become suggestions',
    shortcut: 'Mod-Alt-Shift-x',
  },
  viewing: { icon: Eye, label: 'Viewing', meaning: 'Read without changing anything', shortcut: 'Mod-Alt-Shift-c' },
}
