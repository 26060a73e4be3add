import { schemaExtensions } from '@copydesk/schema'
import type { AnyExtension } from '@tiptap/core'
import { Dropcursor } from '@tiptap/extensions/drop-cursor'
import { Gapcursor } from '@tiptap/extensions/gap-cursor'
import { Placeholder } from '@tiptap/extensions/placeholder'
import type { Node } from 'prosemirror-model'
import { changeDraft, newCommentDraft } from '../app/drafts.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { createBlocks } from './blocks/blocks.ts'
import { createBubbleKeys } from './bubble/bubble-keys.ts'
import { colorOfPerson, type LocalUser } from '../collaboration/presence.ts'
import { directoryOf } from '../mentions/people-directory.ts'
import { AuthorshipRanges } from './authorship/authorship-extension.ts'
import { CaretBehindBlocks } from './caret-behind-blocks.ts'
import type { ChangedBlocks } from './changed-blocks/changed-blocks.ts'
import { createCarets } from './carets/carets.ts'
import { ClickBelow } from './click-below.ts'
import { createContent } from './content.ts'
import type { EditorUi } from './editor-ui.ts'
import { createFind } from './find/find-plugin.ts'
import { EmptyDoubleClick } from './empty-double-click.ts'
import { createFollowPerson } from './follow/follow-person.ts'
import type { Following } from './follow/following.ts'
import { createFollowAgent } from './highlights/follow-agent.ts'
import { createHighlights } from './highlights/highlights.ts'
import { KeptSelection } from './kept-selection.ts'
import { LinkClicks } from './links.ts'
import { createMath } from './math/math-view.ts'
import type { OpenRun } from './mention/chip-view.ts'
import { createMentions } from './mention/mentions.ts'
import { OwnSelection } from './own-selection.ts'
import { createReadOnly } from './read-only.ts'
import { withReviewClasses } from './review/review-classes.ts'
import { createReview } from './review/review-extension.ts'
import { createReviewKeys } from './review/review-keys.ts'
import type { ReviewUi } from './review/review-ui.ts'
import { createShortcuts } from './shortcuts.ts'
import { createSlashMenu } from './slash/slash-menu.ts'
import { createScrollAnchor } from './scroll-anchor.ts'
import type { EditingModeStore } from './suggesting/editing-mode.ts'
import { createOwnChanges } from './suggesting/own-changes.ts'
import { createModeKeys, createSuggesting } from './suggesting/suggesting.ts'
import { drawnTable } from './tables/table-view.ts'
import { createTakeBackKeys, type TakeBack } from './take-back.ts'
import { createBinding } from './undo.ts'
import type { WritingUi } from './writing-ui.ts'

// Lists, task lists, quotes and tables are aligned by the direction of their text. Rendering only: `dir` is no
// attribute of the schema.
const directed = new Set(['bulletList', 'orderedList', 'taskList', 'taskItem', 'blockquote', 'table'])

/** What an editor is made from: the opened document, the user, its interface state, and its click handlers. */
export type EditorSetup = {
  connection: DocumentConnection
  user: LocalUser
  ui: EditorUi
  writing: WritingUi
  review: ReviewUi
  mode: EditingModeStore
  takeBack: TakeBack
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
  return [
    ...schemaExtensions.map(drawn),
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
      createId: () => crypto.randomUUID(),
    }),
    createMath({ onEdit: (kind) => ui.set(kind) }),
    createShortcuts(ui),
    createSlashMenu({ ui, createId: () => crypto.randomUUID() }),
    createBlocks({ awareness, doc: connection.provider.document, ui: writing }),
    createFind(writing),
    createBubbleKeys(writing),
    createScrollAnchor(connection.provider.document),
    ...createContent(connection, ui, writing.askToSplit),
    createReview({
      room: connection.room,
      ui: setup.review,
      colorOf: (person) => colorOfPerson(awareness, person),
      onOpenThread: setup.onOpenThread,
      onTypedAhead: (change) => changeDraft(newCommentDraft(connection.document), change),
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
    createTakeBackKeys(setup.takeBack),
    createReadOnly(() => setup.review.get().canComment),
    setup.changed.extension,
    Placeholder.configure({ placeholder: 'Write, type / to insert, or @agent to ask for help' }),
    AuthorshipRanges,
    KeptSelection,
    OwnSelection,
    Dropcursor.configure({ color: false, class: 'drop-cursor' }),
    Gapcursor,
    CaretBehindBlocks,
    ClickBelow,
    EmptyDoubleClick,
    LinkClicks,
  ]
}

function ownChanges({ room }: DocumentConnection, self: string) {
  const isMine = (id: string) => {
    const author = room.get().changes.get(id)?.author
    return author?.kind === 'person' && author.id === self
  }
  // Short, since every changed piece of text carries the id.
  return createOwnChanges(() => crypto.randomUUID().replaceAll('-', '').slice(0, 16), isMine)
}

function drawn(extension: AnyExtension): AnyExtension {
  const directed = withDirection(withReviewClasses(extension))
  return directed.name === 'table' ? drawnTable(directed) : directed
}

function withDirection(extension: AnyExtension): AnyExtension {
  if (extension.name === 'link') return extension.configure({ defaultProtocol: 'https' })
  if (!directed.has(extension.name)) return extension
  // The checkbox's hidden label is the first text of its item and so decides the direction: it must begin with the
  // item's words.
  const a11y = {
    checkboxLabel: (item: Node) => (item.firstChild?.textContent ? `${item.firstChild.textContent} (task)` : 'Task'),
  }
  const isTask = extension.name === 'taskItem'
  return extension.configure({ HTMLAttributes: { dir: 'auto' }, ...(isTask ? { a11y } : {}) })
}
