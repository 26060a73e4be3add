import type { Me } from '@copydesk/protocol'
import {
  ArrowLeft,
  Cloud,
  CloudAlert,
  CloudOff,
  CloudUpload,
  LoaderCircle,
  type LucideIcon,
  MessageSquareText,
} from 'lucide-react'
import { useMemo, useSyncExternalStore } from 'react'
import { useDocumentSummary } from '../../api/documents.ts'
import type { ConnectionState } from '../../collaboration/connection-state.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { createDebouncedState, type SavedState } from '../../collaboration/saved-state.ts'
import { Link } from '../../common/location.tsx'
import type { Following } from '../../editor/peers/following.ts'
import { t } from '../../i18n/translate.ts'
import { Bell } from '../../notifications/bell.tsx'
import { ShareButton } from '../../sharing/share-button.tsx'
import { IconButton, iconButtonClass } from '../../ui/button.tsx'
import { SideBarButton } from '../../ui/side-bar-button.tsx'
import { ThemeToggle } from '../../ui/theme.tsx'
import { Tooltip } from '../../ui/tooltips/tooltip.tsx'
import { PeopleHere } from './people-here.tsx'
import { BarTitle, type TitleInView } from '../title/title-in-view.tsx'
import { latePart, lazyPart } from '../../common/lazy-part.ts'
import { ActionMenu } from '../../ui/menus/action-menu.tsx'

const FolderPath = latePart(async () => (await import('../../documents/folders/folder-links.tsx')).FolderPath)

type DocumentHeaderProps = {
  connection: DocumentConnection
  state: ConnectionState
  me: Me
  following: Following
  titleInView: TitleInView
  panelOpen: boolean
  onTogglePanel: () => void
}

/** The header above the text: back link, folders, the scrolled title, saved state, presences, chat and menu. */
export function DocumentHeader({
  connection,
  state,
  me,
  following,
  titleInView,
  panelOpen,
  onTogglePanel,
}: DocumentHeaderProps) {
  const { data: summary } = useDocumentSummary(connection.document)
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line bg-page px-2 sm:gap-2 sm:px-3">
      <SideBarButton place="document" />
      <Link to="/" aria-label={t('All documents')} className={iconButtonClass}>
        <ArrowLeft size={18} aria-hidden />
      </Link>
      <div className="flex min-w-0 flex-1 items-center">
        {summary?.folder != null && <FolderPath folder={summary.folder} titleInView={titleInView} />}
        {state.opened && (
          <BarTitle meta={connection.meta} otherwise={summary?.title || t('Untitled')} inView={titleInView} />
        )}
      </div>
      <SavedStatus connection={connection} />
      <PeopleHere connection={connection} me={me} following={following} />
      {state.refusal === null && <ShareButton connection={connection} me={me} />}
      <Bell pushSource={connection.provider} />
      <span className="hidden min-[900px]:inline-flex">
        <IconButton
          label={panelOpen ? t('Hide chat and comments') : t('Show chat and comments')}
          aria-pressed={panelOpen}
          onClick={onTogglePanel}
          icon={MessageSquareText}
          size={18}
        />
      </span>
      <span className="hidden sm:inline-flex">
        <ThemeToggle />
      </span>
      <DocumentMenu connection={connection} />
    </header>
  )
}

const icons: Record<SavedState['kind'], LucideIcon> = {
  opening: LoaderCircle,
  saved: Cloud,
  saving: CloudUpload,
  offline: CloudOff,
  refused: CloudAlert,
}

const tones: Record<SavedState['kind'], string> = {
  opening: 'text-ink-faint',
  saved: 'text-ink-faint',
  saving: 'text-ink-faint',
  offline: 'text-warn',
  refused: 'text-danger',
}

/** The saved state of the document. Announces going offline to screen readers, but not every saved key press. */
function SavedStatus({ connection }: { connection: DocumentConnection }) {
  const rested = useMemo(() => createDebouncedState(connection.state), [connection])
  const { kind, label, detail } = useSyncExternalStore(rested.subscribe, rested.get)
  const Icon = icons[kind]
  const urgent = kind === 'offline' || kind === 'refused'
  return (
    <Tooltip text={detail}>
      <span
        role="status"
        aria-live={urgent ? 'polite' : 'off'}
        data-state-kind={kind}
        className={`flex shrink-0 items-center gap-1.5 text-sm whitespace-nowrap sm:min-w-20 ${tones[kind]}`}
      >
        <Icon size={16} aria-hidden className={kind === 'opening' ? 'spin' : ''} />
        <span className={urgent ? '' : 'sr-only sm:not-sr-only'}>{label}</span>
        {urgent && <span className="sr-only lg:not-sr-only"> — {detail}</span>}
      </span>
    </Tooltip>
  )
}

const DocumentMenuItems = lazyPart(async () => (await import('./document-menu-items.tsx')).DocumentMenuItems)

/** Actions on the document as a whole, including the palette, because a touch screen has no shortcuts for it. */
function DocumentMenu({ connection }: { connection: DocumentConnection }) {
  return (
    <ActionMenu label={t('Document menu')}>
      <DocumentMenuItems connection={connection} />
    </ActionMenu>
  )
}
