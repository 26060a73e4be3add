import type { MentionItem } from '../../mentions/targets.ts'
import { inkOn, initials } from '../../ui/person-look.ts'
import { type ChoiceList, createChoiceList } from '../choice-list.ts'

/** The list that `@` opens: the people and agents that can be mentioned. */
export type MentionList = ChoiceList<MentionItem>

/** Creates the list for one editor. */
export function createMentionList(): MentionList {
  return createChoiceList<MentionItem>({ name: 'mention-choices', label: 'Mention', fill })
}

function fill(option: HTMLElement, { kind, label, color, detail }: MentionItem): void {
  const badge = option.appendChild(document.createElement('span'))
  badge.className = 'mention-badge'
  badge.setAttribute('aria-hidden', 'true')
  badge.dataset.kind = kind
  badge.textContent = kind === 'agent' ? '✦' : initials(label)
  if (kind === 'person') Object.assign(badge.style, { backgroundColor: color, color: inkOn(color) })
  option.appendChild(document.createElement('span')).textContent = label
  const more = option.appendChild(document.createElement('span'))
  more.className = 'mention-detail'
  more.textContent = detail
}
