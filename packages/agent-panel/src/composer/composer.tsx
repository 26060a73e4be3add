import { type ReactNode, useId, useRef } from 'react'
import { type Drafts, messageKey, useDraftText } from '../common/drafts.ts'
import { MessageBox } from './message-box.tsx'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatCommand, ChatMode, ChatSelection } from '../common/types.ts'
import { Icon } from '../common/icons.tsx'

/** The context of the message box. */
export type ComposerOptions = {
  /** The selection; null if there is none, undefined if the host has no selections. */
  selection?: ChatSelection | null | undefined
  /** Shown in the empty message box while the selection is empty, instead of its label. */
  selectionTip?: string | undefined
  commands?: readonly ChatCommand[]
  mode?: ChatMode | undefined
  /** Wraps the message box, for example with a list that completes names. */
  aroundBox?: ((box: ReactNode) => ReactNode) | undefined
}

type ComposerProps = ComposerOptions & {
  label: string
  drafts: Drafts
  isSending: boolean
  problem: string | undefined
  send: (text: string) => Promise<boolean>
}

/** The input for a message to the agent. The text is kept until the host has accepted it. */
export function Composer(props: ComposerProps) {
  const { label, drafts, isSending, problem, send, selection, commands = [], mode } = props
  const [text, setText] = useDraftText(drafts, messageKey)
  const texts = useTexts()
  const place = useRef<HTMLDivElement>(null)
  const submit = async (message: string) => {
    if (message.trim() === '') return
    const isTaken = await send(message.trim())
    // The user may have typed more text in the meantime.
    if (isTaken && drafts.get(messageKey).trim() === message.trim()) setText('')
  }
  const use = (command: ChatCommand) => {
    if (!command.opens) return void send(command.text)
    // Text that was already typed becomes the argument of the command.
    if (!text.startsWith(command.text)) setText(command.text + text)
    place.current?.querySelector('textarea')?.focus()
    return undefined
  }
  const box = (
    <MessageBox
      label={label}
      placeholder={selection === null && props.selectionTip !== undefined ? props.selectionTip : label}
      text={text}
      onText={setText}
      onSend={() => void submit(text)}
      busy={isSending}
      problem={problem}
    >
      {mode && <ModeSwitch mode={mode} />}
    </MessageBox>
  )
  const hasAbove = selection !== undefined || commands.length > 0
  return (
    <div ref={place} className="ap-composer">
      {hasAbove && (
        // Always as high as one line, so that changes of its content don't move other elements.
        <div className="ap-above">
          {selection && <SelectionChip selection={selection} />}
          {commands.length > 0 && (
            <ul aria-label={texts.suggestedRequests} className="ap-commands">
              {commands.map((command) => (
                <li key={command.id}>
                  {/* Never `disabled`: a disabled button would lose the focus. */}
                  <button
                    type="button"
                    className="ap-command"
                    aria-disabled={isSending || undefined}
                    onClick={() => {
                      if (!isSending) use(command)
                    }}
                  >
                    {command.label}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {props.aroundBox ? props.aroundBox(box) : box}
    </div>
  )
}

/** The agent's mode as a row of choices, with a description of the chosen one. */
function ModeSwitch({ mode }: { mode: ChatMode }) {
  const name = useId()
  const texts = useTexts()
  const { value, options, onChange, disabledReason } = mode
  const isOff = disabledReason !== undefined
  return (
    <fieldset className="ap-mode" disabled={isOff} title={disabledReason} aria-describedby={`${name}-means`}>
      <legend className="ap-hidden">{texts.modeLegend}</legend>
      <div className="ap-mode-options">
        {options.map((option) => (
          <label key={option.value} className="ap-mode-option" title={disabledReason ?? option.description}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <span id={`${name}-means`} className={isOff ? 'ap-faint' : 'ap-hidden'}>
        {disabledReason ?? options.find((option) => option.value === value)?.description}
      </span>
    </fieldset>
  )
}

const shownCharacters = 60

/** The selection that will be sent with the message, and a button that clears it. */
function SelectionChip({ selection: { text, words, onClear } }: { selection: ChatSelection }) {
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
