import type { Editor } from '@tiptap/core'
import { ArrowDown, ArrowUp, Check, ChevronRight, Copy, Repeat2, Scissors, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { TextMenu, textMenuClass } from '../common/text-menu.tsx'
import { formatShortcut, isMacLike, shownKeys } from '../../common/commands/shortcut-keys.ts'
import { selectedBlocks } from './block-at.ts'
import { deleteBlocks, duplicateBlocks } from './block-commands.ts'
import { blockKinds } from '../toolbar/turn-into.ts'

type BlockMenuProps = { editor: Editor; ui: WritingUi }

/** The actions on the block with the caret, next to its handle. The focus returns to the text. */
export function BlockMenu({ editor, ui }: BlockMenuProps) {
  const place = useSyncExternalStore(ui.blockMenu.subscribe, ui.blockMenu.get)
  if (!place) return null
  const run = (act: (blocks: { from: number; to: number }) => void) => {
    const blocks = selectedBlocks(editor.state)
    if (blocks) act(blocks)
  }
  return (
    <DropdownMenu.Root open onOpenChange={(open) => !open && ui.blockMenu.set(null)}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed w-6" style={{ ...place }} />
      </DropdownMenu.Trigger>
      <TextMenu editor={editor} aria-label={t('Block')}>
        <TurnInto editor={editor} />
        <MenuItem icon={<Copy size={16} />} onSelect={() => run((blocks) => duplicateBlocks(editor.view, blocks))}>
          {t('Duplicate')}
        </MenuItem>
        <MenuItem icon={<ArrowUp size={16} />} onSelect={() => editor.storage.blocks.step(editor.view, 'up')}>
          <Named name={t('Move up')} shortcut="Mod-Shift-ArrowUp" />
        </MenuItem>
        <MenuItem icon={<ArrowDown size={16} />} onSelect={() => editor.storage.blocks.step(editor.view, 'down')}>
          <Named name={t('Move down')} shortcut="Mod-Shift-ArrowDown" />
        </MenuItem>
        <MenuItem icon={<Scissors size={16} />} onSelect={ui.askToSplit}>
          <Named name={t('Move what follows…')} shortcut={shownKeys.split} />
        </MenuItem>
        <MenuLine />
        <MenuItem
          danger
          icon={<Trash2 size={16} />}
          onSelect={() => run((blocks) => deleteBlocks(editor.view, blocks))}
        >
          {t('Delete')}
        </MenuItem>
      </TextMenu>
    </DropdownMenu.Root>
  )
}

function TurnInto({ editor }: { editor: Editor }) {
  const blocks = selectedBlocks(editor.state)
  const block = blocks && editor.state.doc.nodeAt(blocks.from)
  // A block without text can't become a paragraph, nor can a table.
  if (!block || block.isLeaf || block.type.spec.tableRole === 'table') return null
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-hover data-[state=open]:bg-hover">
        <Repeat2 size={16} aria-hidden className="opacity-75" />
        <span className="flex-1">{t('Turn into')}</span>
        <ChevronRight size={15} aria-hidden className="text-ink-faint" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent sideOffset={4} collisionPadding={8} className={textMenuClass}>
          <KindItems editor={editor} />
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  )
}

function Named({ name, shortcut }: { name: string; shortcut: string }): ReactNode {
  return (
    <>
      <span className="flex-1">{name}</span>
      <span aria-hidden className="text-xs text-ink-faint">
        {formatShortcut(shortcut, isMacLike())}
      </span>
    </>
  )
}

/** The kinds of blocks as items of a menu; the one at the caret has a tick. */
function KindItems({ editor }: { editor: Editor }) {
  return blockKinds.map(({ label, icon: Icon, isActive, apply }) => (
    <MenuItem key={label} icon={<Icon size={16} />} onSelect={() => apply(editor)}>
      <span className="flex-1">{t(label)}</span>
      {isActive(editor) && (
        <>
          <Check size={15} aria-hidden />
          <span className="sr-only">{t('(now)')}</span>
        </>
      )}
    </MenuItem>
  ))
}
