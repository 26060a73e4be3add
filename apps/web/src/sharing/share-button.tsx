import type { Me } from '@copydesk/protocol'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { separatePart } from '../common/lazy-part.ts'
import { useDocumentSummary } from '../api/documents.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useSharedTitle } from '../collaboration/hooks.ts'
import { t } from '../i18n/translate.ts'
import { Tooltip } from '../ui/tooltips/tooltip.tsx'
import { roleNames } from './share-rights.ts'

const ShareDialog = separatePart(async () => (await import('./share-dialog.tsx')).ShareDialog)

/**
 * Opens the share dialog for users with the right to share, and shows all others their role. Renders nothing if all
 * users have unrestricted access.
 */
export function ShareButton({ connection, me }: { connection: DocumentConnection; me: Me }) {
  const { document, meta, room } = connection
  const { data: summary } = useDocumentSummary(document)
  const title = useSharedTitle(meta)
  const [opener, setOpener] = useState<HTMLElement>()
  if (me.auth !== 'accounts' || !summary) return null
  const { role, access } = summary
  if (access === 'read' || access === 'comment') {
    return (
      <span className="shrink-0 rounded-full border border-line bg-sunken px-2.5 py-0.5 text-xs font-medium text-ink-soft">
        <span className="sr-only">{t('Your role:')} </span>
        {t(roleNames[role])}
      </span>
    )
  }
  return (
    <>
      <Tooltip text={role === 'owner' ? t('Share. You are an owner.') : t('Share. You are an editor.')}>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t('Share')}
          onClick={(event) => setOpener(event.currentTarget)}
          className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md border border-line px-2.5 text-sm font-medium hover:bg-hover sm:px-3"
        >
          <UserPlus size={16} aria-hidden />
          <span className="hidden sm:inline">{t('Share')}</span>
        </button>
      </Tooltip>
      {opener && (
        <ShareDialog
          {...{ document, room, title, access }}
          self={me.user.id}
          opener={opener}
          onClose={() => setOpener(undefined)}
        />
      )}
    </>
  )
}
