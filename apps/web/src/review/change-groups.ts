import type { OpenChange } from '../editor/review/review-ui.ts'

/** Suggested changes that are decided together: those of one author, or of one run. `label` goes with the word "suggestions". */
export type ChangeGroup = { label: string; count: number; author?: string; run?: string }

const longest = 40

/** The groups to offer beside all changes; none where everything comes from one author and one run. */
export function groupChanges(changes: readonly OpenChange[]): ChangeGroup[] {
  const known = changes.filter(({ author }) => author !== undefined)
  const authors = [...Map.groupBy(known, ({ author }) => author?.id ?? '')]
  const runs = [...Map.groupBy(known, ({ run }) => run)]
  const byAuthor = authors.map(([author, group]): ChangeGroup => {
    return { label: group[0]?.author?.name ?? 'Somebody', count: group.length, author }
  })
  const byRun = runs.flatMap(([run, group]): ChangeGroup[] => {
    const [first] = group
    if (run === undefined || first?.instruction === undefined) return []
    // All that its author suggests is offered under their name.
    const isAllOfAuthor = byAuthor.some(({ author, count }) => author === first.author?.id && count === group.length)
    return isAllOfAuthor ? [] : [{ label: `“${shorten(first.instruction)}”`, count: group.length, run }]
  })
  return [...(authors.length > 1 ? byAuthor : []), ...(runs.length > 1 ? byRun : [])]
}

function shorten(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('')
}
