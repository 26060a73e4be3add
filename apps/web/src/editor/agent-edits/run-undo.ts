import { isFinal, type Run } from '@copydesk/protocol'
import { Extension } from '@tiptap/core'
import { isOwnEdit } from '../common/from-yjs.ts'
import { createStore, sameJson, type Store } from '../../common/store.ts'
import type { RoomStore } from '../../collaboration/room-store.ts'

/** The effect of the undo and redo keys on this user's last run: undo it, redo it, or none (null). */
export type RunUndoState = { kind: Kind; run: string } | null

type Kind = 'undo' | 'redo'

/** Undo of the agent's last change by the same key as the user's own changes. */
export type RunUndo = Pick<Store<RunUndoState>, 'get' | 'subscribe'> & {
  /**
   * Undoes or redoes the run if this key currently does that; returns whether it does. While a call is made, the last
   * key that would reverse it is remembered.
   */
  press(kind: Kind): boolean
  /** From now on undo applies to this user's own changes again. */
  clear(): void
  /** Observes the room's runs from now on; returns a function that stops that. */
  follow(): () => void
}

type Runs = ReadonlyMap<string, Run>

/**
 * The options of `createRunUndo`: the room, the user, and the function that undoes a run; it rejects when that fails.
 */
export type RunUndoOptions = {
  room: RoomStore
  self: string
  apply: (kind: Kind, run: string) => Promise<void>
}

/** Determines the effect of undo from one user's runs; never runs two calls of `apply` at the same time. */
export function createRunUndo({ room, self, apply }: RunUndoOptions): RunUndo {
  const store = createStore<RunUndoState>(null, sameJson)
  let applying: Kind | undefined
  // Pressed while `apply` runs: only the last key counts.
  let next: Kind | undefined
  const clear = () => store.set(null)
  const press = (kind: Kind): boolean => {
    if (applying) {
      next = kind === applying ? undefined : kind
      return true
    }
    const now = store.get()
    if (now?.kind !== kind) {
      clear()
      return false
    }
    applying = kind
    void apply(kind, now.run)
      .then(() => {
        // The room reports this a moment later: until then the key must not do the same again.
        if (store.get()?.run === now.run) store.set({ kind: kind === 'undo' ? 'redo' : 'undo', run: now.run })
      })
      .catch(clear)
      .finally(() => {
        const pressed = next
        applying = next = undefined
        if (pressed && store.get()?.kind === pressed) press(pressed)
      })
    return true
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    clear,
    press,
    follow() {
      let { runs } = room.get()
      return room.subscribe(() => {
        const before = runs
        runs = room.get().runs
        if (before !== runs) store.set(nextRunUndo(store.get(), before, runs, self))
      })
    },
  }
}

/**
 * The effect of undo and redo after the room's runs have changed from `before` to `after`: a run that has just ended
 * has priority.
 */
export function nextRunUndo(current: RunUndoState, before: Runs, after: Runs, self: string): RunUndoState {
  for (const run of after.values()) {
    const known = before.get(run.id)
    const hasEnded = isFinal(run.status) && known !== undefined && !isFinal(known.status)
    if (hasEnded && run.invokedBy.id === self && hasChanged(run) && !run.steps.some(isOfFile) && run.undone !== true) {
      return { kind: 'undo', run: run.id }
    }
  }
  const run = current ? after.get(current.run) : undefined
  return run ? { kind: run.undone === true ? 'redo' : 'undo', run: run.id } : null
}

// The keys apply only to the text; a file change was approved by a person, who may be another user.
function isOfFile({ tool, changed }: Run['steps'][number]): boolean {
  return changed === true && /^(?:edit|create)_file$/.test(tool)
}

/** Whether a run has changed the document or a file, so that it can be undone. */
export function hasChanged(run: Run): boolean {
  return run.steps.some((step) => step.changed === true) || (run.changedBlocks?.length ?? 0) > 0
}

/** The keys: as soon as this user types, undo applies to their own changes again. */
export function createRunUndoKeys(runUndo: RunUndo): Extension {
  return Extension.create({
    name: 'takeBack',
    // Before the binding's own undo.
    priority: 1200,
    onTransaction({ transaction }) {
      if (isOwnEdit(transaction)) runUndo.clear()
    },
    addKeyboardShortcuts() {
      return {
        'Mod-z': () => runUndo.press('undo'),
        'Mod-y': () => runUndo.press('redo'),
        // Always handled: with Caps Lock, the key is a lower-case z, and the keymaps would otherwise look it up without
        // Shift, and undo.
        'Mod-Shift-z': () => {
          if (!runUndo.press('redo')) this.editor.commands.redo()
          return true
        },
      }
    },
  })
}
