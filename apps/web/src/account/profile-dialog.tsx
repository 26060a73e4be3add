import { type Me, PatchMe } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { patchMe } from '../api/caller/account.ts'
import { describeError } from '../api/client.ts'
import { tellOwnWindows } from '../api/caller/own-news.ts'
import { meKey } from '../api/query-client.ts'
import { t } from '../i18n/translate.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { parse } from '../sign-in/use-entering.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/fields/field.tsx'
import { ColorField } from './color-field.tsx'

type ProfileDialogProps = { me: Me; opener: HTMLElement | null; onClose: () => void }

/** One's own name and colour, as others see them: at the caret, on avatars, and next to what one writes. */
export function ProfileDialog({ me, opener, onClose }: ProfileDialogProps) {
  const [name, setName] = useState(me.user.name)
  const [color, setColor] = useState(me.user.color)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async () => patchMe(parse(PatchMe, { name, color })),
    onSuccess: (user) => {
      queryClient.setQueryData<Me | null>(meKey, (before) => before && { ...before, user })
      tellOwnWindows()
      onClose()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog title={t('Your name and colour')} open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <Field
          label={t('Name')}
          autoComplete="name"
          maxLength={80}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ColorField name={name} color={color} onColor={setColor} />
        <FormProblem text={save.error ? describeError(save.error) : undefined} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" disabled={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
