import { Extension } from '@tiptap/core'
import type { ResolvedPos } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

const letter = /\p{L}/u
const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u

/**
 * The empty line with the caret has the direction of the text before it; its first letter determines its own.
 * Everywhere else the browser determines the direction.
 */
export const EmptyLineDirection = Extension.create({
  name: 'emptyLineDirection',
  addProseMirrorPlugins: () => [
    new Plugin({ key: new PluginKey('emptyLineDirection'), props: { decorations: drawDirection } }),
  ],
})

function drawDirection({ doc, selection }: EditorState): DecorationSet | null {
  const { $head, empty } = selection
  if (!empty || !$head.parent.isTextblock || $head.parent.content.size > 0 || !followsRightToLeft($head)) return null
  return DecorationSet.create(doc, [Decoration.node($head.before(), $head.after(), { dir: 'rtl' })])
}

/**
 * Whether the nearest text before a block, next to it or next to one of its ancestors, is written from right to left.
 */
export function followsRightToLeft($place: ResolvedPos): boolean {
  for (let depth = $place.depth; depth > 0; depth -= 1) {
    const parent = $place.node(depth - 1)
    for (let index = $place.index(depth - 1) - 1; index >= 0; index -= 1) {
      const before = parent.child(index)
      const first = before.type.spec.code === true ? undefined : letter.exec(before.textContent)?.[0]
      if (first !== undefined) return rightToLeft.test(first)
    }
  }
  return false
}
