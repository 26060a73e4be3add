import { TextPairView } from '@copydesk/agent-panel'
import { Check, CircleAlert, Eye, WandSparkles } from 'lucide-react'
import type { MouseEvent } from 'react'
import { suggestProposed } from '../../api/review.ts'
import { useEditorState } from '../../editor/common/use-editor-state.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { anchorsOf } from '../text/anchors.ts'
import { showInText } from '../text/review-focus.ts'
import { useReview } from '../text/review-ui.ts'
import { type ProposalState, readProposal } from './proposal-state.ts'
import type { ProposalProps } from './proposal.tsx'

/** The replacement that a comment proposes for the text, with the button that creates a suggested change from it. */
export function ProposedWording(props: ProposalProps) {
  const { thread, comment, document, editor, ui, canComment, isShort, onShow } = props
  const { changes } = useReview(ui)
  const state = useEditorState(editor, ({ state: { doc } }) =>
    readProposal(thread, comment, doc, anchorsOf(doc).threads.get(thread.id), (id) =>
      changes.some((change) => change.id === id),
    ),
  )
  const apply = useAction(() => suggestProposed(document, comment.id))
  if (comment.replacement === undefined) return null
  const press = (event: MouseEvent) => {
    // A card in the margin would open its thread, and scroll.
    event.stopPropagation()
    if (state === 'suggested' && comment.suggested !== undefined) {
      ui.put({ atCaret: [comment.suggested], hovered: null })
      if (onShow) onShow()
      else showInText(editor, comment.suggested)
    } else if (state === 'fits' && !apply.isPending) apply.mutate()
  }
  return (
    <div data-proposal={state} className="mt-2 text-sm">
      <div className="mb-2 rounded-lg bg-sunken px-2.5 py-1.5">
        <div className={isShort ? 'line-clamp-2' : 'max-h-40 overflow-y-auto'}>
          <TextPairView pair={{ before: thread.quote, after: comment.replacement }} />
        </div>
      </div>
      {canComment || state === 'suggested' ? <Act state={state} onPress={press} /> : null}
    </div>
  )
}

const texts: Record<ProposalState, { label: EnglishText; Icon: typeof Check }> = {
  fits: { label: 'Apply suggested fix', Icon: WandSparkles },
  suggested: { label: 'Show the suggestion', Icon: Eye },
  applied: { label: 'The text already reads so', Icon: Check },
  changed: { label: 'No longer fits: the text has changed', Icon: CircleAlert },
}

// One button in all states, so that it keeps the focus when a press changes the state.
function Act({ state, onPress }: { state: ProposalState; onPress: (event: MouseEvent) => void }) {
  const { label, Icon } = texts[state]
  const isIdle = state === 'applied' || state === 'changed'
  return (
    <Button
      size="small"
      aria-disabled={isIdle || undefined}
      onClick={onPress}
      className={
        isIdle ? 'cursor-default border-transparent bg-transparent px-0! text-ink-soft hover:bg-transparent!' : ''
      }
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      <span className="whitespace-normal">{t(label)}</span>
    </Button>
  )
}
