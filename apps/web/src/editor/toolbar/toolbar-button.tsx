import type { Editor } from '@tiptap/core'
import type { LucideIcon } from 'lucide-react'
import { Toolbar as Radix } from 'radix-ui'
import { yUndoPluginKey } from 'y-prosemirror'
import { t } from '../../i18n/translate.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/tooltips/tooltip.tsx'
import type { EditorUi } from '../common/editor-ui.ts'
import { useEditorState } from '../common/use-editor-state.ts'
import { type Action, pressingNames } from './actions.ts'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'

type ToolbarButtonProps = {
  label: string
  icon: LucideIcon
  shortcut?: string | undefined
  pressed?: boolean | undefined
  disabled?: boolean
  onPress: () => void
}

/** A button of the toolbar. A mouse press keeps the focus, and so the selection, in the text. */
export function ToolbarButton({ label, icon: Icon, shortcut, pressed, disabled = false, onPress }: ToolbarButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut && formatShortcut(shortcut, isMacLike())}>
      <Radix.Button
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onPress}
        className={iconButtonClass}
      >
        <Icon size={17} aria-hidden />
      </Radix.Button>
    </Tooltip>
  )
}

type ActionButtonsProps = { editor: Editor; ui: EditorUi; actions: readonly Action[]; pressed: readonly string[] }

/** The buttons of actions; `pressed` names the marks and nodes at the caret. */
export function ActionButtons({ editor, ui, actions, pressed }: ActionButtonsProps) {
  return actions.map(({ label, icon, shortcut, mark, run }) => (
    <ToolbarButton
      key={label}
      label={t(label)}
      icon={icon}
      shortcut={shortcut}
      pressed={mark === undefined ? undefined : pressed.includes(mark)}
      onPress={() => run(editor, ui)}
    />
  ))
}

/**
 * The state of the toolbar at the caret. `block` is `0` for a paragraph, `1`–`6` for headings, for other blocks their
 * name.
 */
export type ToolbarState = {
  pressed: readonly string[]
  block: string
  inList: boolean
  canUndo: boolean
  canRedo: boolean
}

/** Observes the editor; the component renders again only when the toolbar's state has changed. */
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
  if (typeof level === 'number') return String(level)
  return t(otherBlocks.find(([type]) => editor.isActive(type))?.[1] ?? 'Mixed')
}

const otherBlocks = [
  ['codeBlock', 'Code block'],
  ['image', 'Image'],
  ['blockMath', 'Formula block'],
  ['horizontalRule', 'Divider'],
  ['table', 'Table'],
] as const
