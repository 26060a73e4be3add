import { AwarenessState } from '@copydesk/protocol'
import { Extension } from '@tiptap/core'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Awareness } from 'y-protocols/awareness'
import { fromJson, scrollToPosition, toPosition } from '../common/positions.ts'

/** A position that an agent asks its caller to look at: one request of one run. `key` identifies the request. */
export type ScrollRequest = { key: string; run: string; position: unknown; select: boolean }

const KnownState = AwarenessState.pick({ user: true, scrollTarget: true })
const ownScrolling = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** The scroll requests in an awareness for this user: those of runs that this user started. */
export function readScrollRequests(states: ReadonlyMap<number, unknown>, self: string): ScrollRequest[] {
  return [...states.values()].flatMap((state) => {
    // Most states have no request, and all states are checked whenever a caret moves.
    if (!hasRequest(state)) return []
    const { user, scrollTarget } = KnownState.safeParse(state).data ?? {}
    if (user?.kind !== 'agent' || user.invokedBy !== self || !scrollTarget) return []
    const { position, select = false } = scrollTarget
    return [{ key: `${user.runId} ${JSON.stringify(position)} ${select}`, run: user.runId, position, select }]
  })
}

function hasRequest(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'scrollTarget' in state && Boolean(state.scrollTarget)
}

/**
 * Scrolls this user's view to the positions that their agent requests, once for each request. Stops for the rest of the
 * run when the user scrolls, clicks or types in the text.
 */
export function createFollowAgent(awareness: Awareness, self: string): Extension {
  return Extension.create({
    name: 'followAgent',
    addProseMirrorPlugins: () => [
      new Plugin({ key: new PluginKey('followAgent'), view: (view) => follow(view, awareness, self) }),
    ],
  })
}

function follow(view: EditorView, awareness: Awareness, self: string) {
  const seen = new Set<string>()
  const followed = new Set<string>()
  const left = new Set<string>()
  let scroller: Element | null = null
  const stopFollowing = () => {
    for (const run of followed) left.add(run)
  }
  const onChange = () => {
    for (const request of readScrollRequests(awareness.getStates(), self)) {
      if (seen.has(request.key)) continue
      const position = toPosition(view.state, fromJson(request.position))
      if (position === undefined) continue
      seen.add(request.key)
      if (left.has(request.run)) continue
      followed.add(request.run)
      scroller ??= listen(view, stopFollowing)
      if (request.select) select(view, position)
      scrollToPosition(view, position)
    }
  }
  awareness.on('change', onChange)
  return {
    destroy() {
      awareness.off('change', onChange)
      for (const event of ownScrolling) scroller?.removeEventListener(event, stopFollowing)
    },
  }
}

function listen(view: EditorView, stopFollowing: () => void): Element | null {
  const scroller = view.dom.closest('[data-scroller]')
  for (const event of ownScrolling) scroller?.addEventListener(event, stopFollowing, { passive: true })
  return scroller
}

// Selects the whole text block, so that the user sees it; never while the user is writing.
function select(view: EditorView, position: number): void {
  if (view.hasFocus()) return
  const place = view.state.doc.resolve(position)
  if (!place.parent.isTextblock) return
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, place.start(), place.end())))
}
