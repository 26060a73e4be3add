import type { Editor } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

/** A highlight over a range of positions; `color` is a CSS colour. */
export type ShownHighlight = { id: string; from: number; to: number; color: string }

/** The highlights of one editor, drawn as decorations: they are not part of the document. */
export type Highlights = {
  /** Shows a highlight, for `durationMs` if given, else until it is removed. */
  add(highlight: ShownHighlight, durationMs?: number): void
  remove(id: string): void
  /** Removes all highlights and the plugin. May be called twice. */
  close(): void
}

/** The part of a TipTap editor that highlights need. */
export type HighlightedEditor = Pick<Editor, 'state' | 'view' | 'registerPlugin' | 'unregisterPlugin'>

type Change = { added?: ShownHighlight; removed?: string }

/** Creates the highlights of an editor. The plugin is registered with the first one. */
export function createHighlights(editor: HighlightedEditor): Highlights {
  const key = new PluginKey<DecorationSet>('agentHighlights')
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  // `isDestroyed` of an editor is true also before it is mounted.
  let isClosed = false
  const show = (change: Change): void => {
    if (isClosed) return
    // An editor that is mounted later starts with the plugins of its extensions only.
    if (!key.get(editor.state)) editor.registerPlugin(createPlugin(key))
    editor.view.dispatch(editor.state.tr.setMeta(key, change).setMeta('addToHistory', false))
  }
  const stop = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  const remove = (id: string): void => {
    stop(id)
    show({ removed: id })
  }
  return {
    add(highlight, durationMs) {
      stop(highlight.id)
      show({ added: highlight })
      if (durationMs !== undefined) timers.set(highlight.id, setTimeout(remove, durationMs, highlight.id))
    },
    remove,
    close() {
      for (const id of timers.keys()) stop(id)
      if (!isClosed && key.get(editor.state)) editor.unregisterPlugin(key)
      isClosed = true
    },
  }
}

function createPlugin(key: PluginKey<DecorationSet>): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, shown) {
        const mapped = shown.map(transaction.mapping, transaction.doc)
        const { added, removed } = (transaction.getMeta(key) as Change | undefined) ?? {}
        const gone = mapped.find(undefined, undefined, ({ id }) => id === (added?.id ?? removed))
        const kept = mapped.remove(gone)
        return added ? kept.add(transaction.doc, [draw(added)]) : kept
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })
}

function draw({ id, from, to, color }: ShownHighlight): Decoration {
  const attributes = { class: 'agent-highlight', style: `background-color: ${color}; color: black` }
  return Decoration.inline(from, to, attributes, { id })
}
