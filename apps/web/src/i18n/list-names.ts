import { formatList } from './format.ts'
import { t } from './translate.ts'

type Named = { name: string }

/**
 * The names of the first `most` people and the number of the others; `count` is the number of all, if only some are
 * given.
 */
export function listNames(people: readonly Named[], { most = people.length, count = people.length } = {}): string {
  const named = people.slice(0, most).map(({ name }) => name)
  const others = count - named.length
  return formatList(others > 0 ? [...named, t('{count, number} more', { count: others })] : named)
}
