import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type DialogProps = {
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocusTo: HTMLElement | null
  /** Whether the dialog contains more than a question. */
  wide?: boolean
  children: ReactNode
}

/** A dialog in the middle of the page; holds the focus until it is closed, then returns it to `returnFocusTo`. */
export function Dialog({ title, open, onOpenChange, returnFocusTo, wide = false, children }: DialogProps) {
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
          className={`pop fixed left-1/2 z-50 max-h-[calc(100dvh-2rem)] -translate-x-1/2 overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-raised ${wide ? 'top-[min(10vh,4rem)] w-[min(34rem,calc(100vw-1rem))]' : 'top-[20vh] w-[min(26rem,calc(100vw-2rem))]'}`}
        >
          <Radix.Title dir="auto" className="mb-3 truncate text-base font-semibold">
            {title}
          </Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
