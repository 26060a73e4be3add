import type { FileProposal } from '@copydesk/protocol'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMediaQuery } from '../../common/layout/media-queries.ts'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DialogTitle, DialogWindow } from '../../ui/dialog.tsx'
import { FileDiff } from './file-diff.tsx'
import { FileTitle, StaleNotice } from './file-parts.tsx'
import type { DiffLine } from './line-diff.ts'

type FileDialogProps = {
  proposal: FileProposal
  /** The currently shown lines, including edits. */
  lines: readonly DiffLine[]
  isWaiting: boolean
  edited: string
  onEdit: (text: string) => void
  onClose: () => void
  returnFocusTo: HTMLElement
}

/**
 * A change of a file in a dialog: before and after side by side if the window is wide, and the new text to edit while
 * the change waits. Editing doesn't decide: the card has the buttons for that.
 */
export function FileDialog({ proposal, lines, isWaiting, edited, onEdit, onClose, returnFocusTo }: FileDialogProps) {
  const isWide = useMediaQuery('(min-width: 900px)')
  const { content, isStale } = proposal
  const [draft, setDraft] = useState<string>()
  const keep = (text: string): void => {
    onEdit(text === content ? '' : text)
    setDraft(undefined)
  }
  const stopEditing = draft === undefined ? undefined : () => setDraft(undefined)
  return (
    <FileWindow {...{ proposal, lines, stopEditing, onClose, returnFocusTo }}>
      {isWaiting && isStale && <StaleNotice proposal={proposal} isWide={isWide} />}
      {draft === undefined ? (
        <>
          <div className="flex min-h-0 flex-1 flex-col">
            <FileDiff label={t('The proposed change')} lines={lines} isWide={isWide} />
          </div>
          <Foot>
            {isWaiting && edited !== '' && <FootButton label={t('Use the agent’s text')} onClick={() => onEdit('')} />}
            {isWaiting && <FootButton label={t('Edit')} onClick={() => setDraft(edited === '' ? content : edited)} />}
            <FootButton label={t('Done')} look="primary" onClick={onClose} />
          </Foot>
        </>
      ) : (
        <EditForm text={draft} onText={setDraft} onCancel={() => setDraft(undefined)} onKeep={() => keep(draft)} />
      )}
    </FileWindow>
  )
}

type FileWindowProps = Pick<FileDialogProps, 'proposal' | 'lines' | 'onClose' | 'returnFocusTo'> & {
  stopEditing: (() => void) | undefined
  children: ReactNode
}

function FileWindow({ proposal, lines, stopEditing, onClose, returnFocusTo, children }: FileWindowProps) {
  return (
    <DialogWindow
      onClose={onClose}
      // Escape first ends the editing.
      onEscapeKeyDown={(event) => {
        if (!stopEditing) return
        event.preventDefault()
        stopEditing()
      }}
      returnFocus={() => returnFocusTo.focus()}
      className="pop fixed inset-x-2 inset-y-2 z-50 mx-auto flex max-w-[88rem] flex-col gap-3 rounded-xl border border-line bg-surface p-4 shadow-raised sm:inset-y-6"
    >
      <div className="flex items-start gap-2">
        <DialogTitle asChild>
          <div className="min-w-0 flex-1">
            <FileTitle proposal={proposal} lines={lines} />
          </div>
        </DialogTitle>
        <IconButton label={t('Close')} onClick={onClose} className="-my-2 -me-2" icon={X} />
      </div>
      <p dir="auto" className="max-h-24 overflow-y-auto text-sm wrap-anywhere">
        {proposal.description}
      </p>
      {children}
    </DialogWindow>
  )
}

type EditFormProps = { text: string; onText: (text: string) => void; onCancel: () => void; onKeep: () => void }

function EditForm({ text, onText, onCancel, onKeep }: EditFormProps) {
  return (
    <>
      <textarea
        aria-label={t('The new text of the file')}
        autoFocus
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="min-h-0 flex-1 resize-none rounded-md border border-line-strong bg-surface p-2 font-mono text-[0.8125rem] leading-normal [font-variant-ligatures:none]"
      />
      <Foot>
        {text === '' && (
          <p role="status" className="me-auto text-sm text-warn">
            {t('Write a text first, or reject the change.')}
          </p>
        )}
        <FootButton label={t('Cancel')} onClick={onCancel} />
        <FootButton label={t('Show the difference')} look="primary" disabled={text === ''} onClick={onKeep} />
      </Foot>
    </>
  )
}

function Foot({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center justify-end gap-2">{children}</div>
}

type FootButtonProps = { label: string; look?: 'primary'; disabled?: boolean; onClick: () => void }

function FootButton({ label, look, ...rest }: FootButtonProps) {
  return (
    <Button {...(look ? { look } : {})} className="pointer-coarse:h-10" {...rest}>
      {label}
    </Button>
  )
}
