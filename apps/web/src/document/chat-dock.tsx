import { MessageSquareText } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useNarrow } from './use-narrow.ts'

type ChatDockProps = { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }

/** Where chat and comments stand: a column beside the text, or on narrow screens a sheet over it with a floating button. */
export function ChatDock({ open, onOpenChange, children }: ChatDockProps) {
  const narrow = useNarrow()
  if (!narrow) {
    return open ? (
      <aside
        aria-label="Chat and comments"
        className="flex w-(--panel) shrink-0 flex-col border-l border-line bg-surface"
      >
        {children}
      </aside>
    ) : null
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Trigger
        aria-label="Open chat and comments"
        className="fixed right-4 bottom-4 z-20 flex size-13 items-center justify-center rounded-full bg-accent text-on-accent shadow-raised"
      >
        <MessageSquareText size={22} aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusSheet}
          tabIndex={-1}
          className="pop fixed inset-x-0 top-12 bottom-0 z-40 flex flex-col overflow-hidden rounded-t-2xl outline-none border-t border-line bg-surface shadow-raised"
        >
          <Dialog.Title className="sr-only">Chat and comments</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

// Not the first button, whose tooltip would open, and not the composer, which would bring up a keyboard over the answers.
function focusSheet(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
