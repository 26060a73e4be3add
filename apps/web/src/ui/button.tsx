import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover',
  danger: 'bg-surface text-danger border-line hover:bg-danger-soft',
} as const

const sizes = { normal: 'h-9 px-3.5 text-sm', small: 'h-7 px-2.5 text-xs' } as const

type ButtonProps = ComponentProps<'button'> & { look?: keyof typeof looks; size?: keyof typeof sizes }

/** A button with a text. */
export function Button({ look = 'plain', size = 'normal', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-60 ${sizes[size]} ${looks[look]} ${className}`}
      {...rest}
    />
  )
}
