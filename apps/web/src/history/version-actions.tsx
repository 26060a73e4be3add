import type { Version } from '@copydesk/protocol'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { tRich } from '../i18n/rich-text.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Question } from '../ui/question.tsx'
import { current, useNaming, useRestoring } from './use-versions.ts'

type VersionActionsProps = {
  document: string
  /** Undefined for the current text. */
  version: Version | undefined
  title: string
  untilNow: boolean
  setUntilNow: (untilNow: boolean) => void
  onNamed: (id: string) => void
  /** Called with the version that the restore has created. */
  onRestored: (made: Version) => void
}

/** The actions on the shown version: compare, name, restore. */
export function VersionActions(props: VersionActionsProps) {
  const { document, version, title, untilNow, setUntilNow, onNamed, onRestored } = props
  const [asking, setAsking] = useState<{ what: 'name' | 'restore'; opener: HTMLElement }>()
  const ask = (what: 'name' | 'restore') => (event: MouseEvent<HTMLElement>) =>
    setAsking({ what, opener: event.currentTarget })
  const onClose = () => setAsking(undefined)
  return (
    <div className="flex flex-wrap items-center gap-2">
      {version && (
        <Button size="small" aria-pressed={untilNow} className={pressed} onClick={() => setUntilNow(!untilNow)}>
          <span>{tRich('Compare<more> with now</more>', { more })}</span>
        </Button>
      )}
      <Button size="small" onClick={ask('name')}>
        <span>{version?.name == null ? tRich('Name<more> this version</more>', { more }) : t('Rename')}</span>
      </Button>
      {version && (
        <Button size="small" look="primary" onClick={ask('restore')}>
          <span>{tRich('Restore<more> this version</more>', { more })}</span>
        </Button>
      )}
      {asking?.what === 'name' && (
        <NamingDialog
          {...{ document, onClose, onNamed }}
          version={version?.id ?? current}
          name={version?.name ?? ''}
          opener={asking.opener}
        />
      )}
      {asking?.what === 'restore' && version && (
        <RestoreDialog {...{ document, version, title, onClose, onRestored }} opener={asking.opener} />
      )}
    </div>
  )
}

// Hidden in narrow windows. In German some buttons have no further text.
const more = (content: ReactNode[]) =>
  content.some((part) => part !== '') && <span className="max-sm:sr-only">{content}</span>

const pressed = 'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong'

type NamingDialogProps = {
  document: string
  version: string
  name: string
  opener: HTMLElement | null
  onClose: () => void
  onNamed: (id: string) => void
}

/** Asks for the name of a version; an empty name removes the version's name. */
function NamingDialog({ document, version, name, opener, onClose, onNamed }: NamingDialogProps) {
  const naming = useNaming(document)
  const submit = (wanted: string) => {
    const onSuccess = ({ id }: { id: string }) => {
      onNamed(id)
      onClose()
    }
    naming.mutate({ version, name: wanted === '' ? null : wanted }, { onSuccess })
  }
  return (
    <NameDialog
      title={t('Name this version')}
      label={t('Name')}
      action={t('Save')}
      removal={t('Remove name')}
      placeholder={t('Draft for the board')}
      maxLength={120}
      request={naming}
      onSubmit={submit}
      {...{ name, opener, onClose }}
    >
      <p className="-mt-2 text-sm text-ink-soft">
        {t('Versions with a name are kept for as long as the document is.')}
      </p>
    </NameDialog>
  )
}

type RestoreDialogProps = {
  document: string
  version: Version
  /** The version's name, or its time. */
  title: string
  opener: HTMLElement | null
  onClose: () => void
  onRestored: (made: Version) => void
}

/** Asks for confirmation before a version is restored, and says that no text is lost. */
function RestoreDialog({ document, version, title, opener, onClose, onRestored }: RestoreDialogProps) {
  const restoring = useRestoring(document)
  return (
    <Question
      title={t('Restore this version?')}
      action={t('Restore')}
      look="primary"
      isPending={restoring.isPending}
      error={restoring.error}
      returnFocusTo={opener}
      onConfirm={() => restoring.mutate(version.id, { onSuccess: onRestored })}
      onClose={onClose}
    >
      <p>
        {tRich(
          'The text becomes what it was: <version></version>. Nothing is lost: the current text stays in the history, and can be restored in the same way.',
          { version: () => <bdi className="font-medium text-ink">{title}</bdi> },
        )}
      </p>
    </Question>
  )
}
