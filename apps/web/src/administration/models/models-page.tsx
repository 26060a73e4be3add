import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { createProvider, localServersQuery, providersQuery } from '../../api/operators/models.ts'
import { meKey } from '../../api/query-client.ts'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ProviderForm } from './provider-form.tsx'
import { ProviderRow } from './provider-row.tsx'

/** For operators: the providers of models with their keys, models with their prices, and the default model. */
export function ModelsPage() {
  const queryClient = useQueryClient()
  const [opener, making] = useOpening()
  const providers = useQuery(providersQuery)
  const onChanged = () => {
    // The cached caller contains whether a model is configured.
    for (const queryKey of [providersQuery.queryKey, localServersQuery.queryKey, meKey])
      void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <PageFrame title={t('Models')}>
      <Section
        title={t('Providers')}
        text={t(
          'Agents use the default model unless they have one of their own. Keys are stored encrypted and never shown again. Prices are for a million tokens, all in one currency.',
        )}
        tool={
          !(making.isOpen && providers.data) && (
            <Button ref={opener} look="primary" onClick={making.open}>
              {t('New provider')}
            </Button>
          )
        }
      >
        {making.isOpen && providers.data && (
          <ProviderForm
            list={providers.data}
            onCancel={making.close}
            onSaved={() => {
              // The new row opens the form of its first model, which takes the focus.
              making.close()
              onChanged()
            }}
          />
        )}
        <Loaded query={providers}>
          {(list) => (
            <Rows label={t('Providers')} rows={list.providers} className={making.isOpen ? '-mb-5' : '-my-5'}>
              {(provider) => (
                <ProviderRow key={provider.id} list={list} provider={provider} rest={opener} onChanged={onChanged} />
              )}
            </Rows>
          )}
        </Loaded>
      </Section>
      <FoundServers
        onAdded={() => {
          onChanged()
          // The button that added it is removed next.
          opener.current?.focus()
        }}
      />
    </PageFrame>
  )
}

/** Model servers that were found at the usual addresses of this machine. */
function FoundServers({ onAdded }: { onAdded: () => void }) {
  const found = useQuery(localServersQuery)
  const add = useAction(createProvider, { onDone: onAdded })
  return (
    <Section
      title={t('Local servers')}
      text={t('Ollama, vLLM, llama.cpp and LM Studio are looked for at their usual addresses on this machine.')}
    >
      <Loaded query={found}>
        {(servers) => (
          <Rows label={t('Local servers')} rows={servers} empty={t('No other server was found.')} className="">
            {({ name, baseUrl, models }) => (
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
            )}
          </Rows>
        )}
      </Loaded>
    </Section>
  )
}
