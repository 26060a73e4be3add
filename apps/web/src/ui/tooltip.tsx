import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type TooltipProps = { text: string; shortcut?: string | undefined; children: ReactNode }

/** A short text beside a control on hover and focus. `shortcut` is shown in the platform's own notation. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="pop z-50 rounded-md bg-ink px-2 py-1 text-xs text-page shadow-raised"
        >
          {text}
          {shortcut && <span className="ml-2 opacity-70">{shortcut}</span>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Shares opening delays between tooltips; rendered once around the app. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={350} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  )
}
