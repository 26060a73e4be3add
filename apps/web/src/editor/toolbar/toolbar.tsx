import type { Editor } from '@tiptap/core'
import { Bold, ChevronDown, Ellipsis, Redo2, Undo2 } from 'lucide-react'
import { Toolbar as Radix } from 'radix-ui'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useMediaQuery } from '../../common/layout/media-queries.ts'
import { t } from '../../i18n/translate.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine, MenuOptions } from '../../ui/menus/menu.tsx'
import type { RunUndo } from '../agent-edits/run-undo.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import {
  type Action,
  blockActions,
  formulaActions,
  indentActions,
  insertActions,
  listActions,
  textActions,
} from './actions.ts'
import { countFitting, splitGroups } from './fitting.ts'
import { ActionButtons, ToolbarButton, type ToolbarState, useToolbarState } from './toolbar-button.tsx'

type ToolbarProps = { editor: Editor; ui: EditorUi; runUndo: RunUndo }

/**
 * Buttons that insert content and convert blocks; the rest is in a menu at the end. Formatting of text is at the
 * selection, and in a menu for text to be typed.
 */
export function Toolbar({ editor, ui, runUndo }: ToolbarProps) {
  const agents = useSyncExternalStore(runUndo.subscribe, runUndo.get)
  const state = useToolbarState(editor)
  return (
    <Radix.Root aria-label={t('Formatting')} className="toolbar flex h-11.5 items-center gap-0.5 ps-1 sm:px-3">
      <ToolbarButton
        label={t('Undo')}
        shortcut="Mod-z"
        icon={Undo2}
        disabled={!state.canUndo && agents?.kind !== 'undo'}
        onPress={() => runUndo.press('undo') || editor.chain().focus().undo().run()}
      />
      <ToolbarButton
        label={t('Redo')}
        shortcut="Mod-Shift-z"
        icon={Redo2}
        disabled={!state.canRedo && agents?.kind !== 'redo'}
        onPress={() => runUndo.press('redo') || editor.chain().focus().redo().run()}
      />
      <Line />
      <BlockMenu {...{ editor, ui, state }} />
      <ToolbarMenu
        label={t('Text formatting')}
        groups={[textActions]}
        {...{ editor, ui, state }}
        className="w-auto! px-2"
      >
        <Bold size={17} aria-hidden />
        <ChevronDown size={13} aria-hidden className="ms-0.5" />
      </ToolbarMenu>
      <Groups editor={editor} ui={ui} state={state} />
    </Radix.Root>
  )
}

/** The actions that have a button if there is space, in this order. */
const groups: readonly (readonly Action[])[] = [listActions, insertActions, blockActions]

/** The actions that are always in the menu at the end. */
const rarely: readonly (readonly Action[])[] = [formulaActions, indentActions]

type GroupsProps = Omit<ToolbarProps, 'runUndo'> & { state: ToolbarState }

function Groups({ editor, ui, state }: GroupsProps) {
  const place = useRef<HTMLDivElement>(null)
  const { shown, rest } = splitGroups(groups, useFitting(place))
  return (
    <div ref={place} className="flex min-w-0 flex-1 items-center gap-0.5">
      {shown.map((actions) => [
        <Line key="line" />,
        <ActionButtons key="actions" {...{ editor, ui, actions }} pressed={state.pressed} />,
      ])}
      <Line />
      <ToolbarMenu label={t('More formatting')} groups={[...rest, ...rarely]} {...{ editor, ui, state }}>
        <Ellipsis size={17} aria-hidden />
      </ToolbarMenu>
    </div>
  )
}

const gap = 2
const line = 9 + gap

/** The number of actions that fit into this part of the toolbar. */
function useFitting(place: RefObject<HTMLElement | null>): number {
  const button = (useMediaQuery('(pointer: coarse)') ? 40 : 36) + gap
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return undefined
    // First called after the layout of the page, before painting: reading the width here would cause a second layout.
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return countFitting(groups, { width, button, line })
}

type ToolbarMenuProps = GroupsProps & {
  label: string
  groups: readonly (readonly Action[])[]
  className?: string
  children: ReactNode
}

function ToolbarMenu({ editor, ui, state, label, groups: shown, className = '', children }: ToolbarMenuProps) {
  const isOff = (action: Action) => indentActions.includes(action) && !state.inList
  return (
    <Menu
      trigger={
        <Radix.Button aria-label={label} title={label} className={`${iconButtonClass} ${className}`}>
          {children}
        </Radix.Button>
      }
      onCloseAutoFocus={(event) => returnToText(event, editor, ui)}
    >
      {shown.map((actions, index) => [
        index > 0 && <MenuLine key="line" />,
        ...actions.map((action) => (
          <MenuItem
            key={action.label}
            icon={action.icon}
            text={t(action.label)}
            keys={action.shortcut}
            ticked={action.mark !== undefined && state.pressed.includes(action.mark) ? t('(on)') : undefined}
            disabled={isOff(action)}
            onSelect={() => action.run(editor, ui)}
          />
        )),
      ])}
    </Menu>
  )
}

function returnToText(event: Event, editor: Editor, ui: EditorUi): void {
  event.preventDefault()
  // If a form was chosen, it has the focus.
  if (ui.get() === null) editor.commands.focus(null, { scrollIntoView: false })
}

function Line() {
  return <Radix.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />
}

const levels = [1, 2, 3, 4, 5, 6] as const

/** Converts the block at the caret to a paragraph or a heading. */
function BlockMenu({ editor, ui, state: { block } }: GroupsProps) {
  const kinds: [string, string][] = [
    ['0', t('Text')],
    ...levels.map((level): [string, string] => [String(level), t('Heading {level, number}', { level })]),
  ]
  const name = kinds.find(([kind]) => kind === block)?.[1] ?? block
  const apply = (chosen: string) => {
    const level = levels.find((candidate) => String(candidate) === chosen)
    if (level) editor.chain().focus().setHeading({ level }).run()
    else editor.chain().focus().setParagraph().run()
  }
  return (
    <Menu
      trigger={
        <Radix.Button
          aria-label={`${t('Block type')}: ${name}`}
          className="flex h-8 w-27 shrink-0 items-center justify-between gap-1 rounded-md px-2 text-sm text-ink hover:bg-hover sm:w-28 in-[:lang(de)]:w-33!"
        >
          <span className="truncate">{name}</span>
          <ChevronDown size={13} aria-hidden className="shrink-0 text-ink-soft" />
        </Radix.Button>
      }
      onCloseAutoFocus={(event) => returnToText(event, editor, ui)}
    >
      <MenuOptions value={block} options={kinds} onChange={apply} />
    </Menu>
  )
}
