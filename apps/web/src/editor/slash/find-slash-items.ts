import type { SlashItem } from './slash-items.ts'

/** The lines whose label or other words begin with every word of the query, those found by their label first. */
export function findSlashItems(items: readonly SlashItem[], query: string): SlashItem[] {
  const wanted = query.toLowerCase()
  const rank = ({ label, words }: SlashItem) => {
    const name = label.toLowerCase()
    // `heading2` and `codeblock` are what one types where a space would close the list.
    if (name.startsWith(wanted) || name.replaceAll(' ', '').startsWith(wanted)) return 0
    if (name.split(' ').some((word) => word.startsWith(wanted))) return 1
    return words.split(' ').some((word) => word.startsWith(wanted)) ? 2 : 3
  }
  return [0, 1, 2].flatMap((wantedRank) => items.filter((item) => rank(item) === wantedRank))
}
