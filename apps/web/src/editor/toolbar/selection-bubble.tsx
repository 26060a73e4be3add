import type { Editor } from '@tiptap/core'
import { MessageSquarePlus, PencilLine, Sparkles } from 'lucide-react'
import { CellSelection } from '@tiptap/pm/tables'
import { AllSelection, TextSelection } from 'prosemirror-state'
import { Toolbar as Radix } from 'radix-ui'
import { type ReactNode, useCallback } from 'react'
import { t } from '../../i18n/translate.ts'
import { Tooltip } from '../../ui/tooltips/tooltip.tsx'
import type { EditorUi, WritingUi } from '../common/editor-ui.ts'
import { Floating, type Spot, spotOf } from '../common/floating.tsx'
import { useEditorState } from '../common/use-editor-state.ts'
import { textActions } from './actions.ts'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import { ActionButtons, useToolbarState } from './toolbar-button.tsx'
import { oncePerFrame } from '../../common/throttle.ts'

type SelectionBubbleProps = {
  editor: Editor
  ui: EditorUi
  writing: WritingUi
  canEdit: boolean
  /** The suggestion command for users without write access. */
  onSuggest: (() => void) | undefined
  onComment: () => void
  onAsk: () => void
  /** The buttons for a selected image. */
  imageActions: ReactNode
}

// The height of the column handles above a table.
const handleHeight = 19

const shown = ['Bold', 'Italic', 'Strikethrough', 'Code', 'Highlight', 'Link']
const actions = shown.flatMap((label) => textActions.find((action) => action.label === label) ?? [])

/** The buttons at selected text: formatting, comment, request to the agent. Never takes the focus on its own. */
export function SelectionBubble(props: SelectionBubbleProps) {
  const { editor, ui, writing, canEdit, onSuggest, onComment, onAsk, imageActions } = props
  const spot = useCallback(() => spotOfSelected(editor), [editor])
  const follow = useCallback((listener: () => void) => onMoved(editor, listener), [editor])
  const kind = useEditorState(editor, kindOf)
  const close = () => {
    writing.bubbleClosed.set(true)
    editor.commands.focus(null, { scrollIntoView: false })
  }
  return (
    <Floating
      spot={spot}
      follow={follow}
      // On touch screens the browser's own buttons are above the selection.
      side={matchMedia('(pointer: coarse)').matches ? 'below' : 'above'}
      label={t('Selected text')}
      className="p-0.5"
      onEscape={close}
      data-bubble=""
    >
      <Radix.Root
        aria-label={imageActions ? t('Selected image') : t('Selected text')}
        className="flex items-center gap-0.5"
      >
        {imageActions && (
          <>
            {imageActions}
            <Line />
          </>
        )}
        {canEdit && kind !== 'other' && kind !== 'code' && (
          <>
            <Formatting editor={editor} ui={ui} />
            <Line />
          </>
        )}
        {onSuggest && (
          <BubbleButton label={t('Suggest')} onPress={onSuggest}>
            <PencilLine size={16} aria-hidden />
          </BubbleButton>
        )}
        <BubbleButton label={t('Comment')} shortcut="Mod-Alt-m" onPress={onComment}>
          <MessageSquarePlus size={16} aria-hidden />
        </BubbleButton>
        <BubbleButton label={t('Ask the agent')} onPress={onAsk}>
          <Sparkles size={16} aria-hidden className="text-agent" />
        </BubbleButton>
      </Radix.Root>
    </Floating>
  )
}

// Next to its table, so that it covers no cell.
function spotOfSelected(editor: Editor): Spot {
  const { selection } = editor.state
  if (!(selection instanceof CellSelection)) return spotOf(editor, selection.from, selection.to)
  const start = selection.$anchorCell.start(-1)
  const spot = spotOf(editor, start, start + selection.$anchorCell.node(-1).content.size)
  const table = editor.view.nodeDOM(start - 1)
  if (!spot || !(table instanceof Element)) return spot
  return { ...spot, top: Math.max(spot.top, table.getBoundingClientRect().top) - handleHeight }
}

function kindOf({ state: { selection } }: Editor): 'text' | 'code' | 'other' {
  if (selection instanceof CellSelection) return 'text'
  if (!(selection instanceof TextSelection || selection instanceof AllSelection)) return 'other'
  return selection.$from.parent.type.spec.code === true ? 'code' : 'text'
}

// Once per frame, after the text has been drawn.
function onMoved(editor: Editor, listener: () => void): () => void {
  const { schedule, cancel } = oncePerFrame(listener)
  editor.on('transaction', schedule)
  return () => {
    cancel()
    editor.off('transaction', schedule)
  }
}

function Formatting({ editor, ui }: Pick<SelectionBubbleProps, 'editor' | 'ui'>) {
  return <ActionButtons {...{ editor, ui, actions }} pressed={useToolbarState(editor).pressed} />
}

type BubbleButtonProps = { label: string; shortcut?: string; onPress: () => void; children: ReactNode }

function BubbleButton({ label, shortcut, onPress, children }: BubbleButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut && formatShortcut(shortcut, isMacLike())}>
      <Radix.Button
        // A mouse press keeps the focus, and so the selection, in the text.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onPress}
        aria-label={label}
        className="flex h-8 items-center gap-1.5 rounded-lg px-2 text-sm font-medium hover:bg-hover sm:px-2.5"
      >
        {children}
        <span aria-hidden className="hidden sm:inline">
          {label}
        </span>
      </Radix.Button>
    </Tooltip>
  )
}

function Line() {
  return <Radix.Separator className="mx-0.5 h-5 w-px shrink-0 bg-line" />
}
