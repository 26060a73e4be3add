import { type Editor, Extension } from '@tiptap/core'
import { decideChange, type Decision, resolveThread } from '../../api/review.ts'
import type { RoomStore } from '../../collaboration/room-store.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import { anchorsOf } from './anchors.ts'
import { nextAnchor, reviewAtCaret } from './at-caret.ts'
import { focusReply, showInText } from './review-focus.ts'
import type { ReviewUi } from './review-ui.ts'

/** The shortcuts of comments and suggestions, in the notation of `formatShortcut`. */
export const reviewKeys = {
  comment: 'Mod-Alt-m',
  nextComment: 'Mod-Alt-n',
  previousComment: 'Mod-Alt-p',
  reply: 'Mod-Alt-Enter',
  resolve: 'Mod-Alt-e',
  nextChange: 'Mod-Alt-j',
  previousChange: 'Mod-Alt-k',
  accept: 'Mod-Alt-a',
  reject: 'Mod-Alt-r',
} as const

/** The keys of this list for users who can only read. */
export const keysOfReaders: readonly string[] = [
  reviewKeys.nextComment,
  reviewKeys.previousComment,
  reviewKeys.nextChange,
  reviewKeys.previousChange,
]

/** The keys for users who may comment. */
export const keysOfCommenters: readonly string[] = [reviewKeys.comment, reviewKeys.reply, reviewKeys.resolve]

/** The objects that the keys act on; `canDecide` returns whether this user may currently decide. */
export type ReviewKeysOptions = {
  document: string
  room: RoomStore
  ui: ReviewUi
  canDecide: () => boolean
  onOpenThread: (thread: string) => void
}

/** Keyboard shortcuts for comments and suggestions, in the text. */
export function createReviewKeys(options: ReviewKeysOptions): Extension {
  return Extension.create({
    name: 'reviewKeys',
    addKeyboardShortcuts: () => ({
      [reviewKeys.nextComment]: ({ editor }) => goToThread(editor, options, 1),
      [reviewKeys.previousComment]: ({ editor }) => goToThread(editor, options, -1),
      [reviewKeys.reply]: ({ editor }) => reply(editor, options),
      [reviewKeys.resolve]: ({ editor }) => resolve(editor, options),
      [reviewKeys.nextChange]: ({ editor }) => goToChange(editor, options, 1),
      [reviewKeys.previousChange]: ({ editor }) => goToChange(editor, options, -1),
      [reviewKeys.accept]: ({ editor }) => decide(editor, options, 'accept'),
      [reviewKeys.reject]: ({ editor }) => decide(editor, options, 'reject'),
    }),
  })
}

function goToThread(editor: Editor, { room, ui, onOpenThread }: ReviewKeysOptions, step: 1 | -1): boolean {
  const open = [...anchorsOf(editor.state.doc).threads].filter(([id]) => room.get().threads.get(id)?.resolved === false)
  const found = nextAnchor(open, editor.state.selection.head, ui.get().thread, step)
  if (!found) return false
  editor.commands.setTextSelection(found.place.from)
  ui.put({ thread: found.id, atCaret: [] })
  showInText(editor, found.id)
  onOpenThread(found.id)
  return true
}

function goToChange(editor: Editor, { ui }: ReviewKeysOptions, step: 1 | -1): boolean {
  const { changes } = anchorsOf(editor.state.doc)
  const found = nextAnchor([...changes], editor.state.selection.head, ui.get().atCaret[0] ?? null, step)
  if (!found) return false
  editor.commands.setTextSelection(found.place.from)
  ui.put({ atCaret: [found.id], thread: null, hovered: null })
  showInText(editor, found.id)
  return true
}

function threadHere(editor: Editor, { room, ui }: ReviewKeysOptions): string | undefined {
  const isOpen = (id: string) => room.get().threads.get(id)?.resolved === false
  const { thread } = ui.get()
  if (thread !== null && isOpen(thread)) return thread
  return reviewAtCaret(editor.state).threads.find(isOpen)
}

function reply(editor: Editor, options: ReviewKeysOptions): boolean {
  const thread = threadHere(editor, options)
  if (thread === undefined) return false
  options.ui.put({ thread })
  options.onOpenThread(thread)
  focusReply(thread)
  return true
}

function resolve(editor: Editor, options: ReviewKeysOptions): boolean {
  const thread = threadHere(editor, options)
  if (thread === undefined) return false
  void resolveThread(options.document, thread, true).catch(showError)
  return true
}

const deciding = new Set<string>()

function decide(editor: Editor, options: ReviewKeysOptions, decision: Decision): boolean {
  const known = anchorsOf(editor.state.doc).changes
  const pointed = options.ui.get().atCaret.find((id) => known.has(id))
  const change = pointed ?? reviewAtCaret(editor.state).changes[0]
  if (change === undefined || !options.canDecide()) return false
  // Otherwise a held or repeated key would get an error: the change is already decided.
  if (deciding.has(change)) return true
  deciding.add(change)
  void decideChange(options.document, change, decision)
    .catch(showError)
    .finally(() => deciding.delete(change))
  return true
}
