import type { OwnerlessList } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useState } from 'react'
import { ListState, SelectField } from '../../account/settings/page-frame.tsx'
import { fetchPeople, handOver } from '../../api/caller/account.ts'
import { describeError } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { FormProblem } from '../../sign-in/enter-card.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { peopleKey } from './people-section.tsx'

/** The key under which documents and folders without an owner are cached. */
export const ownerlessKey = ['ownerless'] as const

/** A document or folder to be handed over. */
export type Ownerless = { kind: 'document' | 'folder'; id: string; title: string }

type HandOverDialogProps = {
  item: Ownerless
  self: string
  opener: HTMLElement
  /** Gets the focus when the item, and with it the opener, is removed from the list. */
  rest: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Asks for the new owner of a document or folder, and hands it over. */
export function HandOverDialog({ item, self, opener, rest, onClose }: HandOverDialogProps) {
  const queryClient = useQueryClient()
  const [isDone, setIsDone] = useState(false)
  const title = item.title || t('Untitled')
  const isLeft = (each: { id: string }) => each.id !== item.id
  const give = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => handOver(item.kind, item.id, id),
    onSuccess(_given, { id, name }) {
      showToast(
        id === self
          ? t('“{title}” belongs to you now.', { title })
          : t('“{title}” belongs to {name} now.', { title, name }),
      )
      setIsDone(true)
      queryClient.setQueryData<OwnerlessList>(
        ownerlessKey,
        (all) => all && { documents: all.documents.filter(isLeft), folders: all.folders.filter(isLeft) },
      )
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownerlessKey }),
  })
  return (
    <Dialog
      title={t('Hand over “{title}”', { title })}
      open={!isDone}
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={isDone ? rest.current : opener}
    >
      <HandOverForm
        kind={item.kind}
        self={self}
        problem={give.error ? describeError(give.error) : undefined}
        isPending={give.isPending}
        onGive={(person) => give.mutate(person)}
        onCancel={onClose}
      />
    </Dialog>
  )
}

type HandOverFormProps = {
  kind: Ownerless['kind']
  self: string
  problem: string | undefined
  isPending: boolean
  onGive: (person: { id: string; name: string }) => void
  onCancel: () => void
}

const nobody = ''

function HandOverForm({ kind, self, problem, isPending, onGive, onCancel }: HandOverFormProps) {
  const [chosen, setChosen] = useState<string>(nobody)
  const { data, error } = useQuery({ queryKey: peopleKey, queryFn: ({ signal }) => fetchPeople(signal) })
  if (!data) return <ListState error={error ? describeError(error) : undefined} />
  const people = data.filter(({ active }) => active)
  const nameOf = (id: string) => people.find(({ user }) => user.id === id)?.user.name ?? ''
  const options = Object.fromEntries([
    [nobody, t('Choose a person')],
    ...people.map(({ user, email }) => [
      user.id,
      `${user.id === self ? t('{name} (you)', { name: user.name }) : user.name}${email === null ? '' : `, ${email}`}`,
    ]),
  ]) as Readonly<Record<string, string>>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== nobody) onGive({ id: chosen, name: nameOf(chosen) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <SelectField label={t('New owner')} value={chosen} options={options} onChange={setChosen} />
      <p className="text-sm text-ink-soft">
        {kind === 'folder'
          ? t('An owner can edit, share and delete it and what it holds.')
          : t('An owner can edit, share and delete it.')}
      </p>
      <FormProblem text={problem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button look="primary" type="submit" disabled={isPending || chosen === nobody}>
          {t('Hand over')}
        </Button>
      </div>
    </form>
  )
}
