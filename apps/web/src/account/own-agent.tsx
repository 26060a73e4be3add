import { INSTRUCTION_LIMITS } from '@copydesk/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { agentPreferencesQuery, patchAgentPreferences } from '../api/operators/agent-settings.ts'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from './settings/page-frame.tsx'
import { InstructionsForm } from './settings/instructions-form.tsx'

/** The user's settings for the agent in all their runs, as a section of the account page. */
export function AgentSection() {
  return (
    <Section title={t('Agent')} text={t('For the requests that you make to the agent. Others don’t see it.')}>
      <OwnAgent />
    </Section>
  )
}

type AgentDialogProps = { opener: HTMLElement | null; onClose: () => void }

/** The same settings as a dialog, for users without an account. */
export function AgentDialog({ opener, onClose }: AgentDialogProps) {
  return (
    <Dialog title={t('Your preferences for the agent')} wide onClose={onClose} returnFocusTo={opener}>
      <OwnAgent onClose={onClose} />
    </Dialog>
  )
}

function OwnAgent({ onClose }: { onClose?: () => void }) {
  const queryClient = useQueryClient()
  return (
    <Loaded query={useQuery(agentPreferencesQuery)}>
      {(preferences) => (
        <InstructionsForm
          value={preferences}
          most={INSTRUCTION_LIMITS.person}
          placeholder={t('For example: Keep answers short. Write dates as 24 November 2026.')}
          save={async (given) => {
            queryClient.setQueryData(agentPreferencesQuery.queryKey, await patchAgentPreferences(given))
            onClose?.()
          }}
          onCancel={onClose}
        />
      )}
    </Loaded>
  )
}
