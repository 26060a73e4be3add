import type { AccountPerson } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { handOver, ownerlessQuery, peopleQuery } from '../../api/caller/account.ts'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'

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
  const [chosen, setChosen] = useState<string>(nobody)
  const people = useQuery(peopleQuery)
  const title = item.title || t('Untitled')
  const isLeft = (each: { id: string }) => each.id !== item.id
  const give = useMutation({
    mutationFn: () => handOver(item.kind, item.id, chosen),
    onSuccess() {
      const name = people.data?.find(({ user }) => user.id === chosen)?.user.name ?? ''
      showToast(
        chosen === self
          ? t('“{title}” belongs to you now.', { title })
          : t('“{title}” belongs to {name} now.', { title, name }),
      )
      setIsDone(true)
      queryClient.setQueryData(
        ownerlessQuery.queryKey,
        (all) => all && { documents: all.documents.filter(isLeft), folders: all.folders.filter(isLeft) },
      )
    },
    onSettled: () => queryClient.invalidateQueries(ownerlessQuery),
  })
  return (
    <Dialog
      title={t('Hand over “{title}”', { title })}
      open={!isDone}
      onClose={onClose}
      returnFocusTo={isDone ? rest.current : opener}
    >
      <Loaded query={people}>
        {(all) => (
          <Form frame="dialog" save={t('Hand over')} saving={give} canSave={chosen !== nobody} onCancel={onClose}>
            <SelectField label={t('New owner')} value={chosen} options={ownersOf(all, self)} onChange={setChosen} />
            <p className="text-sm text-ink-soft">
              {item.kind === 'folder'
                ? t('An owner can edit, share and delete it and what it holds.')
                : t('An owner can edit, share and delete it.')}
            </p>
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

const nobody = ''

/** The people who can sign in, in words by their ids. */
function ownersOf(people: readonly AccountPerson[], self: string): Record<string, string> {
  const options: Record<string, string> = { [nobody]: t('Choose a person') }
  for (const { user, email, active } of people) {
    const name = user.id === self ? t('{name} (you)', { name: user.name }) : user.name
    if (active) options[user.id] = email === null ? name : `${name}, ${email}`
  }
  return options
}
