import type { DocumentFont, Version, VersionDiff } from '@copydesk/protocol'
import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { describeError } from '../api/client.ts'
import { restoreVersion } from '../api/versions.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useFont, useSharedTitle } from '../collaboration/hooks.ts'
import { useNarrow } from '../common/layout/media-queries.ts'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { DialogTitle, DialogWindow } from '../ui/dialog.tsx'
import { showError, showToast } from '../ui/toasts/toasts.tsx'
import { formatSavedAt } from './in-days.ts'
import { type Compared, current, useDiff, useVersions } from './use-versions.ts'
import { VersionActions } from './version-actions.tsx'
import { VersionList } from './version-list.tsx'
import { VersionText } from './version-text.tsx'
import { Problem } from '../ui/problem.tsx'

type HistoryViewProps = { connection: DocumentConnection; onClose: () => void }

/** The history of a document over its page: all versions, and the text of one with its changes highlighted. */
export function HistoryView({ connection, onClose }: HistoryViewProps) {
  const { document } = connection
  const list = useVersions(document)
  const font = useFont(connection)
  const [selected, select] = useState<Compared>({ version: current })
  const [untilNow, setUntilNow] = useState(false)
  const isNarrow = useNarrow()
  const [showsList, showList] = useState(true)
  const version = list.versions.find(({ id }) => id === selected.version)
  const diff = useDiff(document, selected.version, untilNow && version ? current : selected.since)
  const onRestored = (made: Version) => {
    onClose()
    showRestoredToast(version ? titleOf(version) : '', () => undoRestore(document, made, list.refetch))
  }
  const choose = (compared: Compared) => {
    select(compared)
    showList(false)
  }
  const listed = (
    <Listed list={list}>
      <VersionList {...{ document, selected }} versions={list.versions} isWhole={!list.hasNextPage} onSelect={choose} />
    </Listed>
  )
  const back = isNarrow && !showsList ? { label: t('All versions'), onBack: () => showList(true) } : undefined
  return (
    <Frame onClose={onClose} back={back} meta={connection.meta} title={version ? titleOf(version) : t('Now')}>
      {isNarrow && showsList ? (
        listed
      ) : (
        <div className="flex min-h-0 flex-1">
          <section aria-label={t('The chosen version')} className="flex min-w-0 flex-1 flex-col">
            <Preview
              diff={diff.data}
              font={font}
              isStale={diff.isPlaceholderData}
              error={diff.data ? undefined : diff.error}
              actions={
                <VersionActions
                  {...{ document, version, untilNow, setUntilNow, onRestored }}
                  title={version ? titleOf(version) : t('Now')}
                  onNamed={(id) => select({ version: id })}
                />
              }
            />
          </section>
          {!isNarrow && (
            <aside
              aria-label={t('Versions')}
              className="w-(--panel) shrink-0 overflow-y-auto border-s border-line bg-page"
            >
              {listed}
            </aside>
          )}
        </div>
      )}
    </Frame>
  )
}

function showRestoredToast(title: string, undo: () => Promise<void>): void {
  showToast(t('Restored: {title}.', { title }), { label: t('Undo'), run: () => void undo().catch(showError) })
}

// In the list (newest first) the version before the restore directly follows `made`; newer ones may precede both.
async function undoRestore(
  document: string,
  made: Version,
  refetch: ReturnType<typeof useVersions>['refetch'],
): Promise<void> {
  const { data } = await refetch({ throwOnError: true })
  const versions = data?.pages.flatMap((page) => page.versions) ?? []
  const at = versions.findIndex(({ id }) => id === made.id)
  const before = at < 0 ? undefined : versions[at + 1]
  if (before) await restoreVersion(document, before.id)
  else showToast(t('It couldn’t be found in the history. Open the version history and restore the text from there.'))
}

type FrameProps = {
  meta: DocumentConnection['meta']
  title: string
  back: { label: string; onBack: () => void } | undefined
  onClose: () => void
  children: ReactNode
}

function Frame({ meta, title, back, onClose, children }: FrameProps) {
  const name = useSharedTitle(meta) || t('Untitled')
  return (
    <DialogWindow
      onClose={onClose}
      // The list takes the focus when it is mounted; the code that closes the history returns it.
      takesFocus
      cover="none"
      returnFocus={() => undefined}
      className="fixed inset-0 z-30 flex flex-col bg-page outline-none"
    >
      <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line bg-page px-2 sm:px-3">
        <IconButton
          key={back ? 'list' : 'document'}
          autoFocus={back !== undefined}
          label={back?.label ?? t('Back to the document')}
          onClick={back?.onBack ?? onClose}
          icon={ArrowLeft}
          size={18}
        />
        <DialogTitle className="flex min-w-0 flex-col leading-tight">
          <bdi className="truncate font-semibold">{name}</bdi>
          <span className="truncate text-xs text-ink-soft">
            {t('Version history')} · <bdi>{title}</bdi>
          </span>
        </DialogTitle>
      </header>
      {children}
    </DialogWindow>
  )
}

function Listed({ list, children }: { list: ReturnType<typeof useVersions>; children: ReactNode }) {
  if (list.isPending) return <p className="p-5 text-sm text-ink-faint">{t('Loading the history…')}</p>
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Problem error={list.error} className="m-3 rounded-md bg-danger-soft px-3 py-2" />
      {children}
      {list.hasNextPage && (
        <div className="px-5 pb-5">
          <Button size="small" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('Show older versions')}
          </Button>
        </div>
      )}
    </div>
  )
}

type PreviewProps = {
  diff: VersionDiff | undefined
  font: DocumentFont
  isStale: boolean
  error: unknown
  actions: ReactNode
}

function Preview({ diff, font, isStale, error, actions }: PreviewProps) {
  const [step, setStep] = useState<{ diff: VersionDiff; at: number }>()
  const at = step && step.diff === diff ? step.at : undefined
  return (
    <>
      <div className="flex min-h-12 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-page px-3 py-1.5">
        {diff ? (
          <ChangeStepper count={diff.changes.length} at={at} onStep={(next) => setStep({ diff, at: next })} />
        ) : (
          <span />
        )}
        {actions}
      </div>
      <div
        aria-busy={isStale}
        className={`min-h-0 flex-1 overflow-y-auto bg-surface transition-opacity ${isStale ? 'opacity-50' : ''}`}
      >
        {error != null && (
          <p role="alert" className="m-4 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger">
            {describeError(error)}
          </p>
        )}
        {diff && <VersionText font={font} diff={diff} active={at === undefined ? undefined : diff.changes[at]?.id} />}
      </div>
    </>
  )
}

function titleOf(version: Version): string {
  return version.name ?? formatSavedAt(version, new Date())
}

type ChangeStepperProps = { count: number; at: number | undefined; onStep: (at: number) => void }

/** The number of changes, with buttons for the next and previous one. */
function ChangeStepper({ count, at, onStep }: ChangeStepperProps) {
  const step = (by: 1 | -1) => {
    const from = at ?? (by === 1 ? -1 : count)
    onStep((from + by + count) % count)
  }
  return (
    <div className="flex items-center gap-0.5">
      <p aria-live="polite" className="pe-1 text-sm whitespace-nowrap text-ink-soft tabular-nums">
        {countOf(count, at)}
      </p>
      <IconButton label={t('Previous change')} disabled={count === 0} onClick={() => step(-1)} icon={ChevronUp} />
      <IconButton label={t('Next change')} disabled={count === 0} onClick={() => step(1)} icon={ChevronDown} />
    </div>
  )
}

function countOf(count: number, at: number | undefined): string {
  if (count === 0) return t('No changes')
  if (at !== undefined) return t('{position, number} of {count, number}', { position: at + 1, count })
  return t('{count, plural, one {# change} other {# changes}}', { count })
}
