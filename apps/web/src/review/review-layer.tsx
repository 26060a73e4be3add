import type { Editor } from '@tiptap/core'
import type { EditorUi, WritingUi } from '../editor/common/editor-ui.ts'
import { ChangeCard } from './changes/change-card.tsx'
import { ReviewBar } from './changes/review-bar.tsx'
import { CommentBubble } from './selection/comment-bubble.tsx'
import type { ReviewUi } from './text/review-ui.ts'

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
