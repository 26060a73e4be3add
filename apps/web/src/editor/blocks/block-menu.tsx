import type { Editor } from '@tiptap/core'
import { ArrowDown, ArrowUp, ChevronRight, Copy, Repeat2, Scissors, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu.tsx'
import type { WritingUi } from '../common/editor-ui.ts'
import { TextMenu, textMenuClass } from '../common/text-menu.tsx'
import { shownKeys } from '../../common/commands/shortcut-keys.ts'
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
        <MenuItem
          icon={Copy}
          onSelect={() => run((blocks) => duplicateBlocks(editor.view, blocks))}
          text={t('Duplicate')}
        />
        <MenuItem
          icon={ArrowUp}
          onSelect={() => editor.storage.blocks.step(editor.view, 'up')}
          text={t('Move up')}
          keys="Mod-Shift-ArrowUp"
        />
        <MenuItem
          icon={ArrowDown}
          onSelect={() => editor.storage.blocks.step(editor.view, 'down')}
          text={t('Move down')}
          keys="Mod-Shift-ArrowDown"
        />
        <MenuItem icon={Scissors} onSelect={ui.askToSplit} text={t('Move what follows…')} keys={shownKeys.split} />
        <MenuLine />
        <MenuItem
          danger
          icon={Trash2}
          onSelect={() => run((blocks) => deleteBlocks(editor.view, blocks))}
          text={t('Delete')}
        />
      </TextMenu>
    </DropdownMenu.Root>
  )
}

function TurnInto({ editor }: { editor: Editor }) {
  const blocks = selectedBlocks(editor.state)
  const block = blocks && editor.state.doc.nodeAt(blocks.from)
  // A block without text can't be converted to a paragraph, nor can a table.
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

/** The kinds of blocks as menu items; the current one has a tick. */
function KindItems({ editor }: { editor: Editor }) {
  return blockKinds.map(({ label, icon, isActive, apply }) => (
    <MenuItem
      key={label}
      icon={icon}
      text={t(label)}
      ticked={isActive(editor) ? t('(now)') : undefined}
      onSelect={() => apply(editor)}
    />
  ))
}
