import type { DocumentSort } from '@copydesk/protocol'
import type { DocumentFilter } from '../../api/documents.ts'

// The first order is the default.
const sorts: readonly DocumentSort[] = ['edited', 'title', 'created']

/** The owner filter of a list: the user's own documents, those of others, or with null all. */
export type Owner = 'me' | 'others' | null

/** The filters of a list of documents. All of them are in the address, for *Back* and links. */
export type ListAddress = {
  /** The folder whose documents are shown; null for those of all folders. */
  folder: string | null
  trash: boolean
  starred: boolean
  owner: Owner
  /** The id of a person who has opened the documents; null for anyone. */
  person: string | null
  sort: DocumentSort
  query: string
}

/** All documents, the last edited first. */
export const allDocuments: ListAddress = {
  folder: null,
  trash: false,
  starred: false,
  owner: null,
  person: null,
  sort: 'edited',
  query: '',
}

/** The list at an address; missing and invalid parts are as in `allDocuments`. */
export function readListAddress(path: string, search: string): ListAddress {
  const given = new URLSearchParams(search)
  const owner = given.get('owner')
  return {
    folder: /^\/f\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1] ?? null,
    trash: /^\/trash\/?$/.test(path),
    starred: given.has('starred'),
    owner: owner === 'me' || owner === 'others' ? owner : null,
    person: given.get('person'),
    sort: sorts.find((sort) => sort === given.get('sort')) ?? allDocuments.sort,
    query: (given.get('query') ?? '').slice(0, 200),
  }
}

export function listPath(change: Partial<ListAddress>): string {
  const { folder, trash, starred, owner, person, sort, query } = { ...allDocuments, ...change }
  const search = new URLSearchParams()
  if (starred) search.set('starred', 'true')
  if (owner !== null) search.set('owner', owner)
  if (person !== null) search.set('person', person)
  if (sort !== allDocuments.sort) search.set('sort', sort)
  if (query !== '') search.set('query', query)
  const path = trash ? '/trash' : folder === null ? '/' : `/f/${folder}`
  return search.size > 0 ? `${path}?${search}` : path
}

/** The request for a list. */
export function filterOf({ folder, trash, starred, owner, person, sort, query }: ListAddress): DocumentFilter {
  return {
    ...(query === '' ? {} : { query }),
    ...(trash ? { trash } : {}),
    ...(sort === allDocuments.sort ? {} : { sort }),
    ...(owner === null ? {} : { owner }),
    ...(starred ? { starred } : {}),
    ...(person === null ? {} : { person }),
    ...(folder === null ? {} : { folder }),
  }
}

/** Whether a filter excludes documents of the folder. */
export function isNarrowed({ starred, owner, person, query }: ListAddress): boolean {
  return starred || owner !== null || person !== null || query !== ''
}
