import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover',
  danger: 'bg-surface text-danger border-line hover:bg-danger-soft',
} as const

type ButtonProps = ComponentProps<'button'> & { look?: keyof typeof looks }

/** A button with a text. */
export function Button({ look = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex h-9 items-center justify-center gap-1.5 rounded-md border px-3.5 text-sm font-medium whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-60 ${looks[look]} ${className}`}
      {...rest}
    />
  )
}
