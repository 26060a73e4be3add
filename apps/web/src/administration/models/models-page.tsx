import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ListState, PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { describeError } from '../../api/client.ts'
import { createProvider, fetchLocalServers, fetchProviders } from '../../api/operators/models.ts'
import { meKey } from '../../api/query-client.ts'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderRow } from './provider-row.tsx'

const providersKey = ['providers'] as const
const localKey = ['local-servers'] as const

/** For operators: the providers of models with their keys, models with their prices, and which one is the default. */
export function ModelsPage() {
  const queryClient = useQueryClient()
  const opener = useRef<HTMLButtonElement>(null)
  const [isMaking, setMaking] = useState(false)
  const { data, error } = useQuery({ queryKey: providersKey, queryFn: ({ signal }) => fetchProviders(signal) })
  const onChanged = () => {
    // The caller knows whether a model is configured.
    for (const queryKey of [providersKey, localKey, meKey]) void queryClient.invalidateQueries({ queryKey })
  }
  useFocusAfter(isMaking, opener)
  return (
    <PageFrame title={t('Models')}>
      <Section
        title={t('Providers')}
        text={t(
          'Agents use the default model unless they have one of their own. Keys are stored encrypted and never shown again. Prices are for a million tokens, all in one currency.',
        )}
      >
        {data ? (
          <ul aria-label={t('Providers')} className="-mt-5 divide-y divide-line">
            {data.providers.map((provider) => (
              <ProviderRow key={provider.id} list={data} provider={provider} rest={opener} onChanged={onChanged} />
            ))}
          </ul>
        ) : (
          <ListState error={error ? describeError(error) : undefined} />
        )}
        {isMaking && data ? (
          <ProviderForm
            services={data.services}
            onCancel={() => setMaking(false)}
            onSaved={() => {
              // The new row opens the form of its first model, which takes the focus.
              setMaking(false)
              onChanged()
            }}
          />
        ) : (
          <Button ref={opener} className="pointer-coarse:h-10" onClick={() => setMaking(true)}>
            {t('New provider')}
          </Button>
        )}
      </Section>
      <FoundServers
        onAdded={() => {
          onChanged()
          // The button that added it is about to go.
          opener.current?.focus()
        }}
      />
    </PageFrame>
  )
}

/** Model servers that were found at the usual addresses of this machine. */
function FoundServers({ onAdded }: { onAdded: () => void }) {
  const { data, error } = useQuery({
    queryKey: localKey,
    queryFn: ({ signal }) => fetchLocalServers(signal),
    staleTime: 0,
  })
  const add = useMutation({ mutationFn: createProvider, onSuccess: onAdded, onError: showError })
  return (
    <Section
      title={t('Local servers')}
      text={t('Ollama, vLLM, llama.cpp and LM Studio are looked for at their usual addresses on this machine.')}
    >
      {data === undefined && <ListState error={error ? describeError(error) : undefined} />}
      {data?.length === 0 && <p className="text-sm text-ink-faint">{t('No other server was found.')}</p>}
      <ul aria-label={t('Local servers')} className="divide-y divide-line">
        {data?.map(({ name, baseUrl, models }) => (
          <li key={baseUrl} className="flex flex-wrap items-center gap-3 py-3">
            <div className="min-w-48 flex-1">
              <p className="font-medium">
                {name} <span className="font-mono text-sm font-normal text-ink-faint">{baseUrl}</span>
              </p>
              <p className="text-sm break-words text-ink-soft">{formatList(models)}</p>
            </div>
            <Button
              className="pointer-coarse:h-10"
              disabled={add.isPending}
              aria-label={t('Add {name}', { name })}
              onClick={() => add.mutate({ name, service: 'openai', baseUrl, models: models.slice(0, 50) })}
            >
              {t('Add')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
