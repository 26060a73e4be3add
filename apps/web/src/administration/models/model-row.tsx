import type { ModelTest, Provider, ProviderList, ProviderModel } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import { chooseDefaultModel, removeModel, testModel } from '../../api/operators/models.ts'
import { t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'
import { ModelForm } from './model-form.tsx'
import { priceInWords, testInWords, usersInWords, windowInWords } from './model-words.ts'
import { RemoveQuestion } from './remove-question.tsx'

type ModelRowProps = {
  provider: Provider
  model: ProviderModel
  list: ProviderList
  /** Gets the focus once the row is gone. */
  rest: RefObject<HTMLButtonElement | null>
  onChanged: () => void
}

/** A model of a provider: what it costs, whether it is the default, and a test that says what fails. */
export function ModelRow({ list, provider, model, rest, onChanged }: ModelRowProps) {
  const isDefault = model.ref === list.defaultModel
  const nameId = useId()
  const menu = useRef<HTMLButtonElement>(null)
  const [isEditing, setEditing] = useState(false)
  const test = useMutation({ mutationFn: () => testModel(model.ref), onError: showError })
  const closeForm = () => setEditing(false)
  useFocusAfter(isEditing, menu)
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-48 flex-1">
          <p className="flex flex-wrap items-center gap-x-2">
            <span id={nameId} dir="ltr" className="font-mono text-sm break-all">
              {model.model}
            </span>
            {isDefault && <DefaultBadge />}
          </p>
          <p className="text-sm break-words text-ink-faint">
            {[priceInWords(model), ...windowInWords(model, list), ...usersInWords(model)].join(' · ')}
          </p>
        </div>
        <div className="flex items-center gap-2">
          <Buttons model={model} nameId={nameId} isDefault={isDefault} test={test} onChanged={onChanged} />
          <ModelMenu
            provider={provider}
            model={model}
            button={menu}
            list={list}
            rest={rest}
            onEdit={() => setEditing(true)}
            onChanged={onChanged}
          />
        </div>
      </div>
      <TestResult result={test.data} />
      {isEditing && (
        <ModelForm
          provider={provider}
          defaultContextTokens={list.defaultContextTokens}
          model={model}
          onCancel={closeForm}
          onSaved={() => {
            closeForm()
            onChanged()
          }}
        />
      )}
    </li>
  )
}

/** Says that a model answers where no other is chosen. */
export function DefaultBadge() {
  return (
    <span className="rounded-full bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent-strong">
      {t('Default')}
    </span>
  )
}

type ButtonsProps = Pick<ModelRowProps, 'model' | 'onChanged'> & {
  isDefault: boolean
  nameId: string
  test: { mutate: () => void; isPending: boolean }
}

function Buttons({ model, nameId, isDefault, test, onChanged }: ButtonsProps) {
  const testButton = useRef<HTMLButtonElement>(null)
  const choose = useMutation({
    mutationFn: () => chooseDefaultModel(model.ref),
    onSuccess: () => {
      onChanged()
      // This button is about to go.
      testButton.current?.focus()
    },
    onError: showError,
  })
  return (
    <>
      {!isDefault && (
        <Button
          aria-describedby={nameId}
          className="pointer-coarse:h-10"
          aria-disabled={choose.isPending}
          onClick={() => !choose.isPending && choose.mutate()}
        >
          {t('Make default')}
        </Button>
      )}
      <Button
        ref={testButton}
        aria-describedby={nameId}
        className="pointer-coarse:h-10"
        aria-disabled={test.isPending}
        onClick={() => !test.isPending && test.mutate()}
      >
        {t(test.isPending ? 'Testing…' : 'Test')}
      </Button>
    </>
  )
}

function TestResult({ result }: { result: ModelTest | undefined }) {
  return (
    <div role="status" className="text-sm break-words empty:hidden">
      {result && <p className={result.problem === null ? 'text-ink-soft' : 'text-danger'}>{testInWords(result)}</p>}
      {result?.detail && (
        <p dir="auto" className="text-ink-faint">
          {result.detail}
        </p>
      )}
    </div>
  )
}

type ModelMenuProps = ModelRowProps & { button: RefObject<HTMLButtonElement | null>; onEdit: () => void }

function ModelMenu({ list, provider, model, rest, button, onEdit, onChanged }: ModelMenuProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <button
            ref={button}
            type="button"
            aria-label={t('Actions for {name}', { name: model.model })}
            className={iconButtonClass}
          >
            <Ellipsis size={18} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
          {t(provider.source === 'environment' ? 'Set prices and window' : 'Edit')}
        </MenuItem>
        {provider.source === 'operator' && (
          <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => setAsking(true)}>
            {t('Remove')}
          </MenuItem>
        )}
      </Menu>
      {isAsking && (
        <RemoveQuestion
          title={t('Remove this model?')}
          text={t('{name} is removed with its prices.', { name: model.model })}
          models={[model]}
          defaultModel={list.defaultModel}
          remove={() => removeModel(provider.id, model.model)}
          opener={button}
          rest={rest}
          onClose={() => setAsking(false)}
          onRemoved={onChanged}
        />
      )}
    </>
  )
}
