import type { OwnerlessList } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useState } from 'react'
import { ListState, SelectField } from '../account/page-frame.tsx'
import { fetchPeople, handOver } from '../api/account.ts'
import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'
import { peopleKey } from './people-section.tsx'

/** The key under which documents without an owner are cached. */
export const ownerlessKey = ['ownerless'] as const

type Documents = OwnerlessList['documents']

type HandOverDialogProps = {
  document: Documents[number]
  self: string
  opener: HTMLElement
  /** Gets the focus when the document, and with it the opener, is removed from the list. */
  rest: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Asks for the new owner of a document, and hands it over. */
export function HandOverDialog({ document, self, opener, rest, onClose }: HandOverDialogProps) {
  const queryClient = useQueryClient()
  const [isDone, setIsDone] = useState(false)
  const title = document.title || t('Untitled')
  const give = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => handOver(document.id, id),
    onSuccess(_given, { id, name }) {
      showToast(
        id === self
          ? t('“{title}” belongs to you now.', { title })
          : t('“{title}” belongs to {name} now.', { title, name }),
      )
      setIsDone(true)
      queryClient.setQueryData<Documents>(ownerlessKey, (all) => all?.filter((each) => each.id !== document.id))
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
  self: string
  problem: string | undefined
  isPending: boolean
  onGive: (person: { id: string; name: string }) => void
  onCancel: () => void
}

const nobody = ''

function HandOverForm({ self, problem, isPending, onGive, onCancel }: HandOverFormProps) {
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
      <p className="text-sm text-ink-soft">{t('An owner can edit, share and delete it.')}</p>
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
