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
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { useDocumentSummary } from '../api/documents.ts'
import type { ConnectionState } from '../collaboration/connection-state.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useSharedTitle } from '../collaboration/hooks.ts'
import { createRestedState, type SavedState } from '../collaboration/saved-state.ts'
import { Link } from '../common/location.tsx'
import type { Following } from '../editor/peers/following.ts'
import { Bell } from '../notifications/bell.tsx'
import { ShareButton } from '../sharing/share-button.tsx'
import { IconButton, iconButtonClass } from '../ui/button.tsx'
import { SideBarButton } from '../ui/side-bar-button.tsx'
import { ThemeToggle } from '../ui/theme.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { DocumentMenu } from './document-menu.tsx'
import { PeopleHere } from './people-here.tsx'

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
  const { data: summary } = useDocumentSummary(connection.document)
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line bg-page px-2 sm:gap-2 sm:px-3">
      <SideBarButton place="document" />
      <Link to="/" aria-label="All documents" className={iconButtonClass}>
        <ArrowLeft size={18} aria-hidden />
      </Link>
      <div className="flex min-w-0 flex-1 items-center gap-2 sm:gap-3">
        {state.opened ? (
          <TitleField
            meta={connection.meta}
            readOnly={state.readOnly || state.refusal !== null}
            takesFocus={isNew}
            otherwise={summary?.title || 'Untitled'}
          />
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

type TitleFieldProps = { meta: DocumentConnection['meta']; readOnly: boolean; takesFocus: boolean; otherwise: string }

const writeDelay = 250

/**
 * The document's shared title. Typed text is written to the shared document after a pause, on Enter and on blur;
 * otherwise the field shows remote changes. `otherwise` is the name in lists of a document without a title.
 */
function TitleField({ meta, readOnly, takesFocus, otherwise }: TitleFieldProps) {
  const shared = useSharedTitle(meta)
  const [draft, setDraft] = useState<string | null>(null)
  // What the list said is out of date once the document has had a title here.
  const [wasTitled, setTitled] = useState(shared !== '')
  if (shared !== '' && !wasTitled) setTitled(true)
  const name = wasTitled ? 'Untitled' : otherwise
  const write = useTitleWriter({ meta, readOnly, draft, done: () => setDraft(null) })
  useEffect(() => {
    document.title = `${shared || name} – Copydesk`
  }, [shared, name])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    if (event.key === 'Enter') write()
    else setDraft(null)
    document.querySelector<HTMLElement>('.document-text')?.focus()
  }
  return (
    <input
      aria-label="Title"
      placeholder={name}
      dir="auto"
      maxLength={300}
      autoFocus={takesFocus}
      readOnly={readOnly}
      value={draft ?? shared}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={write}
      className="h-9 min-w-0 flex-1 truncate rounded-md border border-transparent bg-transparent px-2 text-base font-semibold hover:border-line focus-visible:border-line focus-visible:outline-offset-0 sm:max-w-md sm:flex-initial sm:grow"
    />
  )
}

type TitleDraft = Omit<TitleFieldProps, 'takesFocus' | 'otherwise'> & { draft: string | null; done: () => void }

function useTitleWriter({ meta, readOnly, draft, done }: TitleDraft): () => void {
  const set = (title: string) => {
    if (!readOnly && title !== (meta.get('title') ?? '')) meta.set('title', title)
    done()
  }
  // While the user is typing, a trailing space may precede a word.
  const rest = useEffectEvent(() => draft !== null && set(draft))
  useEffect(() => {
    if (draft === null) return undefined
    const timer = setTimeout(() => rest(), writeDelay)
    return () => clearTimeout(timer)
  }, [draft])
  // A user may leave the page by a shortcut before the pause; afterwards the connection is closed.
  useLayoutEffect(() => () => void rest(), [])
  return () => {
    const title = draft ?? meta.get('title')
    if (typeof title === 'string' && (draft !== null || title !== title.trim())) set(title.trim())
  }
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
  const rested = useMemo(() => createRestedState(connection.state), [connection])
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
