import { Icon } from '../common/icons.tsx'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatSelection } from '../common/types.ts'

const shownCharacters = 60

/** The selection that will be sent with the message, and a button that clears it. */
export function SelectionChip({ selection: { text, words, onClear } }: { selection: ChatSelection }) {
  const texts = useTexts()
  const shown = [...text].slice(0, shownCharacters).join('')
  return (
    <div role="group" aria-label={texts.selectedText} className="ap-selected" title={text}>
      <bdi className="ap-selected-text">{texts.quoted(shown)}</bdi>
      {words > 0 && (
        <span className="ap-selected-words">
          {texts.words(words)}
          <span className="ap-hidden"> {texts.selected}</span>
        </span>
      )}
      <button
        type="button"
        className="ap-quiet"
        aria-label={texts.clearSelection}
        title={texts.clearSelection}
        onClick={onClear}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  )
}
