import { shift, size } from '@floating-ui/dom'
import type { SuggestionKeyDownProps, SuggestionProps } from '@tiptap/suggestion'

/** The hooks that @tiptap/suggestion calls, and whether the list has an item to choose. */
export type ChoiceList<Item> = {
  isOpen(): boolean
  onStart(props: SuggestionProps<Item, Item>): void
  onUpdate(props: SuggestionProps<Item, Item>): void
  onKeyDown(props: SuggestionKeyDownProps): boolean
  onExit(): void
  /** Lists the items for the typed text again; the active item stays active, by its key. */
  refresh(itemsFor: (query: string) => Item[], keyOf: (item: Item) => string): void
}

type ChoiceListOptions<Item> = {
  name: string
  label: string
  fill: (option: HTMLElement, item: Item) => void
  /** The heading above adjacent items with the same heading; not shown while the list is searched. */
  groupOf?: (item: Item) => string
}

const edge = 8

/** Keeps a list at the caret inside the window: next to the caret, and not higher than the available space. */
export const inWindow = {
  middleware: [
    shift({ padding: edge }),
    size({
      padding: edge,
      apply: ({ availableHeight, elements }) =>
        elements.floating.style.setProperty('--room', `${Math.max(availableHeight, 0)}px`),
    }),
  ],
}

let lists = 0

/**
 * A list at the caret, in plain DOM: an ARIA listbox that never gets the focus; the editor points at the active option
 * with `aria-activedescendant`. `fill` draws an item into its option.
 */
export function createChoiceList<Item>({ name, label, fill, groupOf }: ChoiceListOptions<Item>): ChoiceList<Item> {
  lists += 1
  const dom = createListbox(`${name}-${lists}`, name, label)
  let props: SuggestionProps<Item, Item> | undefined
  let options: readonly HTMLElement[] = []
  let active = 0
  let unmount: (() => void) | undefined

  const mark = () => markOption(dom, options, active, props?.editor.view.dom)
  const choose = (index: number) => {
    const item = props?.items[index]
    if (item) props?.command(item)
  }
  const hover = (index: number) => {
    active = index
    mark()
  }
  const render = (items = props?.items ?? []) => {
    active = Math.max(0, Math.min(active, items.length - 1))
    options = items.map((_item, index) => createOption(`${dom.id}-${index}`, index, choose, hover))
    options.forEach((option, index) => items[index] && fill(option, items[index]))
    showOptions(dom, options, props?.query === '' ? groupOf && items.map(groupOf) : undefined)
    mark()
  }
  const show = (next: SuggestionProps<Item, Item>, at: number) => {
    const isSame = sameItems(next.items, props?.items ?? [])
    props = next
    active = at
    return isSame ? mark() : render()
  }
  const move = (by: number) => hover((active + by + options.length) % options.length)
  return {
    isOpen: () => props !== undefined && props.items.length > 0,
    onStart(next) {
      props = next
      active = 0
      render()
      unmount = next.mount(dom)
    },
    onUpdate(next) {
      if (!next.loading) show(next, next.query === props?.query ? active : 0)
    },
    onKeyDown({ event }) {
      if (!props || props.items.length === 0 || event.isComposing) return false
      if (/^Arrow(?:Down|Up)$/.test(event.key)) move(event.key === 'ArrowDown' ? 1 : -1)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(active)
      else return false
      return true
    },
    onExit() {
      point(props?.editor.view.dom, dom, undefined)
      unmount?.()
      unmount = props = undefined
    },
    refresh(itemsFor, keyOf) {
      if (!props) return
      const items = itemsFor(props.query)
      show({ ...props, items }, indexOfSame(items, props.items[active], keyOf))
    },
  }
}

function showOptions(list: HTMLElement, options: readonly HTMLElement[], titles: readonly string[] | undefined): void {
  list.hidden = options.length === 0
  list.replaceChildren(...(titles ? inGroups(options, titles) : options))
}

function indexOfSame<Item>(items: readonly Item[], item: Item | undefined, keyOf: (item: Item) => string): number {
  return item === undefined ? 0 : items.findIndex((each) => keyOf(each) === keyOf(item))
}

function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function inGroups(options: readonly HTMLElement[], titles: readonly string[]): HTMLElement[] {
  const groups: HTMLElement[] = []
  for (const [index, option] of options.entries()) {
    const title = titles[index] ?? ''
    const isFirst = index === 0 || title !== titles[index - 1]
    const group = (isFirst ? undefined : groups.at(-1)) ?? createGroup(title)
    if (isFirst) groups.push(group)
    group.append(option)
  }
  return groups
}

function createGroup(title: string): HTMLElement {
  const group = document.createElement('div')
  group.setAttribute('role', 'group')
  group.setAttribute('aria-label', title)
  const heading = group.appendChild(document.createElement('div'))
  heading.className = 'choice-heading'
  heading.setAttribute('aria-hidden', 'true')
  heading.textContent = title
  return group
}

function markOption(
  list: HTMLElement,
  options: readonly HTMLElement[],
  active: number,
  editor: HTMLElement | undefined,
): void {
  for (const [index, option] of options.entries()) {
    option.setAttribute('aria-selected', String(index === active))
  }
  const chosen = options[active]
  // The first item's heading is above it.
  if (active === 0) list.scrollTop = 0
  else chosen?.scrollIntoView({ block: 'nearest' })
  point(editor, list, chosen?.id)
}

function createListbox(id: string, name: string, label: string): HTMLElement {
  const dom = document.createElement('div')
  dom.id = id
  dom.className = `mention-list ${name}`
  dom.setAttribute('role', 'listbox')
  dom.setAttribute('aria-label', label)
  return dom
}

type OnOption = (index: number) => void

function createOption(id: string, index: number, choose: OnOption, hover: OnOption): HTMLElement {
  const option = document.createElement('div')
  option.id = id
  option.className = 'mention-option'
  option.setAttribute('role', 'option')
  // The editor must keep the focus, so mousedown chooses the item.
  option.addEventListener('mousedown', (event) => {
    event.preventDefault()
    choose(index)
  })
  // A moving mouse activates the option under it; a list that opens under a resting mouse keeps its first option
  // active.
  option.addEventListener('mousemove', () => hover(index))
  return option
}

function point(editor: HTMLElement | undefined, list: HTMLElement, option: string | undefined): void {
  if (!editor) return
  if (option === undefined) {
    editor.removeAttribute('aria-activedescendant')
    editor.removeAttribute('aria-controls')
    return
  }
  editor.setAttribute('aria-controls', list.id)
  editor.setAttribute('aria-activedescendant', option)
}
