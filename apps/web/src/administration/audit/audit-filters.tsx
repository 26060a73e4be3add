import type { AuditAction } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { type AuditFilter, exportAudit, peopleQuery } from '../../api/caller/account.ts'
import { saveFile } from '../../common/files/save-file.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'

type AuditFiltersProps = {
  filter: AuditFilter
  /** The labels of all actions, and of no action. */
  actions: Readonly<Record<AuditAction | '', string>>
  onChange: (filter: AuditFilter) => void
}

const days = [
  ['from', 'From', 0],
  ['to', 'Until', 1],
] as const

/** The filters of the audit log, in a narrow window with its export behind a button. */
export function AuditFilters({ filter, actions, onChange }: AuditFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  // Another key resets the date fields, which have no controlled value.
  const [cleared, setCleared] = useState(0)
  const set = (name: keyof AuditFilter, value: string | undefined) => {
    const others = Object.entries(filter).filter(([key]) => key !== name)
    onChange(Object.fromEntries(value ? [...others, [name, value]] : others))
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start pointer-coarse:h-10 sm:hidden"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ListFilter size={15} aria-hidden />
        {t('Filter and export')}
      </Button>
      <div className={`grid-cols-2 gap-3 sm:grid sm:grid-cols-4 ${isOpen ? 'grid' : 'hidden'}`}>
        <Person filter={filter} onChange={(actor) => set('actor', actor)} />
        <SelectField
          label={t('What')}
          value={filter.action ?? ''}
          options={actions}
          onChange={(action) => set('action', action)}
        />
        {days.map(([name, label, later]) => (
          <Field
            key={`${name} ${cleared}`}
            label={t(label)}
            type="date"
            onChange={({ target: { value } }) => set(name, startOf(value, later))}
          />
        ))}
      </div>
      <div className={`flex-wrap items-center gap-2 sm:flex ${isOpen ? 'flex' : 'hidden'}`}>
        {filter.document !== undefined && (
          <Button className="pointer-coarse:h-10" onClick={() => set('document', undefined)}>
            <X size={15} aria-hidden />
            {t('All documents')}
          </Button>
        )}
        {Object.keys(filter).length > 0 && (
          <Button
            className="pointer-coarse:h-10"
            onClick={() => {
              setCleared(cleared + 1)
              onChange({})
            }}
          >
            {t('Clear all filters')}
          </Button>
        )}
        <AuditExports filter={filter} className="sm:hidden" />
      </div>
    </div>
  )
}

type AuditExportsProps = { filter: AuditFilter; className: string }

/** The buttons that download the filtered log. */
export function AuditExports({ filter, className }: AuditExportsProps) {
  return (
    <div className={`flex gap-2 ${className}`}>
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button
          key={format}
          className="pointer-coarse:h-10"
          onClick={() => void exportAudit(filter, format).then((file) => saveFile(file, `audit.${format}`), showError)}
        >
          {t(format === 'csv' ? 'Export CSV' : 'Export JSON lines')}
        </Button>
      ))}
    </div>
  )
}

function Person({ filter: { actor = '' }, onChange }: { filter: AuditFilter; onChange: (actor: string) => void }) {
  const { data: people = [] } = useQuery(peopleQuery)
  const names: Record<string, string> = { '': t('Everybody') }
  for (const { user } of people) names[user.id] = user.name
  // An agent, or a person whose account was deleted.
  if (!(actor in names)) names[actor] = actor
  return <SelectField label={t('Who')} value={actor} options={names} onChange={onChange} />
}

// The start of a day, or of the next, in the browser's time zone; undefined without a day.
function startOf(day: string, later: 0 | 1): string | undefined {
  if (day === '') return undefined
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const moment = new Date(year, month - 1, date + later)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
