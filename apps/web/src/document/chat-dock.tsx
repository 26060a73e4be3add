import { MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Sheet } from '../ui/sheet.tsx'
import { useNarrow } from './use-narrow.ts'

type ChatDockProps = { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }

/**
 * The container of chat and comments: a column next to the text, or on narrow screens a sheet over it with a floating
 * button.
 */
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
    <Sheet
      title="Chat and comments"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <button
          type="button"
          aria-label="Open chat and comments"
          data-chat-button=""
          className="fixed right-4 bottom-4 z-20 flex size-13 items-center justify-center rounded-full bg-accent text-on-accent shadow-raised"
        >
          <MessageSquareText size={22} aria-hidden />
        </button>
      }
      className="top-12"
    >
      {children}
    </Sheet>
  )
}
