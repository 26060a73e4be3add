/** Which of the documents a list shows. */
export const shows = ['all', 'mine', 'shared', 'starred'] as const
export type Show = (typeof shows)[number]

/** The orders of a list; the first is the usual one. */
export const sorts = ['updated', 'title', 'created'] as const
export type Sort = (typeof sorts)[number]

/** What a list of documents shows: all of it stands in the address, so that *Back* and links lead to it. */
export type ListAddress = {
  /** The folder whose documents are shown; null for those of all folders. */
  folder: string | null
  trash: boolean
  show: Show
  /** The id of the person who owns the documents or has been given access to them; null for anyone. */
  person: string | null
  sort: Sort
  query: string
}

/** All documents, the last edited first. */
export const allDocuments: ListAddress = {
  folder: null,
  trash: false,
  show: 'all',
  person: null,
  sort: 'updated',
  query: '',
}

/** The list at an address; what the address doesn't say or says wrongly is as in `allDocuments`. */
export function readListAddress(path: string, search: string): ListAddress {
  const given = new URLSearchParams(search)
  return {
    folder: /^\/f\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1] ?? null,
    trash: /^\/trash\/?$/.test(path),
    show: shows.find((show) => show === given.get('show')) ?? allDocuments.show,
    person: given.get('person'),
    sort: sorts.find((sort) => sort === given.get('sort')) ?? allDocuments.sort,
    query: (given.get('query') ?? '').slice(0, 200),
  }
}

/** The address of a list. */
export function listPath(change: Partial<ListAddress>): string {
  const { folder, trash, show, person, sort, query } = { ...allDocuments, ...change }
  const search = new URLSearchParams()
  if (show !== allDocuments.show) search.set('show', show)
  if (person !== null) search.set('person', person)
  if (sort !== allDocuments.sort) search.set('sort', sort)
  if (query !== '') search.set('query', query)
  const path = trash ? '/trash' : folder === null ? '/' : `/f/${folder}`
  return search.size > 0 ? `${path}?${search}` : path
}
