import type { FileProposal } from '@copydesk/protocol'
import { FilePen, FilePlus2, RotateCw, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { t } from '../../i18n/translate.ts'
import { FileDiff } from './file-diff.tsx'
import { countLines, type DiffLine, diffLines, visibleLine } from './line-diff.ts'

type FileTitleProps = { proposal: FileProposal; lines: readonly DiffLine[] }

/** The path of a file, whether it is new, and the number of added and removed lines. */
export function FileTitle({ proposal: { path, base }, lines }: FileTitleProps) {
  const { added, removed } = countLines(lines)
  const Icon = base === undefined ? FilePlus2 : FilePen
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-sm">
      <span className="flex min-w-0 gap-2">
        <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-ink-soft" />
        <bdi dir="ltr" className="min-w-0 font-mono text-[0.8125rem] font-semibold wrap-anywhere">
          {visibleLine(path)}
        </bdi>
      </span>
      <span className="text-xs text-ink-soft">
        {base === undefined && `${t('New file')} · `}
        <span className="sr-only">
          {t('{added, number} lines added, {removed, number} removed', { added, removed })}
        </span>
        <span aria-hidden>
          <span className="text-good">+{added}</span> <span className="text-danger">−{removed}</span>
        </span>
      </span>
    </p>
  )
}

/**
 * Says that the file has changed since the agent read it, shows the change, and offers to let the agent read it again.
 */
export function StaleNotice({
  proposal: { base = '', current },
  isWide = false,
  requestNewProposal,
}: StaleNoticeProps) {
  const since = useMemo(() => diffLines(base, current ?? ''), [base, current])
  return (
    <div role="status" className="flex flex-col gap-1.5 text-sm text-warn">
      <p className="flex gap-1.5">
        <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
        {current === undefined
          ? t('The file is gone, or can’t be read any more, so this can’t be approved.')
          : t('The file has changed since, so this can’t be approved. What has changed:')}
      </p>
      {current !== undefined && (
        <div className="flex max-h-40 flex-col">
          <FileDiff label={t('What has changed in the file since')} lines={since} isWide={isWide} />
        </div>
      )}
      {requestNewProposal && (
        <button type="button" className="ap-button ap-button-plain self-start" onClick={requestNewProposal}>
          <RotateCw size={13} aria-hidden />
          {t('Reject, and let the agent look again')}
        </button>
      )}
      <p>{t('What the agent proposes:')}</p>
    </div>
  )
}

type StaleNoticeProps = { proposal: FileProposal; isWide?: boolean; requestNewProposal?: () => void }
