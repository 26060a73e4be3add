import type { Account } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { patchAccount } from '../api/account.ts'
import { accountKey } from '../api/query-client.ts'
import { Switch } from '../ui/switch.tsx'
import { showError } from '../ui/toasts.tsx'
import { Section } from './page-frame.tsx'

/** Whether the user is mailed about notifications; for servers that send mail. */
export function MailSection({ account: { mails } }: { account: Account }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (wanted: boolean) => patchAccount({ mails: wanted }),
    onSuccess: (saved) => queryClient.setQueryData(accountKey, saved),
    onError: showError,
  })
  return (
    <Section title="Mail">
      <Switch
        label="Mentions and replies"
        text="A mail gathers what you have not read, at most once an hour."
        checked={change.isPending ? change.variables : mails}
        onChange={(wanted) => change.mutate(wanted)}
      />
    </Section>
  )
}
