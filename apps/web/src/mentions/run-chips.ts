import type { Run } from '@copydesk/protocol'
import { createContext } from 'react'
import { createStore, type Store } from '../app/store.ts'
import type { RoomStore } from '../collaboration/room-store.ts'

/** The run whose menu is open, and the chip that it belongs to. */
export type OpenRunMenu = { run: string; chip: HTMLElement }

/** What the chips of one document share: the room with their runs, and the open menu. */
export type RunChips = { room: RoomStore; menu: Store<OpenRunMenu | null> }

/** Creates what the chips of a document share, with no menu open. */
export function createRunChips(room: RoomStore): RunChips {
  return { room, menu: createStore<OpenRunMenu | null>(null) }
}

/** The chips of the document that is shown; null without one. */
export const RunChipsContext = createContext<RunChips | null>(null)

/** The items of a chip's menu for a run. `changed`: whether the run has changed the text. */
export type RunOffers = { stop: boolean; undo: boolean; redo: boolean; changes: boolean }

/** The possible actions on a run, for users with or without the right to edit. */
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
