import { type AgentSettings, INSTRUCTION_LIMITS, type PatchAgentSettings } from '@copydesk/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListState, PageFrame, Section } from '../account/settings/page-frame.tsx'
import { StandingForm } from '../account/settings/standing-form.tsx'
import { fetchAgentSettings, patchAgentSettings } from '../api/operators/agent-settings.ts'
import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { LimitsForm } from './limits-form.tsx'

const settingsKey = ['agent-settings'] as const

/** For operators: what holds for all runs of the agent. */
export function AgentSettingsPage() {
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => fetchAgentSettings(signal),
  })
  const save = async (given: PatchAgentSettings) => {
    queryClient.setQueryData<AgentSettings>(settingsKey, await patchAgentSettings(given))
  }
  return (
    <PageFrame title={t('Agent settings')}>
      {data ? (
        <>
          <Section
            title={t('Instructions for everybody')}
            text={t('The agent follows them in every run, for everybody. They come before the wishes of a person.')}
          >
            <StandingForm
              value={data}
              most={INSTRUCTION_LIMITS.server}
              placeholder={t('For example: Use British spelling. Our product is called Copydesk, in one word.')}
              save={save}
            />
          </Section>
          <Section
            title={t('Limits')}
            text={t('They hold from the next run on. What a variable of the server sets can’t be changed here.')}
          >
            <LimitsForm limits={data.limits} save={(limits) => save({ limits })} />
          </Section>
        </>
      ) : (
        <ListState error={error ? describeError(error) : undefined} />
      )}
    </PageFrame>
  )
}
