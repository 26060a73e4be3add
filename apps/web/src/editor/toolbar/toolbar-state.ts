import type { Editor } from '@tiptap/core'
import { yUndoPluginKey } from 'y-prosemirror'
import { useEditorState } from '../use-editor-state.ts'
import { pressingNames } from './actions.ts'

/** The state of the toolbar at the caret. `block` is `0` for a paragraph, `1`–`6` for headings. */
export type ToolbarState = {
  pressed: readonly string[]
  block: string
  inList: boolean
  canUndo: boolean
  canRedo: boolean
}

/** Follows the editor; the component renders again only when something that the toolbar shows has changed. */
export function useToolbarState(editor: Editor): ToolbarState {
  return useEditorState(editor, readState)
}

function readState(editor: Editor): ToolbarState {
  const undo = yUndoPluginKey.getState(editor.state)?.undoManager
  return {
    pressed: pressingNames.filter((name) => editor.isActive(name)),
    block: readBlock(editor),
    inList: editor.isActive('listItem') || editor.isActive('taskItem'),
    canUndo: (undo?.undoStack.length ?? 0) > 0,
    canRedo: (undo?.redoStack.length ?? 0) > 0,
  }
}

function readBlock(editor: Editor): string {
  if (editor.isActive('paragraph')) return '0'
  const level: unknown = editor.isActive('heading') ? editor.getAttributes('heading').level : undefined
  return typeof level === 'number' ? String(level) : ''
}
