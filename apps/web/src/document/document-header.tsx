import type { Me } from '@copydesk/protocol'
import { ArrowLeft, MessageSquareText } from 'lucide-react'
import { Link } from '../app/link.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { ConnectionState } from '../collaboration/connection-state.ts'
import type { Following } from '../editor/follow/following.ts'
import { Bell } from '../notifications/bell.tsx'
import { ShareButton } from '../share/share-button.tsx'
import { ThemeToggle } from '../theme/theme-toggle.tsx'
import { IconButton, iconButtonClass } from '../ui/icon-button.tsx'
import { DocumentMenu } from './document-menu.tsx'
import { PeopleHere } from './people-here.tsx'
import { SavedStatus } from './saved-status.tsx'
import { TitleField } from './title-field.tsx'

type DocumentHeaderProps = {
  connection: DocumentConnection
  state: ConnectionState
  me: Me
  following: Following
  isNew: boolean
  panelOpen: boolean
  onTogglePanel: () => void
}

/** The header above the text: back link, title, saved state, presences, chat and menu. */
export function DocumentHeader({
  connection,
  state,
  me,
  following,
  isNew,
  panelOpen,
  onTogglePanel,
}: DocumentHeaderProps) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 sm:gap-2 sm:px-3">
      <Link to="/" aria-label="All documents" className={iconButtonClass}>
        <ArrowLeft size={18} aria-hidden />
      </Link>
      <div className="flex min-w-0 flex-1 items-center gap-2 sm:gap-3">
        {state.opened ? (
          <TitleField meta={connection.meta} readOnly={state.readOnly || state.refusal !== null} takesFocus={isNew} />
        ) : (
          <div aria-hidden className="skeleton h-5 w-40" />
        )}
        <SavedStatus connection={connection} />
      </div>
      <PeopleHere connection={connection} me={me} following={following} />
      {state.refusal === null && <ShareButton connection={connection} me={me} />}
      <Bell nudges={connection.provider} />
      <span className="hidden min-[900px]:inline-flex">
        <IconButton
          label={panelOpen ? 'Hide chat and comments' : 'Show chat and comments'}
          aria-pressed={panelOpen}
          onClick={onTogglePanel}
        >
          <MessageSquareText size={18} aria-hidden />
        </IconButton>
      </span>
      <span className="hidden sm:inline-flex">
        <ThemeToggle />
      </span>
      <DocumentMenu connection={connection} />
    </header>
  )
}
