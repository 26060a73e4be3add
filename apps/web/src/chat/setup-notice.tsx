import { X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { Link } from '../common/location.tsx'
import { sentText, t } from '../i18n/translate.ts'
import { IconButton } from '../ui/button.tsx'

const Dialog = lazyPart(async () => (await import('../ui/dialog.tsx')).Dialog)

const actionClass = 'inline-flex shrink-0 items-center font-medium text-accent hover:underline pointer-coarse:min-h-10'
const storageKey = 'copydesk.without-model'

type SetupNoticeProps = { text: string; mayConfigure: boolean | undefined }

/**
 * One line for operators that no model is configured, until they dismiss it. It leads to the page of models; people who
 * have no such page read in `text` how to configure one.
 */
export function SetupNotice({ text, mayConfigure }: SetupNoticeProps) {
  const [isDismissed, setDismissed] = useState(isKnown)
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
          rememberKnown()
          setDismissed(true)
        }}
        icon={X}
        size={15}
      />
      {opener && (
        <Suspense>
          <Dialog title={t('Set up a model')} wide onClose={() => setOpener(null)} returnFocusTo={opener}>
            <p className="text-sm">{sentText(text) ?? text}</p>
            <p className="mt-2 text-sm text-ink-soft">
              {t('Until then the agent understands plain commands only, such as “replace teh with the”.')}
            </p>
          </Dialog>
        </Suspense>
      )}
    </div>
  )
}

function isKnown(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'known'
  } catch {
    return false
  }
}

function rememberKnown(): void {
  try {
    localStorage.setItem(storageKey, 'known')
  } catch {
    // Storage is blocked: the line is gone for as long as the panel is open.
  }
}
