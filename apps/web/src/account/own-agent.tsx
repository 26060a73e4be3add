import { INSTRUCTION_LIMITS } from '@copydesk/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchAgentPreferences, patchAgentPreferences } from '../api/operators/agent-settings.ts'
import { describeError } from '../api/client.ts'
import { meKey } from '../api/query-client.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ListState, Section } from './settings/page-frame.tsx'
import { StandingForm } from './settings/standing-form.tsx'

const preferencesKey = [...meKey, 'agent'] as const

/** What the agent does in all runs that the user starts, as a section of the page of an account. */
export function AgentSection() {
  return (
    <Section title={t('Agent')} text={t('For the requests that you make to the agent. Others don’t see it.')}>
      <OwnAgent />
    </Section>
  )
}

type AgentDialogProps = { opener: HTMLElement | null; onClose: () => void }

/** The same as a dialog, for users without an account. */
export function AgentDialog({ opener, onClose }: AgentDialogProps) {
  return (
    <Dialog
      title={t('Your preferences for the agent')}
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={opener}
    >
      <OwnAgent onClose={onClose} />
    </Dialog>
  )
}

function OwnAgent({ onClose }: { onClose?: () => void }) {
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    queryKey: preferencesKey,
    queryFn: ({ signal }) => fetchAgentPreferences(signal),
  })
  if (!data) return <ListState error={error ? describeError(error) : undefined} />
  return (
    <StandingForm
      value={data}
      most={INSTRUCTION_LIMITS.person}
      placeholder={t('For example: Keep answers short. Write dates as 24 November 2026.')}
      save={async (given) => {
        queryClient.setQueryData(preferencesKey, await patchAgentPreferences(given))
        onClose?.()
      }}
    >
      {onClose && <Button onClick={onClose}>{t('Cancel')}</Button>}
    </StandingForm>
  )
}
