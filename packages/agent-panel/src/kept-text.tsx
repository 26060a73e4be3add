import { useRef } from 'react'
import { ActionButton } from './action-button.tsx'
import { type Drafts, editKey, useDraftText } from './drafts.ts'
import type { ChatStep } from './types.ts'
import { useFocusKept } from './use-focus-kept.ts'

/**
 * The text that a user was still editing when another user decided on the step, or the answer ended without a decision:
 * shows what happened and the text, so that it isn't lost.
 */
export function KeptText({ step, drafts }: { step: ChatStep; drafts: Drafts }) {
  const [text, setText] = useDraftText(drafts, editKey(step.id))
  if (text === '') return null
  const end = step.decided === undefined ? 'The agent stopped asking' : 'This was decided'
  return <KeptBox text={text} end={end} onDiscard={() => setText('')} />
}

function KeptBox({ text, end, onDiscard }: { text: string; end: string; onDiscard: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  useFocusKept(box)
  return (
    <div ref={box} role="status" className="ap-kept">
      <p>{end} while you were editing. Your text is still here:</p>
      <p dir="auto" className="ap-kept-text">
        {text}
      </p>
      <div className="ap-actions">
        <ActionButton
          action={{ id: 'copy', label: 'Copy', icon: 'copy', run: () => navigator.clipboard.writeText(text) }}
        />
        <ActionButton action={{ id: 'discard', label: 'Discard', run: onDiscard }} />
      </div>
    </div>
  )
}
