import type { Editor } from '@tiptap/core'
import { Redo2, Undo2 } from 'lucide-react'
import { Toolbar as Radix } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import type { TakeBack } from '../agent-edits/take-back.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import { type Action, blockActions, indentActions, insertActions, textActions } from './actions.ts'
import { ToolbarButton, type ToolbarState, useToolbarState } from './toolbar-button.tsx'

type ToolbarProps = { editor: Editor; ui: EditorUi; takeBack: TakeBack }

/** All that the schema offers, as buttons. Scrolls sideways if it doesn't fit. */
export function Toolbar({ editor, ui, takeBack }: ToolbarProps) {
  const agents = useSyncExternalStore(takeBack.subscribe, takeBack.get)
  const state = useToolbarState(editor)
  const group = (actions: readonly Action[]) => <Group actions={actions} state={state} editor={editor} ui={ui} />
  return (
    <Radix.Root
      aria-label="Formatting"
      className="toolbar flex h-11.5 items-center gap-0.5 overflow-x-auto px-2 sm:px-3"
    >
      <ToolbarButton
        label="Undo"
        shortcut="Mod-z"
        icon={Undo2}
        disabled={!state.canUndo && agents?.kind !== 'undo'}
        onPress={() => takeBack.press('undo') || editor.chain().focus().undo().run()}
      />
      <ToolbarButton
        label="Redo"
        shortcut="Mod-Shift-z"
        icon={Redo2}
        disabled={!state.canRedo && agents?.kind !== 'redo'}
        onPress={() => takeBack.press('redo') || editor.chain().focus().redo().run()}
      />
      <Line />
      <BlockSelect editor={editor} value={state.block} />
      <Line />
      {group(textActions)}
      <Line />
      {group(blockActions)}
      {/* Always shown, so that the layout doesn't change when the caret enters a list. */}
      <Group actions={indentActions} state={state} editor={editor} ui={ui} disabled={!state.inList} />
      <Line />
      {group(insertActions)}
    </Radix.Root>
  )
}

type GroupProps = Omit<ToolbarProps, 'takeBack'> & {
  actions: readonly Action[]
  state: ToolbarState
  disabled?: boolean
}

function Group({ actions, state, editor, ui, disabled = false }: GroupProps) {
  return actions.map(({ label, icon, shortcut, mark, run }) => (
    <ToolbarButton
      key={label}
      label={label}
      icon={icon}
      shortcut={shortcut}
      disabled={disabled}
      pressed={mark === undefined ? undefined : state.pressed.includes(mark)}
      onPress={() => run(editor, ui)}
    />
  ))
}

function Line() {
  return <Radix.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />
}

const selectClass =
  'h-8 shrink-0 rounded-md border border-transparent bg-transparent pr-1 pl-2 text-sm text-ink hover:bg-hover'
const levels = [1, 2, 3, 4, 5, 6] as const

type SelectProps = { editor: Editor; value: string }

/** Makes the block at the caret a paragraph or a heading. */
function BlockSelect({ editor, value }: SelectProps) {
  const apply = (chosen: string) => {
    const level = levels.find((candidate) => String(candidate) === chosen)
    if (level) editor.chain().focus().setHeading({ level }).run()
    else editor.chain().focus().setParagraph().run()
  }
  return (
    <Radix.Button asChild>
      <select
        aria-label="Block type"
        value={value}
        onChange={(event) => apply(event.target.value)}
        className={`${selectClass} w-28`}
      >
        {Number.isNaN(Number(value)) && (
          <option value={value} disabled hidden>
            {value}
          </option>
        )}
        <option value="0">Text</option>
        {levels.map((level) => (
          <option key={level} value={String(level)}>
            Heading {level}
          </option>
        ))}
      </select>
    </Radix.Button>
  )
}
