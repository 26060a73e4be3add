import { cloneElement, type ReactElement, type ReactNode, startTransition, Suspense, useState } from 'react'
import { lazyPart } from '../../common/lazy-part.ts'

const load = () => import('./menu-parts.tsx')
const OpenedMenu = lazyPart(async () => (await load()).OpenedMenu)

type MenuProps = {
  trigger: ReactElement<Record<string, unknown>>
  /** Moves the focus to another element than the trigger; the caller prevents the event's default. */
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

/**
 * A menu that opens below its trigger, a button that passes its attributes on. The menu code is loaded when the first
 * menu is about to be opened.
 */
export function Menu({ trigger, children, ...rest }: MenuProps) {
  const [wanted, setWanted] = useState(false)
  // In a transition the button stays unchanged until the menu can be shown. The boundary handles a store update that
  // ends the transition: otherwise the skeleton would replace the page.
  const open = () => startTransition(() => setWanted(true))
  return (
    <Suspense fallback={trigger}>
      {wanted ? (
        <OpenedMenu trigger={trigger} {...rest}>
          {children}
        </OpenedMenu>
      ) : (
        cloneElement(trigger, {
          'aria-haspopup': 'menu',
          'aria-expanded': false,
          onPointerEnter: load,
          onFocus: load,
          onClick: open,
          onKeyDown: (event: { key: string }) => void (event.key === 'ArrowDown' && open()),
        })
      )}
    </Suspense>
  )
}

/** One action in a `Menu`. */
export const MenuItem = lazyPart(async () => (await load()).MenuItem)

/** A line between groups of a `Menu`. */
export const MenuLine = lazyPart(async () => (await load()).MenuLine)

/** Options in a `Menu` of which one is chosen. */
export const MenuOptions = lazyPart(async () => (await load()).MenuOptions<string>)
