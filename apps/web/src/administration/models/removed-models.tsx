import type { ProviderModel } from '@copydesk/protocol'
import type { ReactNode } from 'react'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'

type RemovedModelsProps = { models: readonly ProviderModel[]; defaultModel: string; children: ReactNode }

/** The part of a confirmation that lists the models to remove, with the agents that use them. */
export function RemovedModels({ models, defaultModel, children }: RemovedModelsProps) {
  const agents = [...new Set(models.flatMap((model) => model.agents))]
  return (
    <>
      <p>{children}</p>
      {agents.length > 0 && (
        <p className="text-danger">{t('These agents use it, and fail: {names}.', { names: formatList(agents) })}</p>
      )}
      {models.some(({ ref }) => ref === defaultModel) && <p>{t('It is the default: another takes its place.')}</p>}
    </>
  )
}
