import type { Account } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountKey } from '../app/query-client.ts'
import { showError } from '../app/toasts.tsx'
import { Button } from '../ui/button.tsx'
import { connectOidc, disconnectOidc } from './account-api.ts'
import { FormProblem } from './enter-card.tsx'
import { oidcProblem } from './oidc-problem.ts'
import { Section } from './page-frame.tsx'

/** Whether the account is connected with the OIDC provider. */
export function OidcSection({ account: { connected }, name }: { account: Account; name: string }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: connected ? disconnectOidc : connectOidc,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKey }),
    onError: showError,
  })
  return (
    <Section
      title={name}
      text={connected ? `You can sign in through ${name}.` : `Connect your account to sign in through ${name}.`}
    >
      <div className="flex flex-col items-start gap-3">
        <FormProblem text={oidcProblem(location.search)} />
        <Button disabled={change.isPending} onClick={() => change.mutate()}>
          {connected ? 'Disconnect' : 'Connect'}
        </Button>
      </div>
    </Section>
  )
}
