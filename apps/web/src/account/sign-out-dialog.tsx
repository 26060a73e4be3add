import { useState } from 'react'
import { endSession } from '../api/caller/account.ts'
import { ApiError } from '../api/client.ts'
import { readIndex, unsentStores } from '../collaboration/offline-index.ts'
import { t } from '../i18n/translate.ts'
import { Question } from '../ui/question.tsx'
import { showError } from '../ui/toasts/toasts.tsx'

type SignOutDialogProps = {
  account: string
  everywhere?: boolean
  returnFocusTo: HTMLElement | null
  onClose: () => void
}

/** Asks for confirmation before signing out everywhere, or when signing out would lose unsent changes. */
export function SignOutDialog({ account, everywhere = false, returnFocusTo, onClose }: SignOutDialogProps) {
  const [isLeaving, setLeaving] = useState(false)
  const unsent = unsentStores(readIndex(), account).length
  const go = () => {
    setLeaving(true)
    leave(account, everywhere).catch((error: unknown) => {
      setLeaving(false)
      showError(error)
    })
  }
  return (
    <Question
      title={t(everywhere ? 'Sign out everywhere' : 'Sign out')}
      action={t(unsent > 0 ? 'Sign out and discard' : 'Sign out')}
      look={unsent > 0 ? 'danger' : 'primary'}
      cancel={t('Stay signed in')}
      isPending={isLeaving}
      returnFocusTo={returnFocusTo}
      onConfirm={go}
      onClose={onClose}
    >
      {everywhere && <p>{t('All your windows and devices are signed out, this one too. API keys stay valid.')}</p>}
      {unsent > 0 && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          {t(
            '{count, plural, one {In one document something you wrote hasn’t reached the server yet. Signing out removes it from this browser. Open it first to save it.} other {In # documents something you wrote hasn’t reached the server yet. Signing out removes it from this browser. Open them first to save it.}}',
            { count: unsent },
          )}
        </p>
      )}
    </Question>
  )
}

/**
 * Signs out, here or everywhere, and deletes all data that this browser stores for the account. Reloads the page, so
 * that no data remains in memory. Rejects, and deletes nothing, when the server is unreachable.
 */
export async function leave(account: string, everywhere: boolean): Promise<void> {
  await endSession({ everywhere }).catch((error: unknown) => {
    // The session has already ended: local data is deleted anyway.
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
  })
  await (await import('../collaboration/offline-store.ts')).clearAccount(account)
  location.assign('/')
}
