import { schemaExtensions } from '@copydesk/schema'
import { type AnyExtension, Extension } from '@tiptap/core'
import { Dropcursor } from '@tiptap/extensions/drop-cursor'
import { Gapcursor } from '@tiptap/extensions/gap-cursor'
import { Placeholder } from '@tiptap/extensions/placeholder'
import type { Node } from 'prosemirror-model'
import { Selection } from 'prosemirror-state'
import { sendImage } from '../../api/images.ts'
import { AuthorshipRanges } from '../../authorship/authorship-extension.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { colorOfPerson, type LocalUser } from '../../collaboration/presence.ts'
import { drafts, newCommentDraft } from '../../common/drafts.ts'
import type { ChangedBlocks } from '../../editor/agent-edits/changed-blocks.ts'
import { createFollowAgent } from '../../editor/agent-edits/follow-agent.ts'
import { createHighlights } from '../../editor/agent-edits/highlights.ts'
import { createRunUndoKeys, type RunUndo } from '../../editor/agent-edits/run-undo.ts'
import { createBlocks } from '../../editor/blocks/blocks.ts'
import { createCodeBlocks } from '../../editor/code/code-blocks.ts'
import type { EditorUi, WritingUi } from '../../editor/common/editor-ui.ts'
import { createFileDrops } from '../../editor/files/file-drops.ts'
import { createFind } from '../../editor/find/find-plugin.ts'
import { createImageUploads } from '../../editor/images/image-uploads.ts'
import { createImageViews } from '../../editor/images/image-view.ts'
import { HiddenBlocks } from '../../editor/limits/hidden-blocks.ts'
import { createKeepLimits } from '../../editor/limits/keep-limits.ts'
import { LongMarks } from '../../editor/limits/long-marks.ts'
import { LinkClicks, typedLink } from '../../editor/links/links.ts'
import { createMath } from '../../editor/math/math-view.ts'
import { createPaste } from '../../editor/paste/paste.ts'
import { createCarets } from '../../editor/peers/carets.ts'
import { createFollowPerson, type Following } from '../../editor/peers/following.ts'
import { CaretBehindBlocks } from '../../editor/selection/caret-behind-blocks.ts'
import { ClickBelow, EmptyDoubleClick } from '../../editor/selection/click-below.ts'
import { KeptSelection, OwnSelection } from '../../editor/selection/kept-selection.ts'
import { createScrollAnchor } from '../../editor/selection/scroll-anchor.ts'
import { createSelectionSync } from '../../editor/selection/selection-sync.ts'
import { createSlashMenu } from '../../editor/slash/slash-menu.ts'
import type { EditingModeStore } from '../../editor/suggesting/editing-mode.ts'
import { createOwnChanges } from '../../editor/suggesting/own-changes.ts'
import { createModeKeys, createSuggesting } from '../../editor/suggesting/suggesting.ts'
import { KeptCells } from '../../editor/tables/cells/kept-cells.ts'
import { createTables } from '../../editor/tables/tables.ts'
import { drawnTable } from '../../editor/tables/layout/table-view.ts'
import { createBubbleKeys, createShortcuts } from '../../editor/toolbar/shortcuts.ts'
import { createComposing } from '../../editor/typing/composing.ts'
import { EmptyLineDirection } from '../../editor/typing/empty-line-direction.ts'
import { MarkdownRules } from '../../editor/typing/markdown-rules.ts'
import { createReadOnly } from '../../editor/typing/read-only.ts'
import { createBinding, RuleUndo } from '../../editor/typing/undo.ts'
import { t } from '../../i18n/translate.ts'
import type { OpenRun } from '../../mentions/chip-view.ts'
import { askAgent, createMentions } from '../../mentions/mentions.ts'
import { directoryOf } from '../../mentions/people-directory.ts'
import { withReviewClasses } from '../../review/text/review-classes.ts'
import { createReview } from '../../review/text/review-extension.ts'
import { createReviewKeys, keysOfCommenters, keysOfReaders } from '../../review/text/review-keys.ts'
import type { ReviewUi } from '../../review/text/review-ui.ts'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import { createPrinting } from '../print/print-extension.ts'
import { focusTitle } from '../title/title-in-view.tsx'

// Lists, task lists, quotes and tables are aligned by the direction of their text. Rendering only: `dir` is not an
// attribute of the schema.
const directed = new Set(['bulletList', 'orderedList', 'taskList', 'taskItem', 'blockquote', 'table'])

/** The dependencies of an editor: the opened document, the user, its interface state, and its click handlers. */
export type EditorSetup = {
  connection: DocumentConnection
  user: LocalUser
  ui: EditorUi
  writing: WritingUi
  review: ReviewUi
  mode: EditingModeStore
  runUndo: RunUndo
  following: Following
  changed: ChangedBlocks
  onOpenRun: OpenRun
  onOpenThread: (thread: string) => void
  onDismissHighlight: (highlight: string) => void
}

/** The schema's extensions plus the browser's behaviour. Adds no nodes, marks or attributes. */
export function createExtensions(setup: EditorSetup): AnyExtension[] {
  const { connection, user, ui, writing, onOpenRun } = setup
  const { awareness } = connection.provider
  const createId = () => crypto.randomUUID()
  return [
    ...drawnExtensions(),
    createBinding(connection.fragment),
    ...(awareness
      ? [
          createCarets(awareness, user),
          createFollowAgent(awareness, user.id),
          createFollowPerson(awareness, setup.following),
        ]
      : []),
    createMentions({
      room: connection.room,
      people: directoryOf(connection.document),
      onOpenRun,
      createId,
    }),
    createMath({ onEdit: (kind) => ui.set(kind) }),
    createShortcuts(ui),
    createSlashMenu({ ui, askAgent: (editor) => askAgent(editor, createId) }),
    createBlocks({ awareness, doc: connection.provider.document, ui: writing }),
    createFind(writing),
    createBubbleKeys(writing),
    createScrollAnchor(connection.provider.document),
    ...createContent(setup),
    createReview({
      room: connection.room,
      ui: setup.review,
      colorOf: (person) => colorOfPerson(awareness, person),
      onOpenThread: setup.onOpenThread,
      onKeysBeforeForm: (change) => drafts.set(newCommentDraft(connection.document), change),
    }),
    createModeKeys(setup.mode),
    createSuggesting({ mode: setup.mode, own: ownChanges(connection, user.id) }),
    createReviewKeys({
      document: connection.document,
      room: connection.room,
      ui: setup.review,
      canDecide: () => !connection.state.get().readOnly,
      onOpenThread: setup.onOpenThread,
    }),
    createHighlights({ room: connection.room, now: Date.now, onDismiss: setup.onDismissHighlight }),
    createRunUndoKeys(setup.runUndo),
    TitleKeys,
    createReadOnly({ keysOfReaders, keysOfCommenters, canComment: () => setup.review.get().canComment }),
    setup.changed.extension,
    Placeholder.configure({ placeholder: t('Write, type / to insert, or @agent to ask for help') }),
    AuthorshipRanges,
    KeptSelection,
    OwnSelection,
    Dropcursor.configure({ color: false, class: 'drop-cursor' }),
    Gapcursor,
    CaretBehindBlocks,
    ClickBelow,
    EmptyDoubleClick,
  ]
}

function ownChanges({ room }: DocumentConnection, self: string) {
  const isMine = (id: string) => {
    const author = room.get().changes.get(id)?.author
    return author?.kind === 'person' && author.id === self
  }
  // Short, because every changed piece of text stores the id.
  return createOwnChanges(() => crypto.randomUUID().replaceAll('-', '').slice(0, 16), isMine)
}

/** The schema's extensions with the elements and attributes with which the browser shows them. */
export function drawnExtensions(): AnyExtension[] {
  return schemaExtensions.map(drawn)
}

function drawn(extension: AnyExtension): AnyExtension {
  const directed = withDirection(withReviewClasses(extension))
  return directed.name === 'table' ? drawnTable(directed) : directed
}

function withDirection(extension: AnyExtension): AnyExtension {
  if (extension.name === 'link') return typedLink(extension)
  if (!directed.has(extension.name)) return extension
  // The checkbox's hidden label is the first text of its item and so determines the direction: it must begin with the
  // item's words.
  const a11y = {
    checkboxLabel: (item: Node) =>
      item.firstChild?.textContent ? t('{text} (task)', { text: item.firstChild.textContent }) : t('Task'),
  }
  const isTask = extension.name === 'taskItem'
  return extension.configure({ HTMLAttributes: { dir: 'auto' }, ...(isTask ? { a11y } : {}) })
}

/**
 * Extensions for content other than typed words: code, images, links, paste, Markdown input rules, the limits on what a
 * document or a browser can handle, and printing.
 */
function createContent({ connection, ui, writing, mode }: EditorSetup): Extension[] {
  const { document, provider } = connection
  return [
    createCodeBlocks(() => ui.set('codeLanguage')),
    createImageViews({ onEdit: () => ui.set('image'), onView: () => ui.set('imageView') }),
    createImageUploads({
      send: (file, options) => sendImage(document, file, options),
      onProblem: showError,
      createId: () => crypto.randomUUID(),
    }),
    createFileDrops({ onProblem: showError }),
    createPaste({ document }),
    createSelectionSync(provider),
    KeptCells,
    createTables({ awareness: provider.awareness, isSuggesting: () => mode.get() === 'suggesting' }),
    createComposing(provider),
    MarkdownRules,
    RuleUndo,
    EmptyLineDirection,
    LinkClicks,
    HiddenBlocks,
    LongMarks,
    createKeepLimits({ content: provider.document, say: showToast, askToSplit: writing.askToSplit }),
    createPrinting(connection),
  ]
}

/** ArrowUp in the first line of the text moves the focus to the title above it. */
const TitleKeys = Extension.create({
  name: 'titleKeys',
  addKeyboardShortcuts: () => ({
    ArrowUp: ({ editor: { view } }) => {
      const { selection, doc } = view.state
      const isInFirst = selection.empty && selection.$head.start() === Selection.atStart(doc).$head.start()
      return isInFirst && view.endOfTextblock('up') && focusTitle()
    },
  }),
})
