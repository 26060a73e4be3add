import { isFinal, type Me, type OwnUsage } from '@copydesk/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchOwnUsage } from '../api/operators/usage.ts'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import { formatNumber } from '../i18n/format.ts'
import { t, sentText } from '../i18n/translate.ts'
import { X } from 'lucide-react'
import { useState } from 'react'
import { writeStored, readStored } from '../common/local-storage.ts'
import { separatePart } from '../common/lazy-part.ts'
import { Link } from '../common/location.tsx'
import { IconButton } from '../ui/button.tsx'

type PanelNoticesProps = {
  me: Me
  runs: RoomSnapshot['runs']
  /** Gets today's exhausted budgets, also after a new day has begun. */
  onUsedUp: (usedUp: OwnUsage['usedUp'] | undefined) => void
}

/** The lines above the message box: that no model is configured, and the used share of the day's budget. */
export function PanelNotices({ me, runs, onUsedUp }: PanelNoticesProps) {
  const { setup, mayConfigure } = me.agent
  const own = [...runs.values()].filter(({ invokedBy, status }) => invokedBy.id === me.user.id && isFinal(status))
  // When another run of the user ends, their usage changes.
  const { data } = useQuery({
    queryKey: ['own-usage', own.length],
    queryFn: ({ signal }) => fetchOwnUsage(signal),
    placeholderData: keepPreviousData,
    retry: false,
    // A new day may begin, or an operator may raise the budget.
    refetchInterval: ({ state }) => (isAnyUsedUp(state.data) ? 60_000 : false),
  })
  const usedUp = data?.usedUp
  useEffect(() => onUsedUp(usedUp), [usedUp, onUsedUp])
  const share = data ? shareOf(data) : 0
  return (
    <>
      {setup !== undefined && <SetupNotice text={setup} mayConfigure={mayConfigure} />}
      {share >= noticeFrom && (
        <div role="status" className="mx-4 mb-2 rounded-lg bg-sunken px-3 py-2 text-sm text-ink-soft">
          {share >= 1
            ? t('You have used today’s budget for agents. A new day begins at midnight UTC.')
            : t('You have used {share} of today’s budget for agents.', {
                share: formatNumber(Math.floor(share * 100) / 100, { style: 'percent' }),
              })}
        </div>
      )}
    </>
  )
}

function isAnyUsedUp(usage: OwnUsage | undefined): boolean {
  return usage !== undefined && (usage.usedUp.person || usage.usedUp.server || usage.usedUp.agents.length > 0)
}

const noticeFrom = 0.8

/** The used share of the budget, of tokens or money, whichever is higher. */
function shareOf({ tokens, cost, budget }: OwnUsage): number {
  return Math.max(budget.tokens === null ? 0 : tokens / budget.tokens, budget.cost === null ? 0 : cost / budget.cost)
}

const Dialog = separatePart(async () => (await import('../ui/dialog.tsx')).Dialog)

const actionClass = 'inline-flex shrink-0 items-center font-medium text-accent hover:underline pointer-coarse:min-h-10'
const storageKey = 'copydesk.without-model'

type SetupNoticeProps = { text: string; mayConfigure: boolean | undefined }

/**
 * One line for operators that no model is configured, until they dismiss it. It links to the page of models; for people
 * without that page `text` says how to configure one.
 */
function SetupNotice({ text, mayConfigure }: SetupNoticeProps) {
  const [isDismissed, setDismissed] = useState(() => readStored(storageKey) === 'known')
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  if (isDismissed) return null
  return (
    <div className="mx-3 mb-2 flex items-center gap-2 rounded-lg bg-sunken ps-3 text-sm text-ink-soft">
      <p className="min-w-0 flex-1 truncate">{t('No model is configured.')}</p>
      {mayConfigure ? (
        <Link to="/models" className={actionClass}>
          {t('Set one up')}
        </Link>
      ) : (
        <button type="button" className={actionClass} onClick={(event) => setOpener(event.currentTarget)}>
          {t('Set one up')}
        </button>
      )}
      <IconButton
        label={t('Don’t show again')}
        className="size-8!"
        onClick={() => {
          writeStored(storageKey, 'known')
          setDismissed(true)
        }}
        icon={X}
        size={15}
      />
      {opener && (
        <Dialog title={t('Set up a model')} wide onClose={() => setOpener(null)} returnFocusTo={opener}>
          <p className="text-sm">{sentText(text) ?? text}</p>
          <p className="mt-2 text-sm text-ink-soft">
            {t('Until then the agent understands plain commands only, such as “replace teh with the”.')}
          </p>
        </Dialog>
      )}
    </div>
  )
}
