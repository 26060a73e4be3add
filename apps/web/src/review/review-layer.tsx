import type { Editor } from '@tiptap/core'
import type { EditorUi } from '../editor/editor-ui.ts'
import type { ReviewUi } from '../editor/review/review-ui.ts'
import type { WritingUi } from '../editor/writing-ui.ts'
import { ChangeCard } from './change-card.tsx'
import { CommentBubble } from './comment-bubble.tsx'
import { ReviewBar } from './review-bar.tsx'

type ReviewLayerProps = {
  editor: Editor
  ui: ReviewUi
  editorUi: EditorUi
  writing: WritingUi
  document: string
  self: string
  canDecide: boolean
  canComment: boolean
  colorOf: (id: string) => string
  onOpenThread: (thread: string) => void
  onAsk: () => void
}

/** All review controls around the text: the card of a change, the bubble for comments, and the bar below. */
export function ReviewLayer(props: ReviewLayerProps) {
  return (
    <>
      <ChangeCard {...props} />
      {props.canComment && <CommentBubble {...props} />}
      <ReviewBar {...props} />
    </>
  )
}
