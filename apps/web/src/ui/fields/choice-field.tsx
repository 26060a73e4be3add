import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { inputClass } from './field.tsx'

/** One of the options; `level` is its indentation; a disabled one can't be chosen. */
export type Choice = { key: string; name: string; icon?: ReactNode; level?: number; note?: string; disabled?: boolean }

type ChoiceFieldProps = {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  choices: readonly Choice[]
  /** The key of the active choice. */
  value: string | undefined
  onValue: (key: string) => void
  /** Called on Enter and on a second click; a form around the field gets its own submit event on Enter. */
  onChosen?: (key: string) => void
  /** Shown instead of an empty list. */
  empty: string
}

/**
 * A text field with a list below it that it filters: arrows in the field move through the list. The list is always
 * open (ARIA: a combobox that is expanded).
 */
export function ChoiceField(props: ChoiceFieldProps) {
  const { label, placeholder, text, onText, choices, value, onValue, onChosen, empty } = props
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const at = choices.findIndex(({ key }) => key === value)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const open = choices.filter(({ disabled }) => disabled !== true)
    const from = open.findIndex(({ key }) => key === value)
    const next = open[nextOf(event.key, from, open.length)]
    if (event.key === 'Enter' && value !== undefined && onChosen) onChosen(value)
    else if (next) onValue(next.key)
    else return
    event.preventDefault()
  }
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        dir="auto"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className={inputClass}
      />
      <ul
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className="-mx-1 max-h-64 min-h-24 overflow-y-auto rounded-md p-1"
      >
        {choices.map((choice, index) => (
          <Option
            key={choice.key}
            id={`${id}-${index}`}
            choice={choice}
            isActive={index === at}
            onPick={() => {
              onValue(choice.key)
              onChosen?.(choice.key)
            }}
          />
        ))}
      </ul>
      {choices.length === 0 && <p className="-mt-24 px-2 py-1 text-sm text-ink-faint">{empty}</p>}
    </div>
  )
}

type OptionProps = { id: string; choice: Choice; isActive: boolean; onPick: () => void }

function Option({ id, choice: { name, icon, level = 0, note, disabled = false }, isActive, onPick }: OptionProps) {
  return (
    // The field has the focus, and its keys select options.
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={disabled}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={disabled ? undefined : onPick}
      style={{ paddingInlineStart: `${0.5 + level}rem` }}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md pe-2 text-sm hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent-strong aria-disabled:cursor-default aria-disabled:bg-transparent aria-disabled:text-ink-faint pointer-coarse:min-h-10"
    >
      {icon}
      <span dir="auto" className="min-w-0 flex-1 truncate text-start">
        {name}
      </span>
      {note && <span className="shrink-0 text-xs text-ink-faint">{note}</span>}
      {isActive && <Check size={15} aria-hidden className="shrink-0" />}
    </li>
  )
}

function nextOf(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return at < 0 ? 0 : (at + 1) % count
    case 'ArrowUp':
      return at < 0 ? count - 1 : (at - 1 + count) % count
    case 'PageDown':
      return Math.min(count - 1, at + 8)
    case 'PageUp':
      return Math.max(0, at - 8)
    default:
      return -1
  }
}
