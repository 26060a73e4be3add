import type { SlashItem } from './slash-items.ts'

/** The items whose label or keywords begin with every word of the query, matches of the label first. */
export function findSlashItems(items: readonly SlashItem[], query: string): SlashItem[] {
  const wanted = query.toLowerCase()
  const rank = ({ label, words }: SlashItem) => {
    const name = label.toLowerCase()
    // Users type `heading2` and `codeblock`, since a space would close the list.
    if (name.startsWith(wanted) || name.replaceAll(' ', '').startsWith(wanted)) return 0
    if (name.split(' ').some((word) => word.startsWith(wanted))) return 1
    return words.split(' ').some((word) => word.startsWith(wanted)) ? 2 : 3
  }
  return [0, 1, 2].flatMap((wantedRank) => items.filter((item) => rank(item) === wantedRank))
}
