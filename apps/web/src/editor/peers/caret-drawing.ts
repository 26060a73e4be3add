import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { DecorationSet, EditorView } from 'prosemirror-view'
import { yCursorPluginKey, ySyncPluginKey } from 'y-prosemirror'
import type { Awareness } from 'y-protocols/awareness'
import { oncePerFrame } from '../../common/throttle.ts'

/**
 * Called once per frame in which peers' carets may have moved, after they are drawn; with the clients whose state has
 * changed.
 */
export type OnCaretsDrawn = (view: EditorView, changed: readonly number[]) => void

/**
 * Redraws peers' carets when they move: all that moved since the last frame in one transaction. Dispatches no
 * transaction if a remote text change has drawn them already, or if only this user's own caret moved.
 */
export function createCaretDrawing(awareness: Awareness, onDrawn: OnCaretsDrawn): Plugin {
  return new Plugin({
    key: new PluginKey('caretDrawing'),
    view: (view) => followCarets(view, awareness, onDrawn),
  })
}

const restsForMs = 300

/** The lifecycle of the plugin for one view. */
export function followCarets(view: EditorView, awareness: Awareness, onDrawn: OnCaretsDrawn) {
  const changed = new Set<number>()
  let isStale = false
  let rest: ReturnType<typeof setTimeout> | undefined
  const { schedule: drawSoon, cancel } = oncePerFrame(() => {
    // During a composition the text remains as the input method knows it.
    if (isStale && view.composing) return redrawAfterPause()
    if (isStale && isBound(view.state))
      view.dispatch(view.state.tr.setMeta(yCursorPluginKey, { awarenessUpdated: true }))
    isStale = false
    const clients = [...changed]
    changed.clear()
    onDrawn(view, clients)
  })
  const redrawAll = () => {
    isStale = true
    drawSoon()
  }
  const redrawAfterPause = () => {
    clearTimeout(rest)
    rest = setTimeout(redrawAll, restsForMs)
  }
  const onChange = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
    const others = [...added, ...updated, ...removed].filter((client) => client !== awareness.clientID)
    for (const client of others) changed.add(client)
    if (others.length > 0) redrawAll()
  }
  awareness.on('change', onChange)
  return {
    update({ state }: Pick<EditorView, 'state'>, before: EditorState) {
      if (state.doc === before.doc) return
      if (isDrawnWith(state)) {
        isStale = false
        drawSoon()
        // Local edits map the carets, unless they replace the text that contains one.
      } else if (caretsIn(state) < caretsIn(before)) redrawAll()
      else redrawAfterPause()
    },
    destroy() {
      cancel()
      clearTimeout(rest)
      awareness.off('change', onChange)
    },
  }
}

function isBound(state: EditorState): boolean {
  const { binding } = ySyncPluginKey.getState(state) ?? {}
  return Boolean(binding) && !binding.isDestroyed
}

// The caret plugin then redraws everything from the same awareness.
function isDrawnWith(state: EditorState): boolean {
  return ySyncPluginKey.getState(state)?.isChangeOrigin === true
}

function caretsIn(state: EditorState): number {
  const carets: DecorationSet | undefined = yCursorPluginKey.getState(state)
  return carets?.find(undefined, undefined, (spec) => spec['key'] !== undefined).length ?? 0
}
