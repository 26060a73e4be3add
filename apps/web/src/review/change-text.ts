import type { OpenChange } from '../editor/review/review-ui.ts'

/** What a suggested change is about, in a few words that stand before its text. */
export function nameChange({ type, before, after }: Pick<OpenChange, 'type' | 'before' | 'after'>): string {
  if (type === 'formatting') return 'Formatting'
  if (type === 'block') {
    if (before === '') return 'New block'
    return after === '' ? 'Delete block' : 'Change block'
  }
  if (before === '') return 'Insert'
  return after === '' ? 'Delete' : 'Replace'
}

const othersNamed = 3

/** Who else has written into a suggested change, in words; undefined if nobody has. */
export function nameOthers({ author, alsoBy = [] }: Pick<OpenChange, 'author' | 'alsoBy'>): string | undefined {
  const others = new Map(alsoBy.map(({ id, name }) => [id, id === author?.id ? `${name} in another run` : name]))
  const names = [...others.values()]
  if (names.length === 0) return undefined
  const more = names.length - othersNamed
  const parts = more > 0 ? [...names.slice(0, othersNamed), more === 1 ? '1 more' : `${more} more`] : names
  return `Also written by ${new Intl.ListFormat('en').format(parts)}`
}

/** The change after or before the current one, round the end; the first (or last) where none is current. */
export function neighbour(ids: readonly string[], current: string | undefined, step: 1 | -1): string | undefined {
  if (ids.length === 0) return undefined
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at === -1) return step === 1 ? ids[0] : ids.at(-1)
  return ids[(at + step + ids.length) % ids.length]
}
