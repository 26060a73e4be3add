import { type Drafts, editKey, useDraftText } from '../common/drafts.ts'
import { lazyComponent } from '../common/lazy-component.tsx'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatStep } from '../common/types.ts'

const UnsavedEditBox = lazyComponent(async () => (await import('./unsaved-edit-box.tsx')).UnsavedEditBox)

/**
 * The text that a user was still editing when another user decided on the step, or the answer ended without a decision:
 * shows the reason and the text, so that it isn't lost.
 */
export function UnsavedEdit({ step, drafts }: { step: ChatStep; drafts: Drafts }) {
  const [text, setText] = useDraftText(drafts, editKey(step.id))
  const texts = useTexts()
  if (text === '') return null
  const end = step.decided === undefined ? texts.keptAfterEnd : texts.keptAfterDecision
  return <UnsavedEditBox text={text} end={end} onDiscard={() => setText('')} />
}
