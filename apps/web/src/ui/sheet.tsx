import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

type SheetProps = {
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that opens the sheet, and gets the focus back. */
  trigger: ReactNode
  /** Sets the height. */
  className: string
  /**
   * The label of the close button; without one `children` contain a header of their own, and the title is for screen
   * readers only.
   */
  closeLabel?: string
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

/** A sheet that covers the page from below if there is no room next to the text; holds the focus until it is closed. */
export function Sheet({ title, open, onOpenChange, trigger, className, closeLabel, children, ...rest }: SheetProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Trigger asChild>{trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          tabIndex={-1}
          onOpenAutoFocus={focusSheet}
          {...rest}
          className={`pop fixed inset-x-0 bottom-0 z-40 flex flex-col overflow-hidden rounded-t-2xl border-t border-line bg-surface shadow-raised outline-none ${className}`}
        >
          {closeLabel === undefined ? (
            <Dialog.Title className="sr-only">{title}</Dialog.Title>
          ) : (
            <div className="flex items-center justify-between border-b border-line py-1 ps-5 pe-2">
              <Dialog.Title className="text-sm font-semibold">{title}</Dialog.Title>
              <IconButton label={closeLabel} onClick={() => onOpenChange(false)}>
                <X size={17} aria-hidden />
              </IconButton>
            </div>
          )}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

// Not the first button, whose tooltip would open, and not a field, which would open an on-screen keyboard.
function focusSheet(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
