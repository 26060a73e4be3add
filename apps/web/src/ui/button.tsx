import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Tooltip } from './tooltips/tooltip.tsx'

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover',
  danger: 'bg-surface text-danger border-line hover:bg-danger-soft',
} as const

const sizes = { normal: 'h-9 px-3.5 text-sm', small: 'h-7 px-2.5 text-xs' } as const

type ButtonProps = ComponentProps<'button'> & { look?: keyof typeof looks; size?: keyof typeof sizes }

export function Button({ look = 'plain', size = 'normal', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-60 aria-disabled:opacity-60 ${sizes[size]} ${looks[look]} ${className}`}
      {...rest}
    />
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: LucideIcon
  /** The size of the icon in pixels. */
  size?: number
  shortcut?: string
}

/** A square button with an icon; `label` is its accessible name and tooltip. */
export function IconButton({ label, icon: Icon, size = 17, shortcut, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button type="button" aria-label={label} className={`${iconButtonClass} ${className}`} {...rest}>
        <Icon size={size} aria-hidden />
      </button>
    </Tooltip>
  )
}

/** The style of square icon buttons, for buttons that another component renders. */
export const iconButtonClass =
  'inline-flex size-9 pointer-coarse:size-10 shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-40 aria-pressed:bg-accent-soft aria-pressed:text-accent-strong data-[state=open]:bg-hover'
