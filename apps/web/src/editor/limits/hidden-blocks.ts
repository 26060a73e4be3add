import { Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import {
  type EditorState,
  NodeSelection,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { copyText } from '../../common/copy-text.ts'
import { t } from '../../i18n/translate.ts'
import { createNote, type NoteAction } from '../common/may-write.ts'
import { changedRange } from '../common/positions.ts'
import { type DrawingProblem, drawingProblemOf } from './drawing-problems.ts'

const key = new PluginKey<DecorationSet>('hiddenBlocks')

/**
 * Doesn't draw blocks that a browser can't draw quickly (see `drawingProblemOf`). Shows a note with the reason and the
 * possible actions in place of each; draws the rest of the document normally. Doesn't change the document without a
 * request of the user.
 */
export const HiddenBlocks = Extension.create({
  name: 'hiddenBlocks',
  // Before the handlers of keys on the selected block.
  priority: 1200,
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => DecorationSet.create(doc, findHidden(doc, 0, doc.content.size)),
        apply(transaction, set, before, after) {
          const range = transaction.docChanged ? changedRange(before.doc, after.doc) : null
          if (!range) return set
          return update(set.map(range.mapping, after.doc), after.doc, range.from, range.to)
        },
      },
      appendTransaction: (_transactions, _before, after) => leave(after),
      props: {
        decorations: (state) => key.getState(state),
        // Typed text would replace a block that isn't visible.
        handleTextInput: ({ state }) => isHiddenSelected(state),
        handlePaste: ({ state }) => isHiddenSelected(state),
        handleKeyDown: (view, { key: name, shiftKey }) => !shiftKey && selectHiddenBlock(view, directions[name]),
      },
    }),
  ],
})

/** Checks the blocks that touch `from`–`to` again, with all their ancestors. */
function update(set: DecorationSet, doc: Node, from: number, to: number): DecorationSet {
  const [start, end] = [Math.max(0, from - 1), Math.min(doc.content.size, to + 1)]
  const touched = set.find(start, end).filter((each) => each.from < end && (each.to > start || each.from === start))
  // A note precedes its block, which may begin before the change, or be deleted.
  const $from = doc.resolve(from)
  const around = Array.from({ length: $from.depth }, (_, depth) => $from.before(depth + 1))
  const notes = [...around, ...touched.map((each) => each.from)].flatMap((at) =>
    set.find(at, at).filter((each) => each.from === at && each.to === at),
  )
  const old = new Set([...touched, ...notes])
  const found = findHidden(doc, start, end)
  return old.size + found.length === 0 ? set : set.remove([...old]).add(doc, found)
}

function findHidden(doc: Node, from: number, to: number): Decoration[] {
  const found: Decoration[] = []
  doc.nodesBetween(from, to, (node, position) => {
    const fault = drawingProblemOf(node)
    if (!fault) return !node.isTextblock
    found.push(
      Decoration.node(position, position + node.nodeSize, { class: 'unshown' }),
      Decoration.widget(position, (view, getPos) => createPlaceholder(view, getPos, node, fault), {
        key: `${node.type.name} ${fault.reason}`,
        side: -1,
        ignoreSelection: true,
        stopEvent: () => true,
      }),
    )
    return false
  })
  return found
}

function createPlaceholder(
  view: EditorView,
  getPos: () => number | undefined,
  node: Node,
  { reason, canReset }: DrawingProblem,
) {
  const at = (): { node: Node; position: number } | undefined => {
    const position = getPos()
    const now = position === undefined ? null : view.state.doc.nodeAt(position)
    return position !== undefined && now && drawingProblemOf(now) ? { node: now, position } : undefined
  }
  const actions: NoteAction[] = [
    {
      label: t('Delete block'),
      run() {
        const found = at()
        if (found) void deleteBlock(view, found.position, found.node)
      },
    },
  ]
  if (canReset) {
    actions.unshift({
      label: t('Show without that'),
      run() {
        const found = at()
        if (found) void resetBlock(view, found.position)
      },
    })
  }
  if (node.textContent !== '') {
    actions.push({
      label: t('Copy its text'),
      isForReaders: true,
      run: () => void copyText(at()?.node.textContent ?? ''),
    })
  }
  return createNote({ element: 'div', text: t('This block can’t be shown: {reason}.', { reason }), actions, view })
}

async function deleteBlock(view: EditorView, position: number, node: Node): Promise<void> {
  const { deleteBlocks } = await import('../blocks/block-commands.ts')
  if (view.isDestroyed || view.state.doc.nodeAt(position) !== node) return
  deleteBlocks(view, { from: position, to: position + node.nodeSize })
  view.focus()
}

async function resetBlock(view: EditorView, position: number): Promise<void> {
  const { resetAttributes } = await import('./reset-attributes.ts')
  if (view.isDestroyed) return
  view.dispatch(resetAttributes(view.state.tr, position))
  view.focus()
}

function isHiddenSelected({ selection }: EditorState): boolean {
  return selection instanceof NodeSelection && drawingProblemOf(selection.node) !== null
}

const directions: Record<string, 'up' | 'down' | 'left' | 'right'> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

// The browser's own caret would skip blocks that aren't drawn.
function selectHiddenBlock(view: EditorView, direction: 'up' | 'down' | 'left' | 'right' | undefined): boolean {
  const { selection, doc, tr } = view.state
  if (direction === undefined || !(selection instanceof TextSelection) || !selection.empty) return false
  const { $head } = selection
  if ($head.depth === 0 || !view.endOfTextblock(direction)) return false
  const isForward = direction === 'down' || direction === 'right'
  const edge = doc.resolve(isForward ? $head.after() : $head.before())
  const next = Selection.findFrom(edge, isForward ? 1 : -1)
  const hidden = next && hiddenAround(doc, next)
  if (!hidden) return false
  view.dispatch(tr.setSelection(hidden).scrollIntoView())
  return true
}

/** A caret inside of a hidden block selects the block as a whole. */
function leave({ doc, selection, tr }: EditorState): Transaction | null {
  const hidden = selection instanceof TextSelection ? hiddenAround(doc, selection) : null
  return hidden && tr.setSelection(hidden)
}

/** The hidden block that contains a selection; null if there is none. */
function hiddenAround(doc: Node, { $from, $to }: Selection): NodeSelection | null {
  const most = $from.sharedDepth($to.pos)
  for (let depth = 1; depth <= most; depth++) {
    if (drawingProblemOf($from.node(depth)) !== null) return NodeSelection.create(doc, $from.before(depth))
  }
  const after = $from.nodeAfter
  return after && drawingProblemOf(after) && $to.pos === $from.pos + after.nodeSize
    ? NodeSelection.create(doc, $from.pos)
    : null
}
