import type { Provider, ProviderList } from '@copydesk/protocol'
import { Pencil } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import { deleteProvider } from '../../api/operators/models.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useFocusAfter } from '../../ui/focus/use-opening.ts'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { RowMenu } from '../../ui/menus/row-menu.tsx'
import { RemovedModels } from './removed-models.tsx'
import { ModelForm } from './model-form.tsx'
import { ModelRow } from './model-row.tsx'
import { keyInWords, problemInWords } from './model-texts.ts'
import { ProviderForm } from './provider-form.tsx'

type ProviderRowProps = {
  list: ProviderList
  provider: Provider
  /** Gets the focus after the row is removed. */
  rest: RefObject<HTMLButtonElement | null>
  onChanged: () => void
}

/** A provider: its address, the state of its key, and its models. */
export function ProviderRow({ list, provider, rest, onChanged }: ProviderRowProps) {
  const { source, models } = provider
  const uid = useId()
  const menu = useRef<HTMLButtonElement>(null)
  // A provider without models can't be used yet.
  const [open, setOpen] = useState<'provider' | 'model' | undefined>(models.length === 0 ? 'model' : undefined)
  const close = () => setOpen(undefined)
  useFocusAfter(open === 'provider', menu)
  return (
    <li aria-labelledby={`${uid}-name`} className="flex flex-col gap-3 py-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Heading id={`${uid}-name`} list={list} provider={provider} />
          <Details list={list} provider={provider} />
        </div>
        {source === 'operator' && (
          <RowMenu
            name={provider.name}
            button={menu}
            removal={{
              title: t('Delete this provider?'),
              text: (
                <RemovedModels models={models} defaultModel={list.defaultModel}>
                  {t('The key and the models of {name} are deleted.', { name: provider.name })}
                </RemovedModels>
              ),
              remove: () => deleteProvider(provider.id),
              rest,
              onRemoved: onChanged,
            }}
          >
            <MenuItem icon={Pencil} onSelect={() => setOpen('provider')} text={t('Edit or replace key')} />
          </RowMenu>
        )}
      </div>
      {open === 'provider' && (
        <ProviderForm
          list={list}
          provider={provider}
          onCancel={close}
          onSaved={() => {
            close()
            onChanged()
          }}
        />
      )}
      {source !== 'builtin' && (
        <ModelsOf
          list={list}
          provider={provider}
          nameId={`${uid}-name`}
          isAdding={open === 'model'}
          onAdding={(isAdding) => setOpen(isAdding ? 'model' : undefined)}
          onChanged={onChanged}
        />
      )}
    </li>
  )
}

type ModelsOfProps = Pick<ProviderRowProps, 'list' | 'provider' | 'onChanged'> & {
  nameId: string
  isAdding: boolean
  onAdding: (isAdding: boolean) => void
}

function ModelsOf({ list, provider, nameId, isAdding, onAdding, onChanged }: ModelsOfProps) {
  const adder = useRef<HTMLButtonElement>(null)
  const close = () => onAdding(false)
  useFocusAfter(isAdding, adder)
  return (
    <>
      <ul aria-labelledby={nameId} className="divide-y divide-line border-s-2 border-line ps-4 empty:hidden">
        {provider.models.map((model) => (
          <ModelRow key={model.ref} provider={provider} model={model} list={list} rest={adder} onChanged={onChanged} />
        ))}
      </ul>
      {isAdding && (
        <ModelForm
          provider={provider}
          defaultContextTokens={list.defaultContextTokens}
          onClose={close}
          onChanged={onChanged}
        />
      )}
      {provider.source === 'operator' && !isAdding && (
        <Button
          ref={adder}
          className="self-start pointer-coarse:h-10"
          aria-describedby={nameId}
          onClick={() => onAdding(true)}
        >
          {t('Add model')}
        </Button>
      )}
    </>
  )
}

type HeadingProps = Pick<ProviderRowProps, 'list' | 'provider'> & { id: string }

function Heading({ id, list, provider }: HeadingProps) {
  const isBuiltin = provider.source === 'builtin'
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <h3 id={id} dir="auto" className="font-medium break-words">
        {isBuiltin ? t('Built-in agent') : provider.name}
      </h3>
      {isBuiltin && list.defaultModel === provider.id && <Badge text={t('Default')} />}
    </div>
  )
}

function Details({ list, provider }: Pick<ProviderRowProps, 'list' | 'provider'>) {
  const { source, service, baseUrl, key } = provider
  if (source === 'builtin') {
    return <p className="text-sm text-ink-faint">{t('Needs no model and understands plain commands only.')}</p>
  }
  if (source === 'environment') {
    return <p className="text-sm text-ink-faint">{t('Set by variables of the server, such as AGENT_MODEL.')}</p>
  }
  const name = list.services.find(({ id }) => id === service)?.name ?? service
  return (
    <>
      <p className="text-sm text-ink-faint">
        <span className="break-all">{baseUrl ?? name}</span> · {keyInWords(provider)}
      </p>
      {key === 'unreadable' && <p className="text-sm text-danger">{problemInWords('locked')}</p>}
    </>
  )
}
