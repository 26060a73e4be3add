import type { SuggestionKeyDownProps, SuggestionProps } from '@tiptap/suggestion'
import type { MentionItem, MentionTarget } from '../../mentions/targets.ts'
import { inkOn, initials } from '../../ui/person-look.ts'

type Props = SuggestionProps<MentionItem, MentionTarget>

/** The hooks that @tiptap/suggestion calls, and whether the list is showing something to choose. */
export type MentionList = {
  isOpen(): boolean
  onStart(props: Props): void
  onUpdate(props: Props): void
  onKeyDown(props: SuggestionKeyDownProps): boolean
  onExit(): void
}

let lists = 0

/**
 * The list that `@` opens, plain DOM: an ARIA listbox that the focus never enters; the editor points at the chosen option
 * with `aria-activedescendant`.
 */
export function createMentionList(): MentionList {
  lists += 1
  const dom = createListbox(`mention-list-${lists}`)
  let props: Props | undefined
  let active = 0
  let unmount: (() => void) | undefined

  const choose = (index: number) => {
    const item = props?.items[index]
    if (item) props?.command({ id: item.id, label: item.label, kind: item.kind })
  }
  const render = () => {
    const items = props?.items ?? []
    active = Math.min(active, Math.max(0, items.length - 1))
    dom.hidden = items.length === 0
    dom.replaceChildren(
      ...items.map((item, index) => createOption(item, `${dom.id}-${index}`, index === active, () => choose(index))),
    )
    point(props?.editor.view.dom, dom, items.length > 0 ? `${dom.id}-${active}` : undefined)
  }
  const move = (by: number) => {
    const count = props?.items.length ?? 0
    active = count === 0 ? 0 : (active + by + count) % count
    render()
    dom.children[active]?.scrollIntoView({ block: 'nearest' })
  }
  return {
    isOpen: () => props !== undefined && props.items.length > 0,
    onStart(next) {
      props = next
      active = 0
      render()
      unmount = next.mount(dom)
    },
    onUpdate(next) {
      if (next.loading) return
      if (next.query !== props?.query) active = 0
      props = next
      render()
    },
    onKeyDown({ event }) {
      if (!props || props.items.length === 0 || event.isComposing) return false
      if (event.key === 'ArrowDown') move(1)
      else if (event.key === 'ArrowUp') move(-1)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(active)
      else return false
      return true
    },
    onExit() {
      point(props?.editor.view.dom, dom, undefined)
      unmount?.()
      unmount = undefined
      props = undefined
    },
  }
}

function createListbox(id: string): HTMLElement {
  const dom = document.createElement('div')
  dom.id = id
  dom.className = 'mention-list'
  dom.setAttribute('role', 'listbox')
  dom.setAttribute('aria-label', 'Mention')
  return dom
}

function createOption(item: MentionItem, id: string, selected: boolean, choose: () => void): HTMLElement {
  const option = document.createElement('div')
  option.id = id
  option.className = 'mention-option'
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', String(selected))
  const badge = option.appendChild(document.createElement('span'))
  badge.className = 'mention-badge'
  badge.setAttribute('aria-hidden', 'true')
  badge.dataset.kind = item.kind
  badge.textContent = item.kind === 'agent' ? '✦' : initials(item.label)
  if (item.kind === 'person') Object.assign(badge.style, { backgroundColor: item.color, color: inkOn(item.color) })
  option.appendChild(document.createElement('span')).textContent = item.label
  const detail = option.appendChild(document.createElement('span'))
  detail.className = 'mention-detail'
  detail.textContent = item.detail
  // The editor must keep the focus, so the choice is made on mousedown.
  option.addEventListener('mousedown', (event) => {
    event.preventDefault()
    choose()
  })
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
