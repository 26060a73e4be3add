import { Icon } from './icons.tsx'
import type { ChatSelection } from './types.ts'

const shownCharacters = 60

/** The selection that will be sent with the message, and a button that clears it. */
export function SelectionChip({ selection: { text, words, onClear } }: { selection: ChatSelection }) {
  const shown = [...text].slice(0, shownCharacters).join('')
  return (
    <div role="group" aria-label="Selected text" className="ap-selected" title={text}>
      <bdi className="ap-selected-text">“{shown}”</bdi>
      {words > 0 && (
        <span className="ap-selected-words">
          {words} {words === 1 ? 'word' : 'words'}
          <span className="ap-hidden"> selected</span>
        </span>
      )}
      <button
        type="button"
        className="ap-quiet"
        aria-label="Clear the selection"
        title="Clear the selection"
        onClick={onClear}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  )
}
