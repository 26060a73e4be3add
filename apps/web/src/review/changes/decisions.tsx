import { hasNoContributorExcept } from '@copydesk/protocol'
import { Check, CheckCheck, ChevronDown, Ellipsis, X } from 'lucide-react'
import { useState } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import { decideAllChanges, decideChange, type Decision } from '../../api/review.ts'
import { t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menus/menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { OpenChange } from '../text/review-ui.ts'

const Question = separatePart(async () => (await import('../../ui/question.tsx')).Question)

/** The decisions on a suggested change, with the labels of their buttons. */
export const decisions = [
  { decision: 'accept', label: 'Accept', icon: Check },
  { decision: 'reject', label: 'Reject', icon: X },
] as const

/** A decision on all changes, or on those of one author or run. */
export type ManyDecision = { decision: Decision; author?: string; run?: string }

type DecideManyProps = {
  self: string
  changes: readonly OpenChange[]
  returnFocusTo: HTMLElement | null
  onDecide: (decision: ManyDecision) => void
}

type RequestedDecision = { decision: Decision; group: ChangeGroup | undefined }

/** Decisions on several changes together, each confirmed first: on all, on an author's, on a run's. */
export function DecideMany({ self, changes, returnFocusTo, onDecide }: DecideManyProps) {
  const [asked, setAsked] = useState<RequestedDecision>()
  const groups = groupChanges(changes, self)
  const ask = (decision: Decision, group?: ChangeGroup) => setAsked({ decision, group })
  return (
    <>
      <span className="hidden gap-2 lg:flex">
        <Button size="small" onClick={() => ask('accept')}>
          {t('Accept all')}
        </Button>
        <Button size="small" onClick={() => ask('reject')}>
          {t('Reject all')}
        </Button>
      </span>
      <span className={groups.length > 0 ? '' : 'lg:hidden'}>
        <Menu
          trigger={
            <button type="button" aria-label={t('All suggestions')} className={iconButtonClass}>
              <ChevronDown size={17} aria-hidden className="hidden lg:block" />
              <Ellipsis size={17} aria-hidden className="lg:hidden" />
            </button>
          }
        >
          <MenuItem icon={CheckCheck} onSelect={() => ask('accept')} text={t('Accept all')} />
          <MenuItem icon={X} danger onSelect={() => ask('reject')} text={t('Reject all')} />
          {groups.map((group) => (
            <GroupItems key={group.author ?? group.run} group={group} onAsk={ask} />
          ))}
        </Menu>
      </span>
      {asked && (
        <ConfirmMany
          asked={asked}
          total={changes.length}
          returnFocusTo={returnFocusTo}
          onClose={() => setAsked(undefined)}
          onConfirm={() => onDecide(toDecision(asked))}
        />
      )}
    </>
  )
}

type GroupItemsProps = { group: ChangeGroup; onAsk: (decision: Decision, group: ChangeGroup) => void }

function GroupItems({ group, onAsk }: GroupItemsProps) {
  const title =
    group.author === undefined ? t('For {label}', { label: group.label }) : t('By {label}', { label: group.label })
  return (
    <div role="group" aria-label={title}>
      <MenuLine />
      <p dir="auto" className="max-w-72 truncate px-2.5 pt-1 text-xs text-ink-faint">
        {title}, {group.count}
      </p>
      <MenuItem icon={CheckCheck} onSelect={() => onAsk('accept', group)} text={t('Accept these')} />
      <MenuItem icon={X} danger onSelect={() => onAsk('reject', group)} text={t('Reject these')} />
    </div>
  )
}

function toDecision({ decision, group }: RequestedDecision): ManyDecision {
  if (group?.author !== undefined) return { decision, author: group.author }
  return group?.run === undefined ? { decision } : { decision, run: group.run }
}

type ConfirmManyProps = {
  asked: RequestedDecision
  total: number
  returnFocusTo: HTMLElement | null
  onClose: () => void
  onConfirm: () => void
}

function ConfirmMany({ asked: { decision, group }, total, returnFocusTo, onClose, onConfirm }: ConfirmManyProps) {
  return (
    <Question
      title={questionOf(decision, group, total)}
      action={
        group ? t(decision === 'accept' ? 'Accept' : 'Reject') : t(decision === 'accept' ? 'Accept all' : 'Reject all')
      }
      look={decision === 'accept' ? 'primary' : 'danger'}
      returnFocusTo={returnFocusTo}
      onConfirm={() => {
        onConfirm()
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        {t(
          decision === 'accept'
            ? 'They become part of the text, for everybody.'
            : 'The text becomes what it was before them, for everybody.',
        )}
        {group?.left !== undefined && ` ${nameLeft(group.left)}`}
      </p>
    </Question>
  )
}

function nameLeft(count: number): string {
  return t(
    '{count, plural, one {One more stays open, since others have written into it.} other {# more stay open, since others have written into them.}}',
    { count },
  )
}

function questionOf(decision: Decision, group: ChangeGroup | undefined, total: number): string {
  if (!group) {
    return t(
      '{decision, select, accept {Accept} other {Reject}} {count, plural, one {the suggestion} other {all # suggestions}}?',
      { decision, count: total },
    )
  }
  const { count, label } = group
  return group.author === undefined
    ? t(
        '{decision, select, accept {Accept} other {Reject}} {count, plural, one {the suggestion} other {the # suggestions}} for {label}?',
        { decision, count, label },
      )
    : t(
        '{decision, select, accept {Accept} other {Reject}} {count, plural, one {the suggestion} other {the # suggestions}} by {label}?',
        { decision, count, label },
      )
}

/**
 * Suggested changes that are decided together: those of one author, or of one run. `label` precedes the word
 * "suggestions". `left` is the number of their further changes to which others have contributed: these remain open.
 */
type ChangeGroup = { label: string; count: number; left?: number; author?: string; run?: string }

const longest = 40

/** The groups to offer `self` in addition to all changes; empty if all changes are by one author and one run. */
export function groupChanges(changes: readonly OpenChange[], self: string): ChangeGroup[] {
  const known = changes.filter(({ author }) => author !== undefined)
  const authors = [...Map.groupBy(known, ({ author }) => author?.id ?? '')]
  const runs = [...Map.groupBy(known, ({ run }) => run)]
  const byAuthor = authors.map(([author, group]): ChangeGroup => {
    return { label: group[0]?.author?.name ?? t('Unknown person'), ...countIn(group, self), author }
  })
  const byRun = runs.flatMap(([run, group]): ChangeGroup[] => {
    const [first] = group
    if (run === undefined || first?.instruction === undefined) return []
    // If a run contains all suggestions of its author, only the author's group is offered.
    const isAllOfAuthor = authors.some(([author, all]) => author === first.author?.id && all.length === group.length)
    return isAllOfAuthor
      ? []
      : [{ label: t('“{name}”', { name: shorten(first.instruction) }), ...countIn(group, self), run }]
  })
  const groups = [...(authors.length > 1 ? byAuthor : []), ...(runs.length > 1 ? byRun : [])]
  return groups.filter(({ count }) => count > 0)
}

function countIn(group: readonly OpenChange[], self: string): Pick<ChangeGroup, 'count' | 'left'> {
  const count = group.filter((change) => hasNoContributorExcept(change, self)).length
  return count === group.length ? { count } : { count, left: group.length - count }
}

function shorten(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('')
}

type Deciding = { decision: Decision; change?: string; author?: string; run?: string }

/**
 * Decides on one change, or without `change` on all, on those of an author, or on those of a run. A conflict reported
 * by the server (another user decided first) is shown unchanged.
 */
export function useDecide(document: string) {
  return useAction(({ change, decision, ...group }: Deciding) =>
    change === undefined ? decideAllChanges(document, decision, group) : decideChange(document, change, decision),
  )
}
