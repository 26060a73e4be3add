import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { Store } from '../../common/store.ts'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import { t } from '../../i18n/translate.ts'
import { type EditingMode, editingModes, modeAppearances } from './editing-mode.ts'

/** The modes with their descriptions, as items of a menu. */
export function ModeItems({ mode }: { mode: Store<EditingMode> }) {
  return (
    <DropdownMenu.RadioGroup
      value={mode.get()}
      onValueChange={(value) => {
        const chosen = editingModes.find((each) => each === value)
        if (chosen) mode.set(chosen)
      }}
      className="w-72 max-w-[calc(100vw-2rem)]"
    >
      {editingModes.map((each) => (
        <ModeItem key={each} mode={each} />
      ))}
    </DropdownMenu.RadioGroup>
  )
}

function ModeItem({ mode }: { mode: EditingMode }) {
  const { icon: Icon, label, meaning, shortcut } = modeAppearances[mode]
  return (
    <DropdownMenu.RadioItem
      value={mode}
      textValue={t(label)}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-hover"
    >
      <Icon size={16} aria-hidden className="shrink-0 opacity-75" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="font-medium">{t(label)}</span>
          <kbd className="font-sans text-xs text-ink-faint">{formatShortcut(shortcut, isMacLike())}</kbd>
        </span>
        <span className="block text-xs text-ink-soft">{t(meaning)}</span>
      </span>
      <span className="size-4 shrink-0">
        <DropdownMenu.ItemIndicator>
          <Check size={16} aria-hidden />
        </DropdownMenu.ItemIndicator>
      </span>
    </DropdownMenu.RadioItem>
  )
}
