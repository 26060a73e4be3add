import { INSTRUCTION_LIMITS, type PatchAgentSettings } from '@copydesk/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PageFrame, Section } from '../account/settings/page-frame.tsx'
import { StandingForm } from '../account/settings/standing-form.tsx'
import { agentSettingsQuery, patchAgentSettings } from '../api/operators/agent-settings.ts'
import { t } from '../i18n/translate.ts'
import { Loaded } from '../ui/loaded.tsx'
import { LimitsForm } from './limits-form.tsx'

/** For operators: what holds for all runs of the agent. */
export function AgentSettingsPage() {
  const queryClient = useQueryClient()
  const save = async (given: PatchAgentSettings) => {
    queryClient.setQueryData(agentSettingsQuery.queryKey, await patchAgentSettings(given))
  }
  return (
    <PageFrame title={t('Agent settings')}>
      <Loaded query={useQuery(agentSettingsQuery)}>
        {(settings) => (
          <>
            <Section
              title={t('Instructions for everybody')}
              text={t('The agent follows them in every run, for everybody. They come before the wishes of a person.')}
            >
              <StandingForm
                value={settings}
                most={INSTRUCTION_LIMITS.server}
                placeholder={t('For example: Use British spelling. Our product is called Copydesk, in one word.')}
                save={save}
              />
            </Section>
            <Section
              title={t('Limits')}
              text={t('They hold from the next run on. What a variable of the server sets can’t be changed here.')}
            >
              <LimitsForm limits={settings.limits} save={(limits) => save({ limits })} />
            </Section>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
