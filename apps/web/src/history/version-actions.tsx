import type { Version } from '@copydesk/protocol'
import { type MouseEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { NameDialog } from './name-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { current } from './use-versions.ts'

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
          Compare with now
        </Button>
      )}
      <Button size="small" onClick={ask('name')}>
        {version?.name == null ? 'Name this version' : 'Rename'}
      </Button>
      {version && (
        <Button size="small" look="primary" onClick={ask('restore')}>
          Restore this version
        </Button>
      )}
      {asking?.what === 'name' && (
        <NameDialog
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

const pressed = 'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong'
