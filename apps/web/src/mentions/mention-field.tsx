import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { directoryOf } from './people-directory.ts'
import { findTargets, type MentionItem, mentionQuery } from './targets.ts'

type MentionFieldProps = { document: string; agents?: boolean; children: ReactNode }

/** A mention that is being typed: its text box, its start, and the matches. */
type Choice = {
  box: HTMLTextAreaElement
  from: number
  query: string
  items: readonly MentionItem[]
  style: CSSProperties
}

/**
 * Adds mentions of people, and of agents with `agents`, to the text box in `children`: `@` opens a list at the box,
 * with arrow keys, Enter, Tab and Escape, while the focus remains in the box.
 */
export function MentionField({ document, agents = true, children }: MentionFieldProps) {
  const directory = directoryOf(document)
  const id = useId()
  const [choice, setChoice] = useState<Choice | null>(null)
  const [active, setActive] = useState(0)
  // A list closed with Escape remains closed until another mention begins.
  const dismissed = useRef<number | null>(null)
  const look = (target: EventTarget) => {
    if (!(target instanceof HTMLTextAreaElement)) return
    const found =
      target.selectionStart === target.selectionEnd ? mentionQuery(target.value, target.selectionStart) : undefined
    if (!found || found.from !== dismissed.current) dismissed.current = null
    if (!found || dismissed.current !== null) return setChoice(null)
    const items = findTargets(directory.people(), found.query, agents ? directory.agents() : undefined)
    if (items.length === 0) return setChoice(null)
    if (choice?.query !== found.query) setActive(0)
    setChoice({ box: target, ...found, items, style: placeBeside(target.getBoundingClientRect(), innerHeight) })
  }
  const choose = (item: MentionItem | undefined) => {
    if (!choice || !item) return
    setChoice(null)
    if (item.kind === 'person') directory.choose({ id: item.id, name: item.label })
    replace(choice.box, choice.from, `@${item.label} `)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!choice || event.nativeEvent.isComposing || event.keyCode === 229) return
    const { length } = choice.items
    if (event.key === 'ArrowDown') setActive((active + 1) % length)
    else if (event.key === 'ArrowUp') setActive((active + length - 1) % length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(choice.items[active])
    else if (event.key === 'Escape') {
      dismissed.current = choice.from
      setChoice(null)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onArrival = useEffectEvent(() => choice && look(choice.box))
  const isOpen = choice !== null
  useEffect(() => (isOpen ? directory.subscribe(onArrival) : undefined), [isOpen, directory])
  usePointer(choice?.box, id, choice ? `${id}-${active}` : undefined)
  return (
    <div
      onKeyDownCapture={onKeyDown}
      onInput={({ target }) => {
        look(target)
        void directory.refresh().then(() => target === globalThis.document.activeElement && look(target))
      }}
      onSelect={({ target }) => look(target)}
      onBlur={() => setChoice(null)}
    >
      {children}
      {choice && <Options id={id} choice={choice} active={active} onChoose={choose} />}
    </div>
  )
}

type OptionsProps = { id: string; choice: Choice; active: number; onChoose: (item: MentionItem) => void }

function Options({ id, choice, active, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('Mention')}
      className="mention-list fixed"
      style={choice.style}
    >
      {choice.items.map((item, index) => (
        <div
          key={`${item.kind} ${item.id}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="mention-option"
          // The text box must keep the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(item)
          }}
        >
          <Avatar name={item.label} color={item.color} kind={item.kind} size={24} />
          <span className="min-w-0 truncate">{item.label}</span>
          <span className="mention-detail">{item.detail}</span>
        </div>
      ))}
    </div>
  )
}

/** Tells assistive technology which option of the list is active. */
function usePointer(box: HTMLTextAreaElement | undefined, list: string, option: string | undefined): void {
  useEffect(() => {
    if (!box || option === undefined) return undefined
    box.setAttribute('aria-controls', list)
    box.setAttribute('aria-activedescendant', option)
    return () => {
      box.removeAttribute('aria-controls')
      box.removeAttribute('aria-activedescendant')
    }
  }, [box, list, option])
}

/** Replaces the text between `from` and the caret as if typed: the browser's undo reverts it. */
function replace(box: HTMLTextAreaElement, from: number, text: string): void {
  const to = box.selectionEnd
  box.focus()
  box.setSelectionRange(from, box.value[to] === ' ' ? to + 1 : to)
  if (document.execCommand('insertText', false, text)) return
  box.setRangeText(text, from, box.selectionEnd, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

const gap = 6

// On the side with more room; `position: fixed`, so that no scrolling box around it clips it.
function placeBeside({ left, top, bottom, width }: DOMRect, height: number): CSSProperties {
  const room = { left, width: Math.min(Math.max(width, 224), 352) }
  return top > height - bottom ? { ...room, bottom: height - top + gap } : { ...room, top: bottom + gap }
}
