import { useSyncExternalStore } from 'react'
import { keep, readKept } from '../kept.ts'
import { useMediaQuery, useNarrow } from './media-queries.ts'
import { createStore } from '../store.ts'

const storageKey = 'copydesk side bar'
// Paper has room for all that isn't printed: no sheet opens while a browser prints.
const roomBesideText = 'print, (min-width: 1440px)'

/** Whether the user wants the side bar next to documents, and whether it is open as a sheet where it has no room. */
const sideBar = createStore({ isWanted: readKept(storageKey) === 'shown', isSheetOpen: false })

/** Opens or closes the side bar where it has no room beside the page. */
export function openSideBarSheet(isSheetOpen: boolean): void {
  sideBar.set({ ...sideBar.get(), isSheetOpen })
}

function wantSideBar(isWanted: boolean): void {
  sideBar.set({ ...sideBar.get(), isWanted })
  keep(storageKey, isWanted ? 'shown' : 'hidden')
}

/**
 * The side bar of a page: always beside a list that has room for it, beside a document only if the user wants it, else
 * a sheet.
 */
export function useSideBar(place: 'list' | 'document') {
  const { isWanted, isSheetOpen } = useSyncExternalStore(sideBar.subscribe, sideBar.get)
  const isListWide = !useNarrow()
  const isDocumentWide = useMediaQuery(roomBesideText)
  const hasRoom = place === 'list' ? isListWide : isDocumentWide
  const isDocked = hasRoom && (place === 'list' || isWanted)
  const toggle = () => (hasRoom ? place === 'document' && wantSideBar(!isWanted) : openSideBarSheet(!isSheetOpen))
  return { isDocked, isSheetOpen: isSheetOpen && !hasRoom, toggle }
}
