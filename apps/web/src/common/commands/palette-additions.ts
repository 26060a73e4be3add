import type { LucideIcon } from 'lucide-react'
import { createStore } from '../store.ts'
import type { EnglishText } from '../../i18n/translate.ts'

/** An entry of the palette; `id` is unique in its group. */
export type PaletteEntry = {
  id: string
  label: string
  icon?: LucideIcon | undefined
  /** A remark after the label. */
  detail?: string | undefined
  /** Its shortcut outside of the palette. */
  keys?: string | undefined
  /** Other search terms for it, each of one or more words. */
  words?: readonly EnglishText[] | undefined
  /** Called when the palette is closed and the focus is restored. */
  run: () => void
}

/** Entries of one kind, in the order in which they are shown without a search. */
export type PaletteGroup = { title: string; entries: readonly PaletteEntry[] }

/**
 * A page's additions to the palette: groups such as its headings, its commands, and the function that passes a request
 * on to the agent if the user may ask it.
 */
export type PaletteAdditions = {
  groups: readonly PaletteGroup[]
  commands: readonly PaletteEntry[]
  ask?: ((request: string) => void) | undefined
}

/** Reads the current additions of the open page to the palette; null if it has none. Its code loads with the page. */
export const paletteAdditions = createStore<(() => Promise<PaletteAdditions>) | null>(null)

export const paletteShown = createStore(false)
