import type { Run } from '@copydesk/protocol'
import { createContext } from 'react'
import { createStore, type Store } from '../app/store.ts'
import type { RoomStore } from '../collaboration/room-store.ts'

/** The run whose menu is open, and the chip that it belongs to. */
export type OpenRunMenu = { run: string; chip: HTMLElement }

/** What the chips of one document share: the room that their runs stand in, and the one menu that is open. */
export type RunChips = { room: RoomStore; menu: Store<OpenRunMenu | null> }

/** Creates what the chips of a document share, with no menu open. */
export function createRunChips(room: RoomStore): RunChips {
  return { room, menu: createStore<OpenRunMenu | null>(null) }
}

/** The chips of the document that is shown; null where none is. */
export const RunChipsContext = createContext<RunChips | null>(null)

/** What a chip's menu offers for a run. `changed` says whether it has changed the text. */
export type RunOffers = { stop: boolean; undo: boolean; redo: boolean; changes: boolean }

/** What can be done with a run by somebody who may, or may not, edit. */
export function offersFor(run: Run, changed: boolean, canEdit: boolean, canStop: boolean): RunOffers {
  const isGoing = run.status === 'queued' || run.status === 'running' || run.status === 'awaiting_approval'
  const undone = run.undone === true
  return {
    stop: isGoing && canStop,
    undo: !isGoing && canEdit && changed && !undone,
    redo: !isGoing && canEdit && changed && undone,
    changes: (run.changedBlocks?.length ?? 0) > 0,
  }
}
