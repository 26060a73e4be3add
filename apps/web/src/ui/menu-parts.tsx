import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

type OpenedMenuProps = { trigger: ReactNode; children: ReactNode }

/** A menu, open at first, that its trigger closes and opens again. The page beside it stays as it is: not locked, not hidden from anybody. */
export function OpenedMenu({ trigger, children }: OpenedMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (shown && shown === document.activeElement) focusNextRow(shown)
    }
  }, [])
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger ref={button} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="pop z-50 min-w-48 rounded-lg border border-line bg-surface p-1 shadow-raised"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

// When a row goes while its menu's button has the focus, as one does that was thrown away, the next row's menu takes it, and after the last row the
// heading: it would fall to the beginning of the page.
function focusNextRow(button: HTMLElement): void {
  const row = button.closest('li')
  if (!row) return
  const next = row.nextElementSibling ?? row.previousElementSibling
  const target =
    next?.querySelector<HTMLElement>('button') ??
    next?.querySelector('a') ??
    document.querySelector<HTMLElement>('main h1')
  if (target?.tagName === 'H1') target.tabIndex = -1
  target?.focus()
}

type MenuItemProps = {
  icon: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}

/** One thing to do in a `Menu`. */
export function MenuItem({ icon, onSelect, danger = false, disabled = false, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      className={`flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[disabled]:pointer-events-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover ${danger ? 'text-danger' : 'text-ink'}`}
    >
      <span aria-hidden className="opacity-75">
        {icon}
      </span>
      {children}
    </DropdownMenu.Item>
  )
}

/** A line between groups of a `Menu`. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
