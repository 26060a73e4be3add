import type { LucideIcon } from 'lucide-react'
import { createStore } from '../store.ts'
import type { EnglishText } from '../../i18n/translate.ts'

/** Something to choose in the palette; `id` is unique in its group. */
export type PaletteEntry = {
  id: string
  label: string
  icon?: LucideIcon | undefined
  /** A remark after the label. */
  detail?: string | undefined
  /** Its shortcut outside of the palette. */
  keys?: string | undefined
  /** Other search words for it, each some words. */
  words?: readonly EnglishText[] | undefined
  /** Called when the palette is closed and the focus is back where it was. */
  run: () => void
}

/** Entries of one kind, in the order in which they are shown without a search. */
export type PaletteGroup = { title: string; entries: readonly PaletteEntry[] }

/**
 * What a page adds to the palette: groups such as its headings, its commands, and what passes a request on to the agent
 * if the user may ask it.
 */
export type PaletteOffers = {
  groups: readonly PaletteGroup[]
  commands: readonly PaletteEntry[]
  ask?: ((request: string) => void) | undefined
}

/** Reads what the page on screen adds to the palette at the moment; null if it adds nothing. Its code loads with it. */
export const paletteOffers = createStore<(() => Promise<PaletteOffers>) | null>(null)

/** Whether the palette is open. */
export const paletteShown = createStore(false)
