import { Problem } from './problem.tsx'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useAction } from './use-action.ts'

type QuestionProps = {
  title: string
  /** The text of the button that confirms. */
  action: string
  look?: 'danger' | 'primary'
  cancel?: string
  isOpen?: boolean
  isPending?: boolean
  /** Why the action failed, unless a toast shows it. */
  error?: Error | null
  returnFocusTo: HTMLElement | null
  onConfirm: () => void
  onClose: () => void
  /** Describes the effect. */
  children: ReactNode
}

/** A dialog that asks before an action that can't be undone, or not easily. */
export function Question(props: QuestionProps) {
  const { title, action, look = 'danger', cancel, isOpen = true, isPending = false, error, onConfirm, onClose } = props
  return (
    <Dialog title={title} open={isOpen} onClose={onClose} returnFocusTo={props.returnFocusTo}>
      <div className="flex flex-col gap-2 text-sm break-words text-ink-soft">{props.children}</div>
      <Problem error={error} className="mt-3" />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{cancel ?? t('Cancel')}</Button>
        <Button look={look} disabled={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

type DeleteQuestionProps = {
  title: string
  remove: () => Promise<unknown>
  /** The button that opens the dialog. */
  opener: RefObject<HTMLElement | null>
  /** Gets the focus when the row, and with it the opener, is removed from its list. */
  rest: RefObject<HTMLElement | null>
  onClose: () => void
  /** The key of the list. */
  changes?: QueryKey | undefined
  onRemoved?: (() => void) | undefined
  /** Says what is lost. */
  children: ReactNode
}

/** Asks before the row of a list is deleted. */
export function DeleteQuestion({ remove, opener, rest, changes, onRemoved, ...question }: DeleteQuestionProps) {
  const [isDone, setDone] = useState(false)
  const removing = useAction(remove, {
    changes,
    onDone: () => {
      // Before the row is removed from the list, and the dialog with it.
      setDone(true)
      onRemoved?.()
    },
  })
  return (
    <Question
      {...question}
      action={t('Delete')}
      isOpen={!isDone}
      isPending={removing.isPending}
      returnFocusTo={(isDone ? rest : opener).current}
      onConfirm={() => removing.mutate()}
    />
  )
}
