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
  const when = whenDeleted(document, now)
  return (
    <li className={rowClass}>
      <div className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-medium text-ink-soft">
          <MarkedTitle document={document} />
        </span>
        <TextLine document={document} />
        <p className="truncate text-xs text-ink-faint lg:hidden">{when}</p>
      </div>
      <OwnerCell document={document} me={me} />
      <span className="hidden w-48 text-sm leading-snug text-ink-soft lg:block">{when}</span>
      <span className="flex shrink-0 justify-end gap-2 lg:w-44">
        {mayManage(document) && <TrashedActions document={document} />}
      </span>
    </li>
  )
}

function whenDeleted({ deletesAt }: DocumentSummary, now: Date): string {
  if (deletesAt === null) return t('Kept in the trash')
  const left = Date.parse(deletesAt) - now.getTime()
  return left <= dayMs
    ? t('Deleted for good within a day')
    : t('Deleted for good in {count, number} days', { count: Math.max(2, Math.round(left / dayMs)) })
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
