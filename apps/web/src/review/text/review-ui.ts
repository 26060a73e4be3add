import type { Author, ChangeContributor } from '@copydesk/protocol'
import { useSyncExternalStore } from 'react'
import { createStore, sameJson, type Store } from '../../common/store.ts'

/** A suggested change for the interface. The author is unknown until the room is synced. */
export type OpenChange = {
  id: string
  type: 'insertion' | 'deletion' | 'replacement' | 'formatting' | 'block'
  before: string
  after: string
  from: number
  to: number
  author?: Author
  /** Other contributors to the change. */
  alsoBy?: readonly ChangeContributor[]
  createdAt?: string
  run?: string
  /** The user's request in response to which the agent made this change. */
  instruction?: string
}

/** The changes under the mouse, and the rectangle of their text on the screen. */
export type HoveredChanges = { ids: readonly string[]; left: number; top: number; bottom: number }

/**
 * The displayed state of a review. `changes` and `threads` (ids) are in document order. `atCaret` and `hovered` are the
 * changes at the caret and the mouse, `thread` is the active thread, `composing`: whether a new one is being written,
 * `canComment`: whether this user may write one. `margin`: whether cards are shown next to the text, so that none is
 * shown over it.
 */
type ReviewState = {
  changes: readonly OpenChange[]
  threads: readonly string[]
  atCaret: readonly string[]
  hovered: HoveredChanges | null
  thread: string | null
  composing: boolean
  canComment: boolean
  margin: boolean
}

/** The review state of one editor, shared by the extension that reads the text and the components around it. */
export type ReviewUi = Pick<Store<ReviewState>, 'get' | 'subscribe'> & {
  /** Changes some fields; values equal to the current ones keep their identity. */
  put(change: Partial<ReviewState>): void
}

/** Creates the review state of one editor, empty until the editor has read its text. */
export function createReviewUi(): ReviewUi {
  const store = createStore<ReviewState>({
    changes: [],
    threads: [],
    atCaret: [],
    hovered: null,
    thread: null,
    composing: false,
    canComment: false,
    margin: false,
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    put(change) {
      const before = store.get()
      const next = { ...before, ...change }
      if (
        !sameJson(
          Object.keys(change).map((key) => Reflect.get(before, key)),
          Object.values(change),
        )
      )
        store.set(next)
    },
  }
}

export function useReview(ui: ReviewUi): ReviewState {
  return useSyncExternalStore(ui.subscribe, ui.get)
}
