import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

/** A range to draw: the class and colour of its author, and `index`, by which the caller identifies the range. */
export type DrawnRange = { from: number; to: number; index: number; look: string; color: string }

const key = new PluginKey<DecorationSet>('authorship')

/** Editor state for the authorship view. Draws nothing until `drawAuthorship` sets ranges. */
export const AuthorshipRanges = Extension.create({
  name: 'authorshipRanges',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply(transaction, before, _old, state) {
          const drawn: unknown = transaction.getMeta(key)
          if (drawn instanceof DrawnRanges) return decorate(state, drawn.ranges)
          return transaction.docChanged ? before.map(transaction.mapping, transaction.doc) : before
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
})

class DrawnRanges {
  readonly ranges: readonly DrawnRange[]
  constructor(ranges: readonly DrawnRange[]) {
    this.ranges = ranges
  }
}

/** A transaction that replaces the drawn ranges by these; an empty list removes all. */
export function drawAuthorship(state: EditorState, ranges: readonly DrawnRange[]): Transaction {
  return state.tr.setMeta(key, new DrawnRanges(ranges)).setMeta('addToHistory', false)
}

/** The index of the range that contains a position or ends at it; undefined if there is none. */
export function authorshipAt(state: EditorState, position: number): number | undefined {
  const found = key.getState(state)?.find(position, position) ?? []
  const range = found.find(({ to }) => to === position) ?? found[0]
  const index: unknown = range?.spec.index
  return typeof index === 'number' ? index : undefined
}

function decorate({ doc }: EditorState, ranges: readonly DrawnRange[]): DecorationSet {
  const decorations = ranges.map(({ from, to, index, look, color }) => {
    const attributes = { class: `authored ${look}`, style: `--author: ${color}`, 'data-authored': String(index) }
    const isBlock = doc.nodeAt(from)?.isBlock === true
    return (isBlock ? Decoration.node : Decoration.inline)(from, to, attributes, { index })
  })
  return DecorationSet.create(doc, decorations)
}
