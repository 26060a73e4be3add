import { UsersRound } from 'lucide-react'
import { listNames } from '../../i18n/list-names.ts'
import { t } from '../../i18n/translate.ts'
import type { OpenChange } from '../text/review-ui.ts'

/** The kind of a suggested change in a few words, shown before its text. */
export function nameChange({ type, before, after }: Pick<OpenChange, 'type' | 'before' | 'after'>): string {
  if (type === 'formatting') return t('Formatting')
  if (type === 'block') {
    if (before === '') return t('New block')
    return after === '' ? t('Delete block') : t('Change block')
  }
  if (before === '') return t('Insert')
  return t(after === '' ? 'Delete' : 'Replace')
}

/** The other contributors to a suggested change, in words; undefined if there are none. */
export function nameOthers({ author, alsoBy = [] }: Pick<OpenChange, 'author' | 'alsoBy'>): string | undefined {
  const others = new Map(
    alsoBy.map(({ id, name }) => [id, { name: id === author?.id ? t('{name} in another run', { name }) : name }]),
  )
  const names = [...others.values()]
  if (names.length === 0) return undefined
  return t('Also written by {names}', { names: listNames(names, { most: 3 }) })
}

/** The change after or before the current one, wrapping around; the first (or last) if none is current. */
export function neighbour(ids: readonly string[], current: string | undefined, step: 1 | -1): string | undefined {
  if (ids.length === 0) return undefined
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at === -1) return step === 1 ? ids[0] : ids.at(-1)
  return ids[(at + step + ids.length) % ids.length]
}

/** The line of a card that names the other contributors to a suggested change; renders nothing if there are none. */
export function Contributors({ change }: { change: Pick<OpenChange, 'author' | 'alsoBy'> }) {
  const words = nameOthers(change)
  if (words === undefined) return null
  return (
    <p className="mt-1 flex gap-1.5 text-xs text-warn">
      <UsersRound size={13} aria-hidden className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{words}</span>
    </p>
  )
}
