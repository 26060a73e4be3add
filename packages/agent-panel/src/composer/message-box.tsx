import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { Icon } from '../common/icons.tsx'
import { useTexts } from '../language/panel-language.tsx'

type MessageBoxProps = {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  onSend: () => void
  sendLabel?: string
  busy: boolean
  problem?: string | undefined
  autoFocus?: boolean
  onKeyDown?: (event: KeyboardEvent) => void
  /** Controls in the box, next to its button. */
  children?: ReactNode
}

/** A textarea that grows with its text, with a button to send. Enter sends, Shift+Enter begins a new line. */
export function MessageBox(props: MessageBoxProps) {
  const texts = useTexts()
  const { label, placeholder, text, onText, onSend, sendLabel = texts.send, busy, problem, autoFocus = false } = props
  const canSend = !busy && text.trim() !== ''
  const sendOnEnter = (event: KeyboardEvent) => {
    props.onKeyDown?.(event)
    // Safari ends a composition before its keydown event; it then reports the key code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    if (canSend) onSend()
  }
  const box = useGrowingHeight(text)
  useLayoutEffect(() => {
    // Browsers put the caret before the existing text of a field.
    const end = box.current?.value.length ?? 0
    if (autoFocus) box.current?.setSelectionRange(end, end)
  }, [autoFocus, box])
  return (
    <div className="ap-box">
      {problem && (
        <p role="alert" className="ap-problem-line">
          {problem}
        </p>
      )}
      <div className={props.children ? 'ap-box-frame ap-box-with-more' : 'ap-box-frame'}>
        <textarea
          ref={box}
          aria-label={label}
          placeholder={placeholder}
          dir="auto"
          rows={1}
          maxLength={20_000}
          autoFocus={autoFocus}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={sendOnEnter}
          className="ap-box-text"
        />
        {props.children}
        <button
          type="button"
          aria-label={sendLabel}
          title={texts.withEnter(sendLabel)}
          aria-disabled={!canSend || undefined}
          // Keeps the focus in the message box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (canSend) onSend()
          }}
          className="ap-send"
        >
          <Icon name="send" size={17} />
        </button>
      </div>
    </div>
  )
}

/** Sets a textarea's height to that of its text in browsers that lack `field-sizing`. */
function useGrowingHeight(text: string): RefObject<HTMLTextAreaElement | null> {
  const box = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (!box.current || CSS.supports('field-sizing', 'content')) return
    box.current.style.height = 'auto'
    box.current.style.height = `${box.current.scrollHeight}px`
  }, [text])
  return box
}
