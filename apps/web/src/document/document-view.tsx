import type { Me, Role } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { lazy, Suspense, use, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { whyNot } from '../access/roles.ts'
import { fetchAuthorship } from '../api/authorship.ts'
import { dismissHighlight } from '../api/review.ts'
import { showError, showToast } from '../app/toasts.tsx'
import { useAuthorship } from '../authorship/shown-authorship.ts'
import { useApprovalNotice } from '../chat/use-approval-notice.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { type ConnectionState, staysWritable } from '../collaboration/connection-state.ts'
import { useColorOf, useRoomPart } from '../collaboration/hooks.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { createChangedBlocks, type ChangedBlocks } from '../editor/changed-blocks/changed-blocks.ts'
import { EditorPane } from '../editor/editor-pane.tsx'
import { createEditorUi } from '../editor/editor-ui.ts'
import { FollowBar } from '../editor/follow/follow-bar.tsx'
import type { Following } from '../editor/follow/following.ts'
import { createReviewUi, type ReviewUi } from '../editor/review/review-ui.ts'
import { createEditingMode, type EditingModeStore } from '../editor/suggesting/editing-mode.ts'
import { useDocumentEditor } from '../editor/use-document-editor.ts'
import { createWritingUi } from '../editor/writing-ui.ts'
import { DocumentMentions } from '../mentions/document-mentions.tsx'
import { RunChipsContext } from '../mentions/run-chips.ts'
import { ChatDock } from './chat-dock.tsx'
import { Gates } from './gates.tsx'
import { SidePanel } from './side-panel.tsx'
import { showSplit } from './split/shown-split.ts'
import { useDocumentSummary } from './use-document-summary.ts'
import { isNarrow, useNarrow } from './use-narrow.ts'
import type { usePanel } from './use-panel.ts'
import { useRunNews } from './use-run-news.ts'
import { useTakeBack } from './use-take-back.ts'

const ReviewLayer = lazy(async () => ({ default: (await import('../review/review-layer.tsx')).ReviewLayer }))
const AuthorshipBar = lazy(async () => ({ default: (await import('../authorship/authorship-bar.tsx')).AuthorshipBar }))
const ReviewMargin = lazy(async () => ({ default: (await import('../review/margin/review-margin.tsx')).ReviewMargin }))
const ChatPanel = lazy(async () => ({ default: (await import('../chat/chat-panel.tsx')).ChatPanel }))
const CommentsPanel = lazy(async () => ({ default: (await import('../review/comments-panel.tsx')).CommentsPanel }))

type DocumentViewProps = {
  connection: DocumentConnection
  state: ConnectionState
  me: Me
  user: LocalUser
  panel: ReturnType<typeof usePanel>
  following: Following
  isNew: boolean
}

/** The text of an opened document with its review, and the panel next to it. */
export function DocumentView({ connection, state, me, user, panel, following, isNew }: DocumentViewProps) {
  const { document } = connection
  const readOnly = !staysWritable(state)
  const { data: summary } = useDocumentSummary(document)
  const takeBack = useTakeBack(connection, me.user.id)
  const [{ ui, writing, review, changed }] = useState(() => createInterface(document))
  const canComment = useCanComment(review, summary?.role, state)
  const [isAuthorshipShown, showAuthorship] = useAuthorship(document)
  const [mode] = useState(() => openEditingMode(document))
  const isViewing = useSyncExternalStore(mode.subscribe, mode.get) === 'viewing'
  const colorOf = useColorOf(connection)
  const { showRun, showComments: openComments } = panel
  // If comments are shown in the margin, the panel isn't needed.
  const showComments = useCallback(() => void (!review.get().margin && openComments()), [review, openComments])
  const chips = use(RunChipsContext)
  const [clicks] = useState(() => ({
    onOpenRun: (run: string, chip: HTMLElement) => chips?.menu.set({ run, chip }),
    // On a narrow screen the panel would cover the text; the bubble at the caret offers it instead.
    onOpenThread: () => void (!isNarrow() && showComments()),
    onDismissHighlight: (highlight: string) => void dismissHighlight(document, highlight).catch(showError),
  }))
  const setup = { connection, user, ui, writing, review, mode, takeBack, following, changed, ...clicks }
  const editor = useDocumentEditor(setup, { readOnly: readOnly || isViewing, takesFocus: !isNew })
  const isCovered = useNarrow() && panel.open
  const showsChat = panel.open && panel.tab === 'chat'
  useRunNews({ connection, editor, self: me.user.id, showsChat, isCovered, canEdit: !readOnly, onShowRun: showRun })
  const listsThreads = panel.open && panel.tab === 'comments'
  const beside = { connection, editor, me, canComment, colorOf, canDecide: !readOnly, showsThreads: !listsThreads }
  const margin = (
    <Suspense fallback={null}>
      <ReviewMargin {...beside} ui={review} />
    </Suspense>
  )
  return (
    <div className="flex min-h-0 flex-1">
      <main className="relative flex min-w-0 flex-1 flex-col">
        <FollowBar connection={connection} following={following} self={me.user.id} />
        <EditorPane
          {...{ editor, ui, writing, takeBack, mode, readOnly, margin }}
          readOnlyNote={whyReadOnly(state, summary?.role)}
        />
        <Suspense fallback={null}>
          <ReviewLayer
            {...{ editor, writing, document, canComment, colorOf, self: me.user.id }}
            ui={review}
            editorUi={ui}
            canDecide={!readOnly}
            onOpenThread={showComments}
            onAsk={panel.askAgent}
          />
          {isAuthorshipShown && <AuthorshipBar {...{ editor, connection, me }} onClose={() => showAuthorship(false)} />}
        </Suspense>
      </main>
      <DocumentMentions
        {...{ connection, me, panel, editor, review, canComment, canEdit: !readOnly }}
        onShowChanges={changed.show}
      />
      <Gates {...{ connection, editor, user, mode }} canEdit={!readOnly} />
      <Panel {...{ connection, me, panel, editor, review, changed, readOnly, canComment }} />
    </div>
  )
}

// The shortcuts in the text read this, too.
function useCanComment(review: ReviewUi, role: Role | undefined, { refusal }: ConnectionState): boolean {
  const canComment = role !== undefined && role !== 'viewer' && refusal === null
  useEffect(() => review.put({ canComment }), [review, canComment])
  return canComment
}

// The banner explains a refusal in more detail.
function whyReadOnly({ refusal }: ConnectionState, role: Role | undefined): string | undefined {
  if (refusal === null || refusal === 'read_only') return whyNot(role, 'edit')
  return 'Nothing can be written here until that is settled.'
}

function createInterface(document: string) {
  return {
    ui: createEditorUi(),
    writing: createWritingUi(() => showSplit(document)),
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
}

function Panel({ connection, me, panel, editor, review, changed, readOnly, canComment }: PanelProps) {
  const { setOpen } = panel
  useApprovalNotice(connection, panel, !readOnly)
  const makeRoom = useCallback(() => void (isNarrow() && setOpen(false)), [setOpen])
  return (
    <ChatDock open={panel.open} onOpenChange={panel.setOpen}>
      <SidePanel
        tab={panel.tab}
        onTab={panel.setTab}
        onClose={() => panel.setOpen(false)}
        openComments={useOpenComments(connection)}
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
    load: () => import('../editor/suggesting/suggesting-tools.ts'),
    onFailure: () => showToast('Suggesting couldn’t be loaded. Check the connection and try again.'),
  })
}

function useOpenComments({ room }: DocumentConnection): number {
  const threads = useRoomPart(room, 'threads')
  return useMemo(() => [...threads.values()].filter(({ resolved }) => !resolved).length, [threads])
}
