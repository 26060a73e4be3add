import { Ellipsis } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { iconButtonClass } from '../button.tsx'
import { Menu } from './menu.tsx'

type ActionMenuProps = { label: string; button?: Ref<HTMLButtonElement>; className?: string; children: ReactNode }

/** A menu behind a button with three dots; `label` is the button's name. */
export function ActionMenu({ label, button, className = '', children }: ActionMenuProps) {
  return (
    <Menu
      trigger={
        <button ref={button} type="button" aria-label={label} className={`${iconButtonClass} ${className}`}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      {children}
    </Menu>
  )
}
