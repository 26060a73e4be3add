import type { Me } from '@copydesk/protocol'
import type { ReactNode, Ref } from 'react'
import { Menu } from '../ui/menus/menu.tsx'
import { Avatar } from '../ui/people/avatar.tsx'

type UserMenuProps = { user: Me['user']; label: string; button: Ref<HTMLButtonElement>; children: ReactNode }

/** A menu behind the user's avatar and name; `label` describes its content. */
export function UserMenu({ user: { name, color }, label, button, children }: UserMenuProps) {
  return (
    <Menu
      trigger={
        <button
          ref={button}
          type="button"
          className="relative -mr-1.5 flex h-9 min-w-0 items-center gap-2 rounded-md px-1.5 text-sm text-ink-soft hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
        >
          <Avatar name={name} color={color} kind="person" />
          <span className="sr-only">{label}</span>
          <span aria-hidden className="hidden max-w-40 truncate sm:inline">
            {name}
          </span>
        </button>
      }
    >
      {children}
    </Menu>
  )
}
