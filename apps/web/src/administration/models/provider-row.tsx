import type { Provider, ProviderList } from '@copydesk/protocol'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import { deleteProvider } from '../../api/operators/models.ts'
import { t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { ModelForm } from './model-form.tsx'
import { DefaultBadge, ModelRow } from './model-row.tsx'
import { keyInWords, problemInWords } from './model-words.ts'
import { ProviderForm } from './provider-form.tsx'
import { RemoveQuestion } from './remove-question.tsx'

type ProviderRowProps = {
  list: ProviderList
  provider: Provider
  /** Gets the focus once the row is gone. */
  rest: RefObject<HTMLButtonElement | null>
  onChanged: () => void
}

/** A provider: where it is, what is known of its key, and its models. */
export function ProviderRow({ list, provider, rest, onChanged }: ProviderRowProps) {
  const { source, models } = provider
  const uid = useId()
  const menu = useRef<HTMLButtonElement>(null)
  // A provider without models is of no use yet.
  const [open, setOpen] = useState<'provider' | 'model' | undefined>(models.length === 0 ? 'model' : undefined)
  const close = () => setOpen(undefined)
  useFocusAfter(open === 'provider', menu)
  return (
    <li aria-labelledby={`${uid}-name`} className="flex flex-col gap-3 py-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2">
            <h3 id={`${uid}-name`} dir="auto" className="font-medium break-words">
              {source === 'builtin' ? t('Built-in agent') : provider.name}
            </h3>
            {source === 'builtin' && list.defaultModel === provider.id && <DefaultBadge />}
          </div>
          <Details list={list} provider={provider} />
        </div>
        {source === 'operator' && (
          <Actions
            list={list}
            provider={provider}
            button={menu}
            rest={rest}
            onEdit={() => setOpen('provider')}
            onRemoved={onChanged}
          />
        )}
      </div>
      {open === 'provider' && (
        <ProviderForm
          services={list.services}
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
          onCancel={close}
          onSaved={() => {
            close()
            onChanged()
          }}
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

type ActionsProps = Pick<ProviderRowProps, 'list' | 'provider' | 'rest'> & {
  button: RefObject<HTMLButtonElement | null>
  onEdit: () => void
  onRemoved: () => void
}

function Actions({ list, provider, button, rest, onEdit, onRemoved }: ActionsProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <button
            ref={button}
            type="button"
            aria-label={t('Actions for {name}', { name: provider.name })}
            className={iconButtonClass}
          >
            <Ellipsis size={18} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
          {t('Edit or replace key')}
        </MenuItem>
        <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => setAsking(true)}>
          {t('Delete')}
        </MenuItem>
      </Menu>
      {isAsking && (
        <RemoveQuestion
          title={t('Delete this provider?')}
          text={t('The key and the models of {name} are deleted.', { name: provider.name })}
          models={provider.models}
          defaultModel={list.defaultModel}
          remove={() => deleteProvider(provider.id)}
          opener={button}
          rest={rest}
          onClose={() => setAsking(false)}
          onRemoved={onRemoved}
        />
      )}
    </>
  )
}
