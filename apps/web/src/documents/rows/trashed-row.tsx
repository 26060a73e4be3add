import type { DocumentSummary, ListedDocument, Me } from '@copydesk/protocol'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { mayManage } from '../../common/roles.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusNextRow } from '../../ui/focus/use-focus-next-row.ts'
import { openDialog } from '../folders/dialogs.ts'
import { MarkedTitle, OwnerCell, rowClass, TextLine } from './row-parts.tsx'
import { useRestoreDocument } from '../data/use-documents.ts'
import { dayMs } from '../../common/relative-time.ts'

type TrashedRowProps = { document: ListedDocument; now: Date; me: Me }

export function TrashedRow({ document, now, me }: TrashedRowProps) {
  const days = daysLeft(document, now)
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-medium text-ink-soft">
          <MarkedTitle document={document} />
        </span>
        <TextLine document={document} />
        <p className="truncate text-xs text-ink-faint lg:hidden">{whenDeleted(days)}</p>
      </div>
      <OwnerCell document={document} me={me} />
      <span className="hidden w-36 text-sm leading-snug text-ink-soft lg:block">
        <span className="sr-only">{t('Deleted for good')} </span>
        {whenInColumn(days)}
      </span>
      <span className="flex shrink-0 justify-end gap-2 lg:w-44">
        {mayManage(document) && <TrashedActions document={document} />}
      </span>
    </li>
  )
}

// Null for a document that isn't deleted by the server.
function daysLeft({ deletesAt }: DocumentSummary, now: Date): number | null {
  if (deletesAt === null) return null
  const left = Date.parse(deletesAt) - now.getTime()
  return left <= dayMs ? 1 : Math.max(2, Math.round(left / dayMs))
}

function whenDeleted(days: number | null): string {
  if (days === null) return t('Kept in the trash')
  return days === 1
    ? t('Deleted for good within a day')
    : t('Deleted for good in {count, number} days', { count: days })
}

// Below the title of the column.
function whenInColumn(days: number | null): string {
  if (days === null) return t('Never')
  return days === 1 ? t('within a day') : t('in {count, number} days', { count: days })
}

function TrashedActions({ document }: { document: DocumentSummary }) {
  const restore = useRestoreDocument()
  const button = useRef<HTMLButtonElement>(null)
  useFocusNextRow(button)
  const name = document.title || t('Untitled')
  // A disabled button would lose the focus immediately.
  const mayPress = !restore.isPending
  return (
    <>
      <Button
        ref={button}
        size="small"
        aria-label={t('Restore {name}', { name })}
        aria-disabled={!mayPress}
        onClick={() => mayPress && restore.mutate(document.id)}
      >
        <RotateCcw size={14} aria-hidden />
        <span className="max-sm:sr-only">{t('Restore')}</span>
      </Button>
      <Button
        look="danger"
        size="small"
        aria-label={t('Delete {name} for good', { name })}
        onClick={() => openDialog({ kind: 'delete-document', document })}
      >
        <Trash2 size={14} aria-hidden />
        <span className="max-sm:sr-only">{t('Delete')}</span>
      </Button>
    </>
  )
}
