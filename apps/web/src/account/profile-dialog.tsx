import { type Me, PatchMe } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patchMe } from '../api/caller/account.ts'
import { parse } from '../api/client.ts'
import { notifyOtherWindows } from '../api/caller/caller-changes.ts'
import { meKey } from '../api/query-client.ts'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { ColorField } from './color-field.tsx'

type ProfileDialogProps = { me: Me; opener: HTMLElement | null; onClose: () => void }

/** The user's name and colour, as others see them: at the caret, on avatars, and next to the user's texts. */
export function ProfileDialog({ me, opener, onClose }: ProfileDialogProps) {
  const [name, setName] = useState(me.user.name)
  const [color, setColor] = useState(me.user.color)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async () => patchMe(parse(PatchMe, { name, color })),
    onSuccess: (user) => {
      queryClient.setQueryData<Me | null>(meKey, (before) => before && { ...before, user })
      notifyOtherWindows()
      onClose()
    },
  })
  return (
    <Dialog title={t('Your name and colour')} onClose={onClose} returnFocusTo={opener}>
      <Form frame="dialog" save={t('Save')} saving={save} onCancel={onClose}>
        <Field
          label={t('Name')}
          autoComplete="name"
          maxLength={80}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ColorField name={name} color={color} onColor={setColor} />
      </Form>
    </Dialog>
  )
}
