import { MessageSquareText, X } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { type ReactNode, type RefObject } from 'react'
import { useNarrow } from '../common/layout/media-queries.ts'
import { type PanelTab } from '../common/layout/page-layout.ts'
import { t } from '../i18n/translate.ts'
import { IconButton } from '../ui/button.tsx'
import { Sheet } from '../ui/dialog.tsx'

type ChatButtonProps = { ref: RefObject<HTMLButtonElement | null>; isOpen: boolean; onOpen: () => void }

/** Opens chat and comments on narrow screens. */
export function ChatButton({ ref, isOpen, onOpen }: ChatButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={t('Open chat and comments')}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={onOpen}
      className="inline-flex h-10 items-center gap-2 rounded-full bg-accent px-4 text-sm font-medium text-on-accent"
    >
      <MessageSquareText size={18} aria-hidden />
      {t('Chat')}
    </button>
  )
}

type ChatDockProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that opens the sheet and gets the focus back. */
  button: RefObject<HTMLButtonElement | null>
  children: ReactNode
}

/** The container of chat and comments: a column next to the text, or on narrow screens a sheet over it. */
export function ChatDock({ open, onOpenChange, button, children }: ChatDockProps) {
  const narrow = useNarrow()
  if (!narrow) {
    return open ? (
      <aside
        aria-label={t('Chat and comments')}
        className="flex w-(--panel) shrink-0 flex-col border-l border-line bg-page"
      >
        {children}
      </aside>
    ) : null
  }
  return (
    <Sheet
      title={t('Chat and comments')}
      open={open}
      onOpenChange={onOpenChange}
      onCloseAutoFocus={() => button.current?.focus()}
      className="top-12 [@media(max-height:30rem)]:top-0"
    >
      {children}
    </Sheet>
  )
}

type SidePanelProps = {
  tab: PanelTab
  onTab: (tab: PanelTab) => void
  onClose: () => void
  openComments: number
  chat: ReactNode
  comments: ReactNode
}

const contentClass = 'flex min-h-0 flex-1 flex-col outline-offset-[-2px] data-[state=inactive]:hidden'

/** The panel next to the text: the chat with the agent, or the comments. */
export function SidePanel({ tab, onTab, onClose, openComments, chat, comments }: SidePanelProps) {
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => onTab(value === 'comments' ? 'comments' : 'chat')}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex h-12 shrink-0 items-center justify-between border-b border-line px-1.5">
        <Tabs.List aria-label={t('Chat and comments')} className="flex h-full">
          <Tab value="chat">{t('Chat')}</Tab>
          <Tab value="comments">
            {t('Comments')}
            {openComments > 0 && (
              <span className="rounded-full bg-hover px-1.5 text-xs leading-5 text-ink-soft">{openComments}</span>
            )}
          </Tab>
        </Tabs.List>
        <IconButton label={t('Close panel')} onClick={onClose} icon={X} />
      </div>
      <Tabs.Content value="chat" className={contentClass}>
        {chat}
      </Tabs.Content>
      <Tabs.Content value="comments" className={contentClass}>
        {comments}
      </Tabs.Content>
    </Tabs.Root>
  )
}

function Tab({ value, children }: { value: PanelTab; children: ReactNode }) {
  return (
    <Tabs.Trigger
      value={value}
      // Radix focuses a pressed tab by script, which browsers show as they show focus by key.
      onMouseDown={({ currentTarget }) => currentTarget.setAttribute('data-pressed', '')}
      onKeyDown={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
      onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
      className="relative flex items-center gap-1.5 px-2.5 text-sm font-medium text-ink-soft rounded-xl outline-offset-[-8px] hover:text-ink data-pressed:outline-hidden data-[state=active]:font-semibold data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent"
    >
      {children}
    </Tabs.Trigger>
  )
}
