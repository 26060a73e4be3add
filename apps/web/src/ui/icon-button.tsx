import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  shortcut?: string
  children: ReactNode
}

/** A square button with an icon; `label` is its accessible name and tooltip. */
export function IconButton({ label, shortcut, children, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button type="button" aria-label={label} className={`${iconButtonClass} ${className}`} {...rest}>
        {children}
      </button>
    </Tooltip>
  )
}

/** The style of square icon buttons, for those that another component has to render. */
export const iconButtonClass =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-40 aria-pressed:bg-accent-soft aria-pressed:text-accent-strong data-[state=open]:bg-hover'
