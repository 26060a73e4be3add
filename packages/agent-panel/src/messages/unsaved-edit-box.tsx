import { useRef } from 'react'
import { ActionButton } from '../common/action-button.tsx'
import { useTexts } from '../language/panel-language.tsx'
import { useFocusFallback } from '../common/use-focus-fallback.ts'

/** The text that was being edited, with the reason why the editing ended, to copy or discard. */
export function UnsavedEditBox({ text, end, onDiscard }: { text: string; end: string; onDiscard: () => void }) {
  const texts = useTexts()
  const box = useRef<HTMLDivElement>(null)
  useFocusFallback(box)
  return (
    <div ref={box} role="status" className="ap-kept">
      <p>{end}</p>
      <p dir="auto" className="ap-kept-text">
        {text}
      </p>
      <div className="ap-actions">
        <ActionButton
          action={{ id: 'copy', label: texts.copy, icon: 'copy', run: () => navigator.clipboard.writeText(text) }}
        />
        <ActionButton action={{ id: 'discard', label: texts.discard, run: onDiscard }} />
      </div>
    </div>
  )
}
