import { ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { Tooltip } from '../ui/tooltip.tsx'

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
  children?: ReactNode
}

/** A text that grows while it is written, with a button to send it. Enter sends, Shift with Enter begins a new line. */
export function MessageBox(props: MessageBoxProps) {
  const { label, placeholder, text, onText, onSend, sendLabel = 'Send', busy, problem, autoFocus = false } = props
  const sendOnEnter = (event: KeyboardEvent) => {
    props.onKeyDown?.(event)
    // Safari ends a composition before its keydown; 229 is what it reports then.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    if (!busy && text.trim() !== '') onSend()
  }
  const growing = useGrowingHeight(text)
  return (
    <div>
      {problem && (
        <p role="alert" className="mb-2 text-sm break-words text-danger">
          {problem}
        </p>
      )}
      <div className="flex items-end gap-2 rounded-xl border border-line-strong/70 bg-page p-1.5 focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        <textarea
          ref={growing}
          aria-label={label}
          placeholder={placeholder}
          dir="auto"
          rows={1}
          maxLength={20_000}
          autoFocus={autoFocus}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={sendOnEnter}
          className="composer-text min-h-8 min-w-0 flex-1 resize-none bg-transparent px-2 py-1 text-[0.925rem] outline-none"
        />
        <Tooltip text={sendLabel} shortcut="Enter">
          <button
            type="button"
            aria-label={sendLabel}
            disabled={busy || text.trim() === ''}
            onClick={onSend}
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-hover disabled:text-ink-faint"
          >
            <ArrowUp size={17} aria-hidden />
          </button>
        </Tooltip>
      </div>
      {props.children}
    </div>
  )
}

/** Makes a textarea as high as its text in browsers that lack `field-sizing`. */
function useGrowingHeight(text: string): RefObject<HTMLTextAreaElement | null> {
  const element = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (!element.current || CSS.supports('field-sizing', 'content')) return
    element.current.style.height = 'auto'
    element.current.style.height = `${element.current.scrollHeight}px`
  }, [text])
  return element
}
