import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { DecorationSet, EditorView } from 'prosemirror-view'
import { yCursorPluginKey, ySyncPluginKey } from 'y-prosemirror'
import type { Awareness } from 'y-protocols/awareness'

/** Called once a frame in which carets of others may have moved, when they stand where they belong; with whose state has changed. */
export type OnCaretsDrawn = (view: EditorView, changed: readonly number[]) => void

/**
 * Has the carets of others drawn when they move: all that moved since the last frame in one transaction, none where a change of the text by
 * others has drawn them already, and none for this person's own caret.
 */
export function createCaretDrawing(awareness: Awareness, onDrawn: OnCaretsDrawn): Plugin {
  return new Plugin({
    key: new PluginKey('caretDrawing'),
    view: (view) => followCarets(view, awareness, onDrawn),
  })
}

const restsForMs = 300

/** What the plugin does with a view, for as long as that lives. */
export function followCarets(view: EditorView, awareness: Awareness, onDrawn: OnCaretsDrawn) {
  const changed = new Set<number>()
  let isStale = false
  let frame = 0
  let rest: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    frame = 0
    // Whoever composes keeps the text as their input method knows it.
    if (isStale && view.composing) return drawAtRest()
    if (isStale && isBound(view.state))
      view.dispatch(view.state.tr.setMeta(yCursorPluginKey, { awarenessUpdated: true }))
    isStale = false
    const clients = [...changed]
    changed.clear()
    onDrawn(view, clients)
  }
  const drawSoon = () => {
    frame ||= requestAnimationFrame(draw)
  }
  const drawAnew = () => {
    isStale = true
    drawSoon()
  }
  const drawAtRest = () => {
    clearTimeout(rest)
    rest = setTimeout(drawAnew, restsForMs)
  }
  const onChange = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
    const others = [...added, ...updated, ...removed].filter((client) => client !== awareness.clientID)
    for (const client of others) changed.add(client)
    if (others.length > 0) drawAnew()
  }
  awareness.on('change', onChange)
  return {
    update({ state }: Pick<EditorView, 'state'>, before: EditorState) {
      if (state.doc === before.doc) return
      if (isDrawnWith(state)) {
        isStale = false
        drawSoon()
        // What this person writes takes the carets along, unless it puts something else in their place.
      } else if (caretsIn(state) < caretsIn(before)) drawAnew()
      else drawAtRest()
    },
    destroy() {
      cancelAnimationFrame(frame)
      clearTimeout(rest)
      awareness.off('change', onChange)
    },
  }
}

function isBound(state: EditorState): boolean {
  const { binding } = ySyncPluginKey.getState(state) ?? {}
  return Boolean(binding) && !binding.isDestroyed
}

// The caret plugin draws everything anew from the same awareness then.
function isDrawnWith(state: EditorState): boolean {
  return ySyncPluginKey.getState(state)?.isChangeOrigin === true
}

function caretsIn(state: EditorState): number {
  const carets: DecorationSet | undefined = yCursorPluginKey.getState(state)
  return carets?.find(undefined, undefined, (spec) => spec['key'] !== undefined).length ?? 0
}
