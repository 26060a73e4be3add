import { spreadColumnWidths } from '@copydesk/schema'
import { type Editor, Extension } from '@tiptap/core'
import { CellSelection, findTable } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { Awareness } from 'y-protocols/awareness'
import { isOwnEdit } from '../common/from-yjs.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import { drawingProblemOf } from '../limits/drawing-problems.ts'

/** The options of tables: the carets of peers, and whether edits become suggestions. */
export type TablesOptions = { awareness: Awareness | null; isSuggesting: () => boolean }

declare module '@tiptap/core' {
  interface Storage {
    /** The options for moves of rows and columns. */
    tables: TablesOptions
  }
}

/**
 * Behaviour of tables: keys that move the selected rows and columns, and widths for the cells of rows and columns that
 * the user adds.
 */
export function createTables({ awareness, isSuggesting }: TablesOptions): Extension {
  return Extension.create<object, TablesOptions>({
    name: 'tables',
    addStorage: () => ({ awareness, isSuggesting }),
    addKeyboardShortcuts: () => Object.fromEntries(sides.map((side) => [moveKeys[side], moveOn(side)])),
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('columnWidths'),
        appendTransaction: (transactions, before, after) =>
          transactions.some(isOwnEdit) ? spreadWidths(before, after) : null,
      }),
    ],
  })
}

/** The keys that move the rows or columns of selected cells. */
export const moveKeys = {
  up: 'Alt-Shift-ArrowUp',
  down: 'Alt-Shift-ArrowDown',
  left: 'Alt-Shift-ArrowLeft',
  right: 'Alt-Shift-ArrowRight',
}

const sides = ['up', 'down', 'left', 'right'] as const

function moveOn(side: (typeof sides)[number]): (props: { editor: Editor }) => boolean {
  return ({ editor }) => {
    if (!editor.isEditable || !(editor.state.selection instanceof CellSelection)) return false
    import('./table-actions.ts').then(({ moveTo }) => moveTo(editor, side), showError)
    return true
  }
}

function spreadWidths(before: EditorState, after: EditorState): Transaction | null {
  const table = findTable(after.selection.$from)
  const old = findTable(before.selection.$from)?.node ?? null
  if (!table || (old && hasSameCells(old, table.node)) || drawingProblemOf(table.node)) return null
  const { tr } = after
  spreadColumnWidths(tr, table.pos, old)
  return tr.docChanged ? tr : null
}

function hasSameCells(a: Node, b: Node): boolean {
  if (a.childCount !== b.childCount) return false
  return a.children.every((row, index) => row.childCount === b.child(index).childCount)
}
