import type { LucideIcon } from 'lucide-react'
import { Toolbar as Radix } from 'radix-ui'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { formatShortcut, isMacLike } from '../shortcuts.ts'

type ToolbarButtonProps = {
  label: string
  icon: LucideIcon
  shortcut?: string | undefined
  pressed?: boolean | undefined
  disabled?: boolean
  onPress: () => void
}

/** A button of the toolbar. A mouse press leaves the focus, and so the selection, in the text. */
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
