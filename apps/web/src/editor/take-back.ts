import { isFinal, type Run } from '@copydesk/protocol'
import { Extension } from '@tiptap/core'
import { ySyncPluginKey } from 'y-prosemirror'
import { createStore, sameJson, type Store } from '../app/store.ts'
import type { RoomStore } from '../collaboration/room-store.ts'

/** What undo and redo of the keyboard mean for the last run of this person: take it back, put it back, or (null) nothing. */
export type TakeBackState = { kind: 'undo' | 'redo'; run: string } | null

/** Undo of the agent's last change by the same key as one's own. */
export type TakeBack = Pick<Store<TakeBackState>, 'get' | 'subscribe'> & {
  /** Takes the run back, or puts it back, if this key now means that; answers whether it does. */
  press(kind: 'undo' | 'redo'): boolean
  /** From now on undo means this person's own changes again. */
  forget(): void
  /** Follows the room's runs from now on; answers what ends that. */
  follow(): () => void
}

type Runs = ReadonlyMap<string, Run>

/** What `createTakeBack` needs: the room, who this is, and what takes a run back; it rejects when that fails. */
export type TakeBackOptions = {
  room: RoomStore
  self: string
  apply: (kind: 'undo' | 'redo', run: string) => Promise<void>
}

/** Decides what undo means from the runs of one person; `apply` is called at most once at a time. */
export function createTakeBack({ room, self, apply }: TakeBackOptions): TakeBack {
  const store = createStore<TakeBackState>(null, sameJson)
  let busy = false
  const forget = () => store.set(null)
  return {
    get: store.get,
    subscribe: store.subscribe,
    forget,
    press(kind) {
      if (busy) return true
      const now = store.get()
      if (now?.kind !== kind) {
        forget()
        return false
      }
      busy = true
      void apply(kind, now.run)
        .catch(forget)
        .finally(() => {
          busy = false
        })
      return true
    },
    follow() {
      let { runs } = room.get()
      return room.subscribe(() => {
        const before = runs
        runs = room.get().runs
        if (before !== runs) store.set(nextTakeBack(store.get(), before, runs, self))
      })
    },
  }
}

/** What undo and redo mean once the room's runs have gone from `before` to `after`: a run that has just ended comes first. */
export function nextTakeBack(current: TakeBackState, before: Runs, after: Runs, self: string): TakeBackState {
  for (const run of after.values()) {
    const known = before.get(run.id)
    const hasEnded = isFinal(run.status) && known !== undefined && !isFinal(known.status)
    if (hasEnded && run.invokedBy.id === self && hasChanged(run) && run.undone !== true) {
      return { kind: 'undo', run: run.id }
    }
  }
  const run = current ? after.get(current.run) : undefined
  return run ? { kind: run.undone === true ? 'redo' : 'undo', run: run.id } : null
}

/** Whether a run has changed the document, so that there is something to take back. */
export function hasChanged(run: Run): boolean {
  return run.steps.some((step) => step.changed === true) || (run.changedBlocks?.length ?? 0) > 0
}

/** The keys: as soon as this person types, undo is their own again. */
export function createTakeBackKeys(takeBack: TakeBack): Extension {
  return Extension.create({
    name: 'takeBack',
    // Before the binding's own undo.
    priority: 1200,
    onTransaction({ transaction }) {
      const fromYjs: unknown = transaction.getMeta(ySyncPluginKey)
      if (transaction.docChanged && fromYjs === undefined) takeBack.forget()
    },
    addKeyboardShortcuts: () => ({
      'Mod-z': () => takeBack.press('undo'),
      'Mod-y': () => takeBack.press('redo'),
      'Mod-Shift-z': () => takeBack.press('redo'),
    }),
  })
}
