import { useSyncExternalStore } from 'react'
import { writeStored, readStored } from '../local-storage.ts'
import { useMediaQuery, useNarrow } from './media-queries.ts'
import { createStore } from '../store.ts'

const storageKey = 'copydesk side bar'
// Includes print: no sheet may open during printing.
const roomBesideText = 'print, (min-width: 1440px)'

/** Whether the user wants the side bar next to documents, and whether it is open as a sheet in narrow windows. */
const sideBar = createStore({ isWanted: readStored(storageKey) === 'shown', isSheetOpen: false })

/** Opens or closes the side bar as a sheet, in windows too narrow to show it next to the page. */
export function openSideBarSheet(isSheetOpen: boolean): void {
  sideBar.set({ ...sideBar.get(), isSheetOpen })
}

function setSideBarWanted(isWanted: boolean): void {
  sideBar.set({ ...sideBar.get(), isWanted })
  writeStored(storageKey, isWanted ? 'shown' : 'hidden')
}

/**
 * The side bar of a page: always next to a list in wide windows, next to a document only if the user wants it,
 * otherwise a sheet.
 */
export function useSideBar(place: 'list' | 'document') {
  const { isWanted, isSheetOpen } = useSyncExternalStore(sideBar.subscribe, sideBar.get)
  const isListWide = !useNarrow()
  const isDocumentWide = useMediaQuery(roomBesideText)
  const hasRoom = place === 'list' ? isListWide : isDocumentWide
  const isDocked = hasRoom && (place === 'list' || isWanted)
  const toggle = () => (hasRoom ? place === 'document' && setSideBarWanted(!isWanted) : openSideBarSheet(!isSheetOpen))
  return { isDocked, isSheetOpen: isSheetOpen && !hasRoom, toggle }
}
