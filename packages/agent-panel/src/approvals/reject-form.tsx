import { useId } from 'react'
import { useBusy } from '../common/action-button.tsx'
import { type Drafts, useDraftText } from '../common/drafts.ts'
import { useTexts } from '../language/panel-language.tsx'

type RejectFormProps = {
  draftKey: string
  drafts: Drafts
  label: string
  onCancel: () => void
  onReject: (reason: string) => Promise<void>
}

/** Asks for an optional reason before a rejection. Escape cancels. */
export function RejectForm({ draftKey, drafts, label, onCancel, onReject }: RejectFormProps) {
  const [reason, setReason] = useDraftText(drafts, draftKey)
  const [isBusy, reject] = useBusy(() => onReject(reason.trim()).then(() => setReason('')))
  const id = useId()
  const texts = useTexts()
  return (
    <form
      className="ap-reject"
      onSubmit={(event) => {
        event.preventDefault()
        reject()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.stopPropagation()
        onCancel()
      }}
    >
      <label htmlFor={id} className="ap-soft">
        {texts.rejectionReason}
      </label>
      <input
        id={id}
        dir="auto"
        autoFocus
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        className="ap-input"
      />
      <div className="ap-actions">
        <button type="submit" className="ap-button ap-button-danger" aria-disabled={isBusy || undefined}>
          {label}
        </button>
        <button type="button" className="ap-button ap-button-plain" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

/** Focuses an action's button after the form that it opened is closed. */
export function focusAction(place: HTMLElement | null, action: string): void {
  place?.querySelector<HTMLElement>(`[data-action="${CSS.escape(action)}"]`)?.focus({ preventScroll: true })
}
