import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type DialogProps = {
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocusTo: HTMLElement | null
  children: ReactNode
}

/** A dialog in the middle of the page; holds the focus until it is closed, then gives it to `returnFocusTo`. */
export function Dialog({ title, open, onOpenChange, returnFocusTo, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocusTo?.focus()
          }}
          className="pop fixed top-[20vh] left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 rounded-xl border border-line bg-surface p-5 shadow-raised"
        >
          <Radix.Title className="mb-3 text-base font-semibold">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
