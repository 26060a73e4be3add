import { Icon } from './icons.tsx'
import type { ChatSelection } from './types.ts'

const shownCharacters = 100

type SelectionLineProps = { selection: ChatSelection | null; tip: string | undefined }

/** The selection that will be sent with the message, or a tip. */
export function SelectionLine({ selection, tip }: SelectionLineProps) {
  if (!selection) return <p className="ap-selection ap-faint">{tip}</p>
  const { text, words, onClear } = selection
  const shown = [...text].slice(0, shownCharacters).join('')
  return (
    <div role="group" aria-label="Selected text" className="ap-selection ap-selected">
      <div className="ap-selection-head">
        <span>{words === 0 ? 'Selected' : `${words} ${words === 1 ? 'word' : 'words'} selected`}</span>
        <button
          type="button"
          className="ap-quiet"
          aria-label="Clear the selection"
          title="Clear the selection"
          onClick={onClear}
        >
          <Icon name="close" size={13} />
        </button>
      </div>
      <p dir="auto" className="ap-selection-text">
        “{shown}
        {shown.length < text.length ? '…' : ''}”
      </p>
    </div>
  )
}
