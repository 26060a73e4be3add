import type { Comment, Thread } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { separatePart } from '../../common/lazy-part.ts'
import type { ReviewUi } from '../text/review-ui.ts'

const ProposedWording = separatePart(async () => (await import('./proposed-wording.tsx')).ProposedWording)

export type ProposalProps = {
  thread: Thread
  comment: Comment
  document: string
  editor: Editor
  ui: ReviewUi
  canComment: boolean
  /** Whether the text is cut after two lines. */
  isShort?: boolean
  /** Shows the text of the thread, if that needs more than scrolling. */
  onShow?: (() => void) | undefined
}

/** The replacement that a comment proposes; renders nothing without one. */
export function Proposal(props: ProposalProps) {
  if (props.comment.replacement === undefined) return null
  return <ProposedWording {...props} />
}
