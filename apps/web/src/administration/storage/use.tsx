import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'

/** The used part of a quota. `name` is the quota's name in `QUOTAS`, `instead` a remedy other than raising it. */
export type Use = {
  label: string
  used: number
  quota: number
  name: string
  instead: string
  write?: (value: number) => string
}

const nearlyFull = 0.9

function shareOf({ used, quota }: Use): number {
  return quota > 0 ? used / quota : used > 0 ? 1 : 0
}

/** The share in percent, rounded; 100% only if the quota is used up. */
function percentOf(use: Use): string {
  const share = shareOf(use)
  return formatNumber(share < 1 ? Math.min(share, 0.99) : share, { style: 'percent' })
}

/** A use in a row. In a wide window the head of the list contains its label and quota (`UsesHead`). */
export function RowUse({ use }: { use: Use }) {
  const { label, used, quota, write = size } = use
  return (
    <div className="min-w-0 text-sm">
      <dt className="text-ink-soft lg:sr-only">{label}</dt>
      <dd className="tabular-nums">
        <span className={shareOf(use) >= nearlyFull ? 'font-medium text-danger' : used === 0 ? 'text-ink-faint' : ''}>
          {write(used)}
        </span>
        <span className="text-ink-faint lg:sr-only"> {t('of {quota}', { quota: write(quota) })}</span>
        <Bar use={use} />
      </dd>
    </div>
  )
}

/** The labels and quotas above the uses of a list. */
export function UsesHead({ uses }: { uses: readonly Use[] }) {
  return uses.map(({ label, quota, write = size }) => (
    <span key={label}>
      {label}
      <span className="block text-xs text-ink-faint">{t('of {quota}', { quota: write(quota) })}</span>
    </span>
  ))
}

/** A use of the whole server, with a description of what counts. */
export function ServerUse({ use, text }: { use: Use; text: string }) {
  const { label, used, quota, write = size } = use
  const share = shareOf(use)
  return (
    <div className="min-w-0 text-sm">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular-nums">
        <span className="flex items-baseline gap-1.5">
          <span className={`text-lg font-semibold ${share >= nearlyFull ? 'text-danger' : ''}`}>{write(used)}</span>
          <span className="flex-1 text-ink-soft">{t('of {quota}', { quota: write(quota) })}</span>
          <span className="text-ink-soft">{percentOf(use)}</span>
        </span>
        <Bar use={use} />
        <span className="mt-1.5 block text-xs text-ink-faint">{text}</span>
        {share >= nearlyFull && (
          <span className="mt-1 block text-xs text-danger wrap-anywhere">
            {t('{instead}, or raise {name} in QUOTAS.', { instead: use.instead, name: use.name })}
          </span>
        )}
      </dd>
    </div>
  )
}

/** The remedies for the uses in a row that are near to their quotas. */
export function Advice({ uses }: { uses: readonly Use[] }) {
  return uses
    .filter((use) => shareOf(use) >= nearlyFull)
    .map((use) => (
      <p key={use.name} className="mt-1.5 text-xs text-danger wrap-anywhere">
        {t('{label}: {share} used. {instead}, or raise {name} in QUOTAS.', {
          label: use.label,
          share: percentOf(use),
          instead: use.instead,
          name: use.name,
        })}
      </p>
    ))
}

function Bar({ use }: { use: Use }) {
  const share = shareOf(use)
  return (
    <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-hover">
      <span
        className={`block h-full rounded-full ${share >= nearlyFull ? 'bg-danger' : 'bg-accent'}`}
        style={{ width: use.used > 0 ? `max(3px, ${Math.min(100, share * 100)}%)` : 0 }}
      />
    </span>
  )
}

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

/** A quota of MiB in bytes. */
export function mib(quota: number | undefined): number {
  return (quota ?? 0) * mebibyte
}

/** A number of bytes as text. */
export function size(bytes: number): string {
  if (bytes === 0) return '0'
  if (bytes < mebibyte) return `${formatNumber(Math.ceil(bytes / 1024))} KiB`
  const [unit, value] = bytes < 10 * gibibyte ? ['MiB', bytes / mebibyte] : ['GiB', bytes / gibibyte]
  return `${formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`
}
