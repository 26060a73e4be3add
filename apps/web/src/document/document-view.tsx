import type { Me, Role } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import {
  type ComponentProps,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { latePart, separatePart } from '../common/lazy-part.ts'
import { useDocumentSummary } from '../api/documents.ts'
import { dismissHighlight } from '../api/review.ts'
import { fetchAuthorship } from '../api/versions.ts'
import { useApprovalNotice } from '../chat/runs/use-approval-notice.ts'
import { type ConnectionState, staysWritable } from '../collaboration/connection-state.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useColorOf, useFont, useOpenThreads } from '../collaboration/hooks.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { isNarrow, useNarrow } from '../common/layout/media-queries.ts'
import { authorshipView, splitView, useIsShown, type usePanel } from '../common/layout/page-layout.ts'
import { missingRight } from '../common/roles.ts'
import { type ChangedBlocks, createChangedBlocks } from '../editor/agent-edits/changed-blocks.ts'
import { createEditorUi, createWritingUi } from '../editor/common/editor-ui.ts'
import type { Following } from '../editor/peers/following.ts'
import { createEditingMode, type EditingModeStore } from '../editor/suggesting/editing-mode.ts'
import { loadFailureTexts, t } from '../i18n/translate.ts'
import { RunChipsContext } from '../mentions/chip-state.ts'
import { createReviewUi, type ReviewUi } from '../review/text/review-ui.ts'
import { showError, showToast } from '../ui/toasts/toasts.tsx'
import { ChatButton, ChatDock, SidePanel } from './side-panel.tsx'
import { DocumentMentions } from './runs/document-mentions.tsx'
import { EditorPane } from './editor/editor-pane.tsx'
import { useDocumentEditor } from './editor/use-document-editor.ts'
import { Overlays } from './overlays.tsx'
import { useAnsweredRequests } from './runs/use-answered-requests.ts'
import { TitlePlace } from './title/title-place.tsx'
import type { TitleInView } from './title/title-in-view.tsx'
import { useRunToasts } from './runs/use-run-toasts.ts'
import { useRunUndo } from './runs/use-run-undo.ts'

const FollowBar = latePart(async () => (await import('../editor/peers/follow-bar.tsx')).FollowBar)
const ReviewLayer = latePart(async () => (await import('../review/review-layer.tsx')).ReviewLayer)
const AuthorshipBar = separatePart(async () => (await import('../authorship/authorship-bar.tsx')).AuthorshipBar)
const ReviewMargin = latePart(async () => (await import('../review/margin/review-margin.tsx')).ReviewMargin)
const ChatPanel = latePart(async () => {
  const [panel] = await Promise.all([import('../chat/chat-panel.tsx'), loadFailureTexts()])
  return panel.ChatPanel
})
const CommentsPanel = latePart(async () => (await import('../review/threads/comments-panel.tsx')).CommentsPanel)

const PaletteSource = latePart(async () => (await import('./commands/palette-source.tsx')).PaletteSource)

const hideAuthorship = () => authorshipView.set(null)

type DocumentViewProps = {
  connection: DocumentConnection
  state: ConnectionState
  me: Me
  user: LocalUser
  panel: ReturnType<typeof usePanel>
  following: Following
  isNew: boolean
  titleInView: TitleInView
}

/** The text of an opened document with its review, and the panel next to it. */
export function DocumentView({ connection, state, me, user, panel, following, isNew, titleInView }: DocumentViewProps) {
  const { document } = connection
  const readOnly = !staysWritable(state)
  const { data: summary } = useDocumentSummary(document)
  const runUndo = useRunUndo(connection, me.user.id)
  const [{ ui, writing, review, changed }] = useState(() => createInterface(document))
  const canComment = useCanComment(review, summary?.role, state)
  const [mode] = useState(() => openEditingMode(document))
  const isViewing = useSyncExternalStore(mode.subscribe, mode.get) === 'viewing'
  const colorOf = useColorOf(connection)
  const { showRun, showComments: openComments } = panel
  // If comments are shown in the margin, the panel need not open.
  const showComments = useCallback(() => void (!review.get().margin && openComments()), [review, openComments])
  const clicks = useClicks(document, showComments)
  const setup = { connection, user, ui, writing, review, mode, runUndo, following, changed, ...clicks }
  const editor = useDocumentEditor(setup, { readOnly: readOnly || isViewing, takesFocus: !isNew })
  const narrow = useNarrow()
  const isCovered = narrow && panel.open
  const showsChat = panel.open && panel.tab === 'chat'
  useRunToasts({ connection, editor, self: me.user.id, showsChat, isCovered, canEdit: !readOnly, onShowRun: showRun })
  useAnsweredRequests({ connection, editor, self: me.user.id, mode })
  const listsThreads = panel.open && panel.tab === 'comments'
  const beside = { connection, editor, me, canComment, colorOf, canDecide: !readOnly, showsThreads: !listsThreads }
  const margin = <ReviewMargin {...beside} ui={review} />
  const bars = (
    <Bars
      {...{ connection, me, editor, writing, canComment, colorOf, ui: review, editorUi: ui, canDecide: !readOnly }}
      onOpenThread={showComments}
      onAsk={panel.askAgent}
    />
  )
  const title = { connection, editor, inView: titleInView, takesFocus: isNew }
  const chatButton = useRef<HTMLButtonElement>(null)
  const footerButton = narrow && <ChatButton ref={chatButton} isOpen={panel.open} onOpen={() => panel.setOpen(true)} />
  return (
    <div className="flex min-h-0 flex-1">
      <main className="relative flex min-w-0 flex-1 flex-col">
        <FollowBar connection={connection} following={following} self={me.user.id} />
        <EditorPane
          {...{ editor, ui, writing, runUndo, mode, readOnly, margin, bars, footerButton }}
          font={useFont(connection)}
          title={<TitlePlace {...title} readOnly={readOnly || isViewing} />}
          readOnlyNote={whyReadOnly(state, summary?.role)}
        />
      </main>
      <DocumentMentions
        {...{ connection, me, panel, editor, review, canComment, canEdit: !readOnly }}
        onShowChanges={changed.show}
      />
      <Overlays {...{ connection, editor, user, mode }} canEdit={!readOnly} />
      <PaletteSource {...{ connection, editor, ui, me, panel, following, mode, canComment }} canEdit={!readOnly} />
      <Panel {...{ connection, me, panel, editor, review, changed, readOnly, canComment, chatButton }} />
    </div>
  )
}

/** The handlers of clicks in the text. */
function useClicks(document: string, showComments: () => void) {
  const chips = use(RunChipsContext)
  const [clicks] = useState(() => ({
    onOpenRun: (run: string, chip: HTMLElement) => chips?.menu.set({ run, chip }),
    // On a narrow screen the panel would cover the text; the bubble at the caret offers it instead.
    onOpenThread: () => void (!isNarrow() && showComments()),
    onDismissHighlight: (highlight: string) => void dismissHighlight(document, highlight).catch(showError),
  }))
  return clicks
}

type BarsProps = Omit<ComponentProps<typeof ReviewLayer>, 'document' | 'self'> &
  Pick<DocumentViewProps, 'connection' | 'me'>

function Bars({ connection, me, ...review }: BarsProps) {
  const { document } = connection
  const isAuthorshipShown = useIsShown(authorshipView, document)
  return (
    <>
      <ReviewLayer {...review} document={document} self={me.user.id} />
      {isAuthorshipShown && (
        <AuthorshipBar editor={review.editor} connection={connection} me={me} onClose={hideAuthorship} />
      )}
    </>
  )
}

// The shortcuts in the text also read this.
function useCanComment(review: ReviewUi, role: Role | undefined, { refusal }: ConnectionState): boolean {
  const canComment = role !== undefined && role !== 'viewer' && refusal === null
  useEffect(() => review.put({ canComment }), [review, canComment])
  return canComment
}

// The banner explains a refusal in more detail.
function whyReadOnly({ refusal }: ConnectionState, role: Role | undefined): string | undefined {
  if (refusal === null || refusal === 'read_only') return missingRight(role, 'edit')
  return t('Nothing can be written here until that is settled.')
}

function createInterface(document: string) {
  return {
    ui: createEditorUi(),
    writing: createWritingUi(() => splitView.set(document)),
    review: createReviewUi(),
    changed: createChangedBlocks(() => fetchAuthorship(document)),
  }
}

type PanelProps = Pick<DocumentViewProps, 'connection' | 'me' | 'panel'> & {
  editor: Editor
  review: ReviewUi
  changed: ChangedBlocks
  readOnly: boolean
  canComment: boolean
  chatButton: RefObject<HTMLButtonElement | null>
}

function Panel({ connection, me, panel, editor, review, changed, readOnly, canComment, chatButton }: PanelProps) {
  const { setOpen } = panel
  useApprovalNotice(connection, panel, !readOnly)
  const makeRoom = useCallback(() => void (isNarrow() && setOpen(false)), [setOpen])
  return (
    <ChatDock open={panel.open} onOpenChange={panel.setOpen} button={chatButton}>
      <SidePanel
        tab={panel.tab}
        onTab={panel.setTab}
        onClose={() => panel.setOpen(false)}
        openComments={useOpenThreads(connection)}
        chat={
          <ChatPanel
            connection={connection}
            me={me}
            editor={editor}
            changed={changed}
            shownRun={panel.shownRun}
            canEdit={!readOnly}
            onShowText={makeRoom}
          />
        }
        comments={
          <CommentsPanel
            connection={connection}
            editor={editor}
            ui={review}
            me={me}
            canComment={canComment}
            onShowText={makeRoom}
          />
        }
      />
    </ChatDock>
  )
}

function openEditingMode(document: string): EditingModeStore {
  return createEditingMode(document, {
    memory: localStorage,
    load: () => import('../editor/suggesting/tracker.ts'),
    onFailure: () => showToast(t('Suggesting couldn’t be loaded. Check the connection and try again.')),
  })
}
