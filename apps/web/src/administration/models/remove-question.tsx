import type { ProviderModel } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'

type RemoveQuestionProps = {
  title: string
  text: string
  /** What goes. */
  models: readonly ProviderModel[]
  defaultModel: string
  remove: () => Promise<unknown>
  /** The button that asks, and the one that gets the focus once that is gone. */
  opener: RefObject<HTMLElement | null>
  rest: RefObject<HTMLElement | null>
  onClose: () => void
  onRemoved: () => void
}

/** Asks before models are removed, and says which agents use them. */
export function RemoveQuestion(props: RemoveQuestionProps) {
  const { title, text, models, defaultModel, remove, opener, rest, onClose, onRemoved } = props
  const [isDone, setDone] = useState(false)
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      // Before the list loses the row, and the dialog with it.
      setDone(true)
      onRemoved()
    },
    onError: showError,
  })
  const agents = [...new Set(models.flatMap((model) => model.agents))]
  const isDefault = models.some(({ ref }) => ref === defaultModel)
  return (
    <Dialog
      title={title}
      open={!isDone}
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={(isDone ? rest : opener).current}
    >
      <div className="flex flex-col gap-2 text-sm break-words">
        <p>{text}</p>
        {agents.length > 0 && (
          <p className="text-danger">{t('These agents use it, and fail: {names}.', { names: formatList(agents) })}</p>
        )}
        {isDefault && <p>{t('It is the default: another takes its place.')}</p>}
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={removing.isPending} onClick={() => removing.mutate()}>
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  )
}
