import { Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { t } from '../../i18n/translate.ts'
import { createNote } from '../common/may-write.ts'
import { changedRange } from '../common/positions.ts'

/** A run of combining marks in a document. */
export type Run = { from: number; to: number }

// Letters of natural languages have less than a tenth of this; the browser's layout time grows with the square of a
// run's length.
const most = 64
const run = new RegExp(`\\p{M}{${most + 1},}`, 'gu')

const key = new PluginKey<DecorationSet>('longMarks')

/**
 * Doesn't draw hundreds of combining marks on one letter, which would take a browser minutes. A note in their place
 * shows their number, with a button that deletes them.
 */
export const LongMarks = Extension.create({
  name: 'longMarks',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => DecorationSet.create(doc, decorate(findRuns(doc, 0, doc.content.size))),
        apply(transaction, set, before, after) {
          const range = transaction.docChanged ? changedRange(before.doc, after.doc) : null
          if (!range) return set
          const [from, to] = wholeBlocks(after.doc, range.from, range.to)
          const mapped = set.map(range.mapping, after.doc)
          const old = mapped.find(from, to)
          const runs = findRuns(after.doc, from, to)
          return old.length + runs.length === 0 ? mapped : mapped.remove(old).add(after.doc, decorate(runs))
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
})

/** A text without its runs of too many combining marks. */
export function withoutLongMarks(text: string): string {
  return text.replace(run, '')
}

/** The runs of too many combining marks in the text blocks that touch `from`–`to`. */
export function findRuns(doc: Node, from: number, to: number): Run[] {
  const runs: Run[] = []
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isTextblock) return true
    if (node.content.size <= most) return false
    const text = node.textBetween(0, node.content.size, undefined, '\uFFFC')
    for (const { index, 0: marks } of text.matchAll(run)) {
      const start = position + 1 + index
      runs.push({ from: start, to: start + marks.length })
    }
    return false
  })
  return runs
}

function wholeBlocks(doc: Node, from: number, to: number): [number, number] {
  const [$from, $to] = [doc.resolve(from), doc.resolve(Math.min(to, doc.content.size))]
  return [
    $from.parent.isTextblock ? $from.start() : from,
    $to.parent.isTextblock ? $to.end() : Math.min(to, doc.content.size),
  ]
}

function decorate(runs: readonly Run[]): Decoration[] {
  return runs.flatMap(({ from, to }) => [
    Decoration.inline(from, to, { class: 'unshown' }),
    Decoration.widget(from, (view, getPos) => noteOf(view, getPos, to - from), {
      key: `marks ${to - from}`,
      side: 1,
      ignoreSelection: true,
      stopEvent: () => true,
    }),
  ])
}

function noteOf(view: EditorView, getPos: () => number | undefined, count: number): HTMLElement {
  return createNote({
    element: 'span',
    text: t('{count, number} combining marks aren’t shown', { count }),
    actions: [
      {
        label: t('Delete them'),
        run() {
          const position = getPos()
          const found = position === undefined ? undefined : findRuns(view.state.doc, position, position)
          const hit = found?.find(({ from, to }) => from <= (position ?? -1) && (position ?? -1) <= to)
          if (hit) view.dispatch(view.state.tr.delete(hit.from, hit.to))
          view.focus()
        },
      },
    ],
    view,
  })
}
