import type { KnownPeople } from '@copydesk/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { findPeople } from '../api/sharing.ts'
import { useDebounced } from '../common/use-debounced.ts'

/** The people whose name contains `text` and with whom the user shares a document, updated shortly after typing. */
export function useKnownPeople(text: string, { enabled = true } = {}): KnownPeople['people'] {
  const query = useDebounced(text.trim(), 150)
  const { data } = useQuery({
    queryKey: ['known people', query],
    queryFn: ({ signal }) => findPeople(query, signal),
    placeholderData: keepPreviousData,
    enabled,
  })
  return data ?? []
}
