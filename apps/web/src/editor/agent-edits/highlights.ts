import type { Highlight } from '@copydesk/protocol'
import { isCssColor } from '@copydesk/schema'
import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { isFromYjs } from '../common/from-yjs.ts'
import type { RoomStore } from '../../collaboration/room-store.ts'
import { t } from '../../i18n/translate.ts'
import { fromBase64, toPosition } from '../common/positions.ts'

/**
 * The options of highlights: the room that lists them, the clock in milliseconds, and the handler of a click on one.
 */
export type HighlightOptions = { room: RoomStore; now: () => number; onDismiss: (highlight: string) => void }

const key = new PluginKey<DecorationSet>('highlights')
// The colours that the style sheet draws in its own shades.
const colors = new Set(['yellow', 'green', 'blue', 'pink', 'orange'])
const longestTimer = 2 ** 31 - 1

/**
 * Draws the ranges that the agent highlights, as decorations. A click on one, or Escape inside of one, dismisses it.
 */
export function createHighlights({ room, now, onDismiss }: HighlightOptions): Extension {
  const draw = (state: EditorState) => drawHighlights(state, [...room.get().highlights.values()], now())
  return Extension.create({
    name: 'agentHighlights',
    addKeyboardShortcuts: () => ({
      Escape: ({ editor: { state } }) => {
        const { from, to } = state.selection
        const found = key.getState(state)?.find(from, to)[0]
        const id: unknown = found?.spec.id
        if (typeof id !== 'string') return false
        onDismiss(id)
        return true
      },
    }),
    addProseMirrorPlugins: () => [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply: (transaction, before, _old, state) =>
            needsDrawing(transaction) ? draw(state) : before.map(transaction.mapping, transaction.doc),
        },
        props: {
          decorations: (state) => key.getState(state),
          handleClick(_view, _position, event) {
            const element = event.target instanceof Element ? event.target.closest('[data-highlight]') : null
            const id = element?.getAttribute('data-highlight')
            if (id) onDismiss(id)
            return false
          },
        },
        view: (view) => createHighlightsView(view, room, now),
      }),
    ],
  })
}

// After a remote change the binding knows all positions; after a local one it updates them only later.
function needsDrawing(transaction: Transaction): boolean {
  return isFromYjs(transaction) || transaction.getMeta(key) !== undefined
}

function createHighlightsView(view: EditorView, room: RoomStore, now: () => number) {
  let drawn: RoomHighlights | undefined
  let expiry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const redraw = () => {
    if (isClosed) return
    view.dispatch(view.state.tr.setMeta(key, true).setMeta('addToHistory', false))
    clearTimeout(expiry)
    const next = nextExpiry(room.get().highlights.values(), now())
    if (next !== undefined) expiry = setTimeout(redraw, Math.min(next, longestTimer))
  }
  const follow = () => {
    const { highlights } = room.get()
    if (highlights === drawn) return
    drawn = highlights
    redraw()
  }
  const stop = room.subscribe(follow)
  // The binding fills the view right after the plugins are created.
  if (room.get().highlights.size > 0) queueMicrotask(follow)
  return {
    destroy() {
      isClosed = true
      clearTimeout(expiry)
      stop()
    },
  }
}

type RoomHighlights = ReturnType<RoomStore['get']>['highlights']

/** The milliseconds until the next of these highlights expires; undefined when none does. */
export function nextExpiry(highlights: Iterable<Pick<Highlight, 'expiresAt'>>, now: number): number | undefined {
  let next: number | undefined
  for (const { expiresAt } of highlights) {
    const left = expiresAt === undefined ? 0 : Date.parse(expiresAt) - now
    if (left > 0) next = Math.min(next ?? left, left)
  }
  return next
}

function drawHighlights(state: EditorState, highlights: readonly Highlight[], now: number): DecorationSet {
  const drawn = highlights.flatMap((highlight) => {
    if (highlight.expiresAt !== undefined && Date.parse(highlight.expiresAt) <= now) return []
    const anchor = toPosition(state, fromBase64(highlight.anchor))
    const head = toPosition(state, fromBase64(highlight.head))
    if (anchor === undefined || head === undefined || anchor === head) return []
    const own = !colors.has(highlight.color) && isCssColor(highlight.color) ? highlight.color : undefined
    const color = colors.has(highlight.color) ? highlight.color : 'yellow'
    const attributes = {
      class: `agent-highlight agent-highlight-${color}`,
      // The style sheet mixes the colour with the page's background, so that the text on it remains readable.
      ...(own === undefined ? {} : { style: `--glow: ${own}` }),
      'data-highlight': highlight.id,
      title: t('{name} points here. Click to dismiss.', { name: highlight.author.name }),
    }
    return [Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), attributes, { id: highlight.id })]
  })
  return DecorationSet.create(state.doc, drawn)
}
