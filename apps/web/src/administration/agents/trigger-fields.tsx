import type { AgentTrigger } from '@copydesk/protocol'
import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { useFolders } from '../../api/folders.ts'
import { t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { describeTrigger, parseCron, type CronSchedule, toCron } from './trigger-texts.ts'

type TriggersProps = { triggers: readonly AgentTrigger[]; onChange: (triggers: AgentTrigger[]) => void }

/** The triggers that start the agent automatically, each with its task. */
export function TriggerFields({ triggers, onChange }: TriggersProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const begun: readonly [string, AgentTrigger][] = [
    [t('At times'), { kind: 'schedule', document: '', cron: '0 9 * * *', zone, instruction: '' }],
    [t('At comments'), { kind: 'comment', folder: null, instruction: '' }],
    [t('At new documents'), { kind: 'document', folder: null, instruction: '' }],
  ]
  return (
    <fieldset className="flex flex-col gap-3 sm:col-span-2">
      <legend className="text-sm font-medium">{t('Begins by itself')}</legend>
      <p className="text-xs text-ink-soft">{t('It then works with your rights. What agents write starts nothing.')}</p>
      {triggers.map((trigger, index) => (
        <TriggerField
          // Triggers have an id only once they are stored.
          key={index}
          trigger={trigger}
          onChange={(changed) => onChange(triggers.with(index, changed))}
          onRemove={() => onChange(triggers.toSpliced(index, 1))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {begun.map(([text, trigger]) => (
          <Button key={text} onClick={() => onChange([...triggers, trigger])}>
            <Plus size={16} aria-hidden />
            {text}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

type TriggerProps = { trigger: AgentTrigger; onChange: (trigger: AgentTrigger) => void; onRemove: () => void }

function TriggerField({ trigger, onChange, onRemove }: TriggerProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="grid gap-3 rounded-lg border border-line p-3 sm:grid-cols-2">
      <div className="flex items-center justify-between gap-2 sm:col-span-2">
        <p id={id} className="text-sm">
          {describeTrigger(trigger)}
        </p>
        <button type="button" aria-label={t('Remove')} className={iconButtonClass} onClick={onRemove}>
          <X size={16} aria-hidden />
        </button>
      </div>
      {trigger.kind === 'schedule' ? (
        <ScheduleFields trigger={trigger} onChange={onChange} />
      ) : (
        <FolderField folder={trigger.folder} onChange={(folder) => onChange({ ...trigger, folder })} />
      )}
      <TextArea
        label={t('Task')}
        rows={2}
        maxLength={2000}
        value={trigger.instruction}
        onChange={({ target }) => onChange({ ...trigger, instruction: target.value })}
      />
    </div>
  )
}

type Schedule = Extract<AgentTrigger, { kind: 'schedule' }>

function ScheduleFields({ trigger, onChange }: { trigger: Schedule; onChange: (trigger: Schedule) => void }) {
  const schedule = parseCron(trigger.cron)
  const set = (next: CronSchedule) => onChange({ ...trigger, cron: toCron(next, trigger.cron) })
  const isOwn = schedule.every === 'own'
  return (
    <>
      <Field
        label={t('Address of the document')}
        dir="ltr"
        value={trigger.document}
        onChange={({ target }) => onChange({ ...trigger, document: documentIn(target.value) })}
      />
      <SelectField
        label={t('How often')}
        value={schedule.every}
        options={{
          hour: t('Every hour'),
          day: t('Every day'),
          weekday: t('Monday to Friday'),
          week: t('Every Monday'),
          own: t('Own times (cron)'),
        }}
        onChange={(every) =>
          every === 'own' ? onChange({ ...trigger, cron: '0 9 1 * *' }) : set({ ...schedule, every })
        }
      />
      {isOwn && (
        <Field
          label={t('Minute, hour, day, month, weekday')}
          dir="ltr"
          value={trigger.cron}
          onChange={({ target }) => onChange({ ...trigger, cron: target.value })}
        />
      )}
      {!isOwn && schedule.every !== 'hour' && (
        <Field
          label={t('Time of day')}
          type="time"
          value={schedule.time}
          onChange={({ target }) => target.value !== '' && set({ ...schedule, time: target.value })}
        />
      )}
      <Field
        label={t('Time zone')}
        dir="ltr"
        value={trigger.zone}
        onChange={({ target }) => onChange({ ...trigger, zone: target.value })}
      />
    </>
  )
}

/** The id in the address of a document; any other text is returned unchanged. */
function documentIn(text: string): string {
  return /\/d\/([\w-]+)/.exec(text)?.[1] ?? text.trim()
}

function FolderField({ folder, onChange }: { folder: string | null; onChange: (folder: string | null) => void }) {
  const { data = [] } = useFolders()
  const names = Object.fromEntries(data.map(({ id, name }) => [id, name]))
  return (
    <SelectField
      label={t('Folder')}
      value={folder ?? ''}
      options={{ '': t('Everywhere'), ...names }}
      onChange={(id) => onChange(id === '' ? null : id)}
    />
  )
}
