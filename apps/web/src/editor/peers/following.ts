import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Awareness } from 'y-protocols/awareness'
import { presenceKey } from '../../collaboration/presence.ts'
import { createStore, type Store } from '../../common/store.ts'
import { fromJson, scrollToPosition, toPosition } from '../common/positions.ts'
import { oncePerFrame } from '../../common/throttle.ts'

/** The user that this user follows: the key of a presence, or null. */
export type Following = Store<string | null>

/** Creates the store, initially null. */
export function createFollowing(): Following {
  return createStore<string | null>(null)
}

/**
 * The caret of a presence, as JSON of Yjs relative positions; with several windows, that of the window that has one.
 * Undefined if there is none.
 */
export function caretOf(states: Awareness['states'], key: string): unknown {
  let head: unknown
  for (const state of states.values()) {
    if (presenceKey(state) === key) head = state['cursor']?.head ?? head
  }
  return head
}

// Events by which a user moves the view, or starts writing.
const ownDoing = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Keeps the caret of the followed user in view, until this user scrolls, clicks or types in the text. Scrolls only when
 * the caret is about to leave the view, so that the text doesn't move while the followed user types a line.
 */
export function createFollowPerson(awareness: Awareness, following: Following): Extension {
  return Extension.create({
    name: 'followPerson',
    addProseMirrorPlugins: () => [
      new Plugin({ key: new PluginKey('followPerson'), view: (view) => follow(view, awareness, following) }),
    ],
  })
}

function follow(view: EditorView, awareness: Awareness, following: Following) {
  const listening = new AbortController()
  const { schedule, cancel } = oncePerFrame(() => {
    const key = following.get()
    const position = key === null ? undefined : toPosition(view.state, fromJson(caretOf(awareness.getStates(), key)))
    if (position !== undefined && !isComfortable(view, position)) scrollToPosition(view, position)
  })
  const scheduleScroll = () => {
    if (following.get() !== null) schedule()
  }
  const unfollow = () => following.set(null)
  const onKey = ({ key }: KeyboardEvent) => void (key === 'Escape' && unfollow())
  const listen = () => {
    const scroller = view.dom.closest('[data-scroller]')
    for (const event of ownDoing) {
      scroller?.addEventListener(event, unfollow, { passive: true, signal: listening.signal })
    }
  }
  const stopFollowing = following.subscribe(() => {
    listen()
    scheduleScroll()
  })
  awareness.on('change', scheduleScroll)
  document.addEventListener('keydown', onKey, { signal: listening.signal })
  return {
    update: scheduleScroll,
    destroy() {
      cancel()
      listening.abort()
      stopFollowing()
      awareness.off('change', scheduleScroll)
    },
  }
}

/** Whether a position is in view, and not at its edge. */
function isComfortable(view: EditorView, position: number): boolean {
  const scroller = view.dom.closest('[data-scroller]')
  if (!scroller) return true
  const frame = scroller.getBoundingClientRect()
  const { top, bottom } = view.coordsAtPos(position)
  const margin = frame.height / 8
  return top >= frame.top + margin && bottom <= frame.bottom - margin
}
