import type { Account } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { relativeTime } from '../common/relative-time.ts'
import { Button } from '../ui/button.tsx'
import { endOneSession, sessionsQuery } from '../api/caller/account.ts'
import { Loaded, Rows } from '../ui/loaded.tsx'
import { useAction } from '../ui/use-action.ts'
import { Section } from './settings/page-frame.tsx'
import { SignOutDialog } from './sign-out-dialog.tsx'

export function SessionsSection({ account }: { account: Account }) {
  const [leaving, setLeaving] = useState<{ opener: HTMLElement }>()
  const end = useAction(endOneSession, { changes: sessionsQuery.queryKey })
  return (
    <Section title={t('Where you are signed in')}>
      <Loaded query={useQuery(sessionsQuery)}>
        {(sessions) => (
          <Rows label={t('Sessions')} rows={sessions} className="-mt-2">
            {(session) => (
              <li key={session.id} className="flex min-h-14 items-center gap-3 py-2">
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium">{describeDevice(session.device)}</p>
                  <p className="truncate text-sm text-ink-faint">
                    {session.current
                      ? t('This browser')
                      : t('Used {time}', { time: relativeTime(session.lastUsedAt, new Date()) })}
                    {session.address && ` · ${session.address}`}
                  </p>
                </div>
                {!session.current && (
                  <Button
                    size="small"
                    aria-label={t('Sign out {device}', { device: describeDevice(session.device) })}
                    disabled={end.isPending}
                    onClick={() => end.mutate(session.id)}
                  >
                    {t('Sign out')}
                  </Button>
                )}
              </li>
            )}
          </Rows>
        )}
      </Loaded>
      <Button look="danger" className="mt-3" onClick={(event) => setLeaving({ opener: event.currentTarget })}>
        {t('Sign out everywhere')}
      </Button>
      {leaving && (
        <SignOutDialog
          account={account.user.id}
          everywhere
          returnFocusTo={leaving.opener}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  )
}

/** The server's name for a device, such as "Firefox on Windows". The names of programs have no spaces. */
function describeDevice(device: string): string {
  if (device === 'Unknown device') return t('Unknown device')
  const [, browser, system] = /^(\w+) on (\w+)$/.exec(device) ?? []
  return browser !== undefined && system !== undefined ? t('{browser} on {system}', { browser, system }) : device
}
