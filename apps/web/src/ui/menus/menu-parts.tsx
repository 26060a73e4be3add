import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { createContext, type CSSProperties, type ReactNode, use, useRef } from 'react'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import { useFocusNextRow } from '../focus/use-focus-next-row.ts'

/**
 * Runs an action when the menu around it has closed and its trigger has the focus again; without a menu immediately.
 */
const RunLater = createContext((action: () => void) => action())

type OpenedMenuProps = { trigger: ReactNode; onCloseAutoFocus?: (event: Event) => void; children: ReactNode }

/**
 * A menu, initially open, that its trigger toggles. The rest of the page is neither locked nor hidden from assistive
 * technology.
 */
export function OpenedMenu({ trigger, onCloseAutoFocus, children }: OpenedMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const later = useRef<() => void>(undefined)
  useFocusNextRow(button)
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger ref={button} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event)
            // The focus returns directly after this event.
            if (later.current) queueMicrotask(later.current)
            later.current = undefined
          }}
          className="pop z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-raised"
        >
          <RunLater value={(action) => (later.current = action)}>{children}</RunLater>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type MenuItemProps = {
  icon: LucideIcon
  text: ReactNode
  /** The equivalent shortcut, in the notation of `formatShortcut`. */
  keys?: string | undefined
  /** Shows a tick; this text describes it to screen readers. */
  ticked?: string | undefined
  /** Prevents the default of its event to leave the menu open. */
  onSelect: (event: Event) => void
  danger?: boolean
  disabled?: boolean
  /** Whether it opens an element that takes the focus and returns it to the menu's trigger. */
  opens?: boolean
}

/** One action in a `Menu`. */
export function MenuItem(props: MenuItemProps) {
  const { icon: Icon, text, keys, ticked, onSelect, danger = false, disabled = false, opens = false } = props
  const runLater = use(RunLater)
  return (
    <DropdownMenu.Item
      onSelect={opens ? (event) => runLater(() => onSelect(event)) : onSelect}
      disabled={disabled}
      className={`flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[disabled]:pointer-events-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover ${danger ? 'text-danger' : 'text-ink'}`}
    >
      <span aria-hidden className="opacity-75">
        <Icon size={16} />
      </span>
      <span className="min-w-0 flex-1">{text}</span>
      {ticked !== undefined && (
        <>
          <Check size={15} aria-hidden />
          <span className="sr-only">{ticked}</span>
        </>
      )}
      {keys !== undefined && (
        <span aria-hidden className="shrink-0 ps-3 text-xs text-ink-faint pointer-coarse:hidden">
          {formatShortcut(keys, isMacLike())}
        </span>
      )}
    </DropdownMenu.Item>
  )
}

/** A line between groups of a `Menu`. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}

type MenuChoicesProps = {
  label: string
  value: string
  /** With the text that shows each choice, in its style. */
  choices: readonly { value: string; name: string; style: CSSProperties }[]
  onChoose: (value: string) => void
}

// A capital, a small letter with a descender.
// oxlint-disable-next-line copydesk/translated-text -- letters that show a style, not a text
const sample = 'Ag'

/** A choice among a few in a row of a `Menu`, which remains open. */
export function MenuChoices({ label, value, choices, onChoose }: MenuChoicesProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChoose} aria-label={label} className="flex gap-1 p-1">
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => event.preventDefault()}
          className="flex flex-1 cursor-pointer flex-col items-center rounded-md border border-transparent py-1.5 text-xs text-ink-soft outline-none data-[highlighted]:bg-hover data-[state=checked]:border-accent data-[state=checked]:text-accent-strong"
        >
          <span aria-hidden style={choice.style} className="text-xl leading-tight">
            {sample}
          </span>
          {choice.name}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

/** A note in a `Menu`. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 py-1.5 text-xs text-ink-faint">{children}</DropdownMenu.Label>
}

type MenuOptionsProps<Value extends string> = {
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

/** Options in a `Menu` of which one is chosen. */
export function MenuOptions<Value extends string>({ value, options, onChange }: MenuOptionsProps<Value>) {
  const choose = (given: string) => {
    const chosen = options.find(([option]) => option === given)
    if (chosen) onChange(chosen[0])
  }
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={choose}>
      {options.map(([option, label]) => (
        <DropdownMenu.RadioItem
          key={option}
          value={option}
          className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-hover"
        >
          <span className="size-4 shrink-0">
            <DropdownMenu.ItemIndicator>
              <Check size={16} aria-hidden />
            </DropdownMenu.ItemIndicator>
          </span>
          {label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
