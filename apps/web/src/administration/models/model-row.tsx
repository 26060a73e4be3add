import type { ModelTest, Provider, ProviderList, ProviderModel } from '@copydesk/protocol'
import { Pencil } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { chooseDefaultModel, removeModel, testModel } from '../../api/operators/models.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { RowMenu } from '../../ui/menus/row-menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RemovedModels } from './removed-models.tsx'
import { ModelForm } from './model-form.tsx'
import { priceInWords, describeTest, usersInWords, windowInWords } from './model-texts.ts'

type ModelRowProps = {
  provider: Provider
  model: ProviderModel
  list: ProviderList
  /** Gets the focus after the row is removed. */
  rest: RefObject<HTMLButtonElement | null>
  onChanged: () => void
}

/** A model of a provider: its price, whether it is the default, and a test that reports its failure. */
export function ModelRow({ list, provider, model, rest, onChanged }: ModelRowProps) {
  const isDefault = model.ref === list.defaultModel
  const nameId = useId()
  const [menu, editing] = useOpening()
  const test = useAction(() => testModel(model.ref))
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-48 flex-1">
          <p className="flex flex-wrap items-center gap-x-2">
            <span id={nameId} dir="ltr" className="font-mono text-sm break-all">
              {model.model}
            </span>
            {isDefault && <Badge text={t('Default')} />}
          </p>
          <p className="text-sm break-words text-ink-faint">
            {[priceInWords(model), ...windowInWords(model, list), ...usersInWords(model)].join(' · ')}
          </p>
        </div>
        <div className="flex items-center gap-2">
          <Buttons model={model} nameId={nameId} isDefault={isDefault} test={test} onChanged={onChanged} />
          <RowMenu
            name={model.model}
            button={menu}
            removal={
              provider.source === 'operator' && {
                action: t('Remove'),
                title: t('Remove this model?'),
                text: (
                  <RemovedModels models={[model]} defaultModel={list.defaultModel}>
                    {t('{name} is removed with its prices.', { name: model.model })}
                  </RemovedModels>
                ),
                remove: () => removeModel(provider.id, model.model),
                rest,
                onRemoved: onChanged,
              }
            }
          >
            <MenuItem
              icon={Pencil}
              onSelect={editing.open}
              text={t(provider.source === 'environment' ? 'Set prices and window' : 'Edit')}
            />
          </RowMenu>
        </div>
      </div>
      <TestResult result={test.data} />
      {editing.isOpen && (
        <ModelForm
          provider={provider}
          model={model}
          defaultContextTokens={list.defaultContextTokens}
          onClose={editing.close}
          onChanged={onChanged}
        />
      )}
    </li>
  )
}

type ButtonsProps = Pick<ModelRowProps, 'model' | 'onChanged'> & {
  isDefault: boolean
  nameId: string
  test: { mutate: () => void; isPending: boolean }
}

function Buttons({ model, nameId, isDefault, test, onChanged }: ButtonsProps) {
  const testButton = useRef<HTMLButtonElement>(null)
  const choose = useAction(() => chooseDefaultModel(model.ref), {
    onDone: () => {
      onChanged()
      // This button is removed next.
      testButton.current?.focus()
    },
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
      {result && <p className={result.problem === null ? 'text-ink-soft' : 'text-danger'}>{describeTest(result)}</p>}
      {result?.detail && (
        <p dir="auto" className="text-ink-faint">
          {result.detail}
        </p>
      )}
    </div>
  )
}
